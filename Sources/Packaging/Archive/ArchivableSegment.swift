package import MediaCore
package import NIOCore

/// A segment to be archived.
package struct ArchivableSegment: Sendable {
    /// The publishing epoch whose timeline the segment's times refer to.
    package var epoch: String
    /// Complete fragments, as players get them.
    package var bytes: [ByteBuffer]
    package var duration: MediaTime
    /// The date of the first sample.
    package var date: WallClockTime

    /// Creates a segment; the parameters are the properties of the same names.
    package init(epoch: String, bytes: [ByteBuffer], duration: MediaTime, date: WallClockTime) {
        self.epoch = epoch
        self.bytes = bytes
        self.duration = duration
        self.date = date
    }

    /// Creates an archivable segment from a live one.
    package init(_ segment: LiveSegment) {
        self.init(epoch: segment.epoch, bytes: segment.bytes, duration: segment.duration, date: segment.programDateTime)
    }
}
