/// A UTC date with milliseconds in the ISO 8601 form of EXT-X-PROGRAM-DATE-TIME.
package struct ProgramDateTime: CustomStringConvertible, Sendable, Hashable {
    package var millisecondsSince1970: Int64

    package init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    /// The date in the Gregorian calendar. Computed by the shifted-year method: in years that start in March, the
    /// leap day comes last.
    var civilDate: (year: Int64, month: Int64, day: Int64) {
        let days = millisecondsSince1970.dividingFloor(by: 86_400_000) + 719_468
        let era = days.dividingFloor(by: 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    package var description: String {
        var writer = PlaylistWriter()
        write(into: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    func write(into writer: inout PlaylistWriter) {
        let (year, month, day) = civilDate
        // Wraps, because the first day that 64 bits reach begins before the smallest value.
        let time = millisecondsSince1970 &- millisecondsSince1970.dividingFloor(by: 86_400_000) &* 86_400_000
        let fields: [(Int64, Int, String)] = [
            (year, 4, "-"), (month, 2, "-"), (day, 2, "T"), (time / 3_600_000, 2, ":"), (time / 60_000 % 60, 2, ":"),
            (time / 1_000 % 60, 2, "."), (time % 1_000, 3, "Z"),
        ]
        for (value, width, separator) in fields {
            writer.digits(value, width: width)
            writer.text(separator)
        }
    }
}

extension Int64 {
    fileprivate func dividingFloor(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
