package import MediaCore
import NIOCore

/// The dates of a ladder's frames: those that playlists give them (EXT-X-PROGRAM-DATE-TIME).
package struct FrameDates: Sendable, Hashable {
    /// A presentation time in ticks.
    package var time: Int64
    /// The date of the frame that is shown then.
    package var date: WallClockTime

    static let type: UInt8 = 11

    package init(time: Int64, date: WallClockTime) { (self.time, self.date) = (time, date) }

    func date(of other: Int64, _ timescale: Timescale) -> WallClockTime {
        date + MediaTime(value: other.subtractingSaturating(time), timescale: timescale)
    }

    func write(into buffer: inout ByteBuffer) {
        buffer.writeInteger(time)
        buffer.writeInteger(date.millisecondsSince1970)
    }

    /// - Returns: `nil` if the body is damaged.
    init?(body: ByteBuffer) {
        var body = body
        guard let time: Int64 = body.readInteger(), let milliseconds: Int64 = body.readInteger() else { return nil }
        self.init(time: time, date: WallClockTime(millisecondsSince1970: milliseconds))
    }
}
