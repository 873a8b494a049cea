package import MediaCore

/// The filter of a list of competitions.
package struct CompetitionFilter: Sendable, Hashable {
    /// When competitions end.
    package enum Period: Sendable, Hashable {
        case any
        /// Competitions that are not over at that time.
        case endingAfter(WallClockTime)
        /// Competitions that are over at that time.
        case ended(by: WallClockTime)
    }

    package var period: Period
    /// Words or parts of words that the name has, regardless of case and accents; `nil` for all.
    package var text: String?

    /// Limit of the words of a search; those after them are ignored.
    static let maximumWordCount = 8

    package init(_ period: Period = .any, text: String? = nil) { (self.period, self.text) = (period, text) }
}
