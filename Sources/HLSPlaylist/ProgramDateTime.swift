import MediaCore

/// A UTC date with milliseconds in the ISO 8601 form of EXT-X-PROGRAM-DATE-TIME.
package struct ProgramDateTime: CustomStringConvertible, Sendable, Hashable {
    package var millisecondsSince1970: Int64

    package init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    /// The date in the Gregorian calendar, and the time of that day.
    var civilTime: CivilTime { CivilTime(millisecondsSince1970: millisecondsSince1970) }

    package var description: String {
        var writer = PlaylistWriter()
        write(into: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    func write(into writer: inout PlaylistWriter) {
        let time = civilTime
        let fields: [(Int64, Int, String)] = [
            (time.date.year, 4, "-"), (time.date.month, 2, "-"), (time.date.day, 2, "T"),
            (time.hour, 2, ":"), (time.minute, 2, ":"), (time.second, 2, "."), (time.millisecond, 3, "Z"),
        ]
        for (value, width, separator) in fields {
            writer.digits(value, width: width)
            writer.text(separator)
        }
    }
}
