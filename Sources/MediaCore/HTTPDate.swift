/// Dates in HTTP headers, and RFC 3339 timestamps.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses `Mon, 23 Nov 2026 08:53:02 GMT` (RFC 9110 §5.6.7); `nil` for anything else.
    package static func time(ofHeader text: String) -> WallClockTime? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        return time(year: words[3], month: "\(month + 1)", day: words[1], clock: words[4])
    }

    /// The text of a time in a header, such as `Mon, 23 Nov 2026 08:53:02 GMT` (RFC 9110 §5.6.7); parts of a second do
    /// not count.
    package static func header(_ time: WallClockTime) -> String {
        let seconds = time.millisecondsSince1970.dividingFloor(by: 1_000)
        let days = seconds.dividingFloor(by: 86_400)
        let (date, rest) = (CivilDate(daysSince1970: days), seconds - days * 86_400)
        func padded(_ number: Int64, _ count: Int = 2) -> String {
            String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
        }
        // 1970-01-01 was a Thursday, the first name.
        let weekday = weekdays[Int(days - days.dividingFloor(by: 7) * 7)]
        let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map { padded($0) }.joined(separator: ":")
        return "\(weekday), \(padded(date.day)) \(months[Int(date.month) - 1]) \(padded(date.year, 4)) \(clock) GMT"
    }

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// Parses `2026-11-23T08:53:02Z` (RFC 3339), with or without parts of a second; `nil` for anything else.
    package static func time(ofTimestamp text: String) -> WallClockTime? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[1].hasSuffix("Z") else { return nil }
        let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard date.count == 3 else { return nil }
        return time(year: date[0], month: date[1], day: date[2], clock: halves[1].dropLast().prefix { $0 != "." })
    }

    private static func time(
        year: Substring, month: Substring, day: Substring, clock: Substring
    ) -> WallClockTime? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = Int64(digits: year), (1970...9999).contains(year),
            let month = Int64(digits: month), (1...12).contains(month), let day = Int64(digits: day),
            (1...31).contains(day), let hour = Int64(digits: parts[0]), hour < 24,
            let minute = Int64(digits: parts[1]), minute < 60, let second = Int64(digits: parts[2]), second <= 60
        else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        return WallClockTime(secondsSince1970: days * 86_400 + hour * 3_600 + minute * 60 + second)
    }
}
