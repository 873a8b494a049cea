import Foundation

/// A time in the catalogue's tables: text such as `2026-11-23 04:15:00.123` in UTC.
///
/// New tables store milliseconds as integers. The catalogue keeps its text, so that the version before this one works
/// with the same file.
struct StoredDate: Sendable, Hashable {
    /// Milliseconds since 1970.
    let milliseconds: Int64

    private static let millisecondsPerDay: Int64 = 86_400_000
    /// The years 0000 to 9999, which the text can show.
    private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Rounds to milliseconds; times outside the years 0 to 9999 become the first or last of them.
    init(_ date: Date) {
        let value = (date.timeIntervalSince1970 * 1_000).rounded()
        milliseconds = Int64(min(max(value, Double(Self.range.lowerBound)), Double(Self.range.upperBound)))
    }

    /// Parses the text; seconds and their fraction may lack. `nil` if it is not a time.
    init?(parsing text: String) {
        var numbers: [Int64] = []
        for part in text.utf8.split(whereSeparator: { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            guard part.count <= 4, let number = Int64(Substring(part)) else { return nil }
            numbers.append(number)
        }
        guard (5...7).contains(numbers.count), (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
            numbers[3] < 24, numbers[4] < 60
        else { return nil }
        while numbers.count < 7 { numbers.append(0) }
        guard numbers[5] < 61, numbers[6] < 1_000 else { return nil }
        let minutes = (Self.days(numbers[0], numbers[1], numbers[2]) * 24 + numbers[3]) * 60 + numbers[4]
        milliseconds = (minutes * 60 + numbers[5]) * 1_000 + numbers[6]
    }

    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    var text: String {
        let (days, time) = Self.divided(milliseconds, by: Self.millisecondsPerDay)
        let (year, month, day) = Self.civil(days)
        let seconds = time / 1_000
        let fields = [(year, 4), (month, 2), (day, 2), (seconds / 3_600, 2), (seconds / 60 % 60, 2), (seconds % 60, 2)]
        let separators = ["-", "-", " ", ":", ":", "."]
        var text = ""
        for (field, separator) in zip(fields, separators) { text += Self.padded(field.0, field.1) + separator }
        return text + Self.padded(time % 1_000, 3)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private static func divided(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Days since 1970 of a date of the Gregorian calendar, whose years are counted from March, so that the leap day is
    /// the last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = divided(year, by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, day) = divided(days + 719_468, by: 146_097)
        let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
