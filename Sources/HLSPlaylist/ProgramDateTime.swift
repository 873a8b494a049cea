import MediaCore

/// A UTC date with milliseconds in the ISO 8601 form of EXT-X-PROGRAM-DATE-TIME.
package struct ProgramDateTime: CustomStringConvertible, Sendable, Hashable {
    package var millisecondsSince1970: Int64

    package init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    /// The date in the Gregorian calendar.
    var civilDate: CivilDate { CivilDate(daysSince1970: millisecondsSince1970.dividingFloor(by: 86_400_000)) }

    package var description: String {
        var writer = PlaylistWriter()
        write(into: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    func write(into writer: inout PlaylistWriter) {
        let date = civilDate
        // Wraps, because the first day that 64 bits reach begins before the smallest value.
        let time = millisecondsSince1970 &- millisecondsSince1970.dividingFloor(by: 86_400_000) &* 86_400_000
        let fields: [(Int64, Int, String)] = [
            (date.year, 4, "-"), (date.month, 2, "-"), (date.day, 2, "T"), (time / 3_600_000, 2, ":"),
            (time / 60_000 % 60, 2, ":"),
            (time / 1_000 % 60, 2, "."), (time % 1_000, 3, "Z"),
        ]
        for (value, width, separator) in fields {
            writer.digits(value, width: width)
            writer.text(separator)
        }
    }
}
