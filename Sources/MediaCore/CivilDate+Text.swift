extension CivilDate: CustomStringConvertible {
    /// Parses a date such as `2026-07-17` (RFC 3339, `full-date`).
    ///
    /// - Returns: `nil` for any other form, a year before 1, and a day that the month does not have.
    package init?(parsing text: some StringProtocol) {
        let parts = Substring(text).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], let year = Int64(digits: parts[0]), year >= 1,
            let month = Int64(digits: parts[1]), (1...12).contains(month), let day = Int64(digits: parts[2]),
            (1...31).contains(day)
        else { return nil }
        self.init(year: year, month: month, day: day)
        // A day that the month does not have counts into the next month.
        guard CivilDate(daysSince1970: daysSince1970) == self else { return nil }
    }

    /// The date as in RFC 3339, such as `2026-07-17`.
    package var description: String {
        func digits(_ number: Int64, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    }
}
