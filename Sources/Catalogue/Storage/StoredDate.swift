import Foundation
import MediaCore

/// A time in the catalogue's tables: text such as `2026-11-23 04:15:00.123` in UTC.
///
/// New tables store milliseconds as integers. The catalogue keeps its text, so that the version before this one works
/// with the same file.
struct StoredDate: Sendable, Hashable {
    /// Milliseconds since 1970.
    let milliseconds: Int64

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
        let days = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]).daysSince1970
        let minutes = (days * 24 + numbers[3]) * 60 + numbers[4]
        milliseconds = (minutes * 60 + numbers[5]) * 1_000 + numbers[6]
    }

    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    var text: String {
        let time = CivilTime(millisecondsSince1970: milliseconds)
        return "\(time.date) \(time.clockText)"
    }
}
