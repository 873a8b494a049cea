package import MediaCore

/// A member's report, as moderators see it.
package struct ItemReport: Sendable, Hashable {
    package var reason: ReportReason
    package var text: String
    package var reportedAt: WallClockTime
    /// When a moderator has decided about it; `nil` if it is open.
    package var decidedAt: WallClockTime?

    /// In characters.
    package static let maximumTextLength = 1_000
    /// Limit of the reports that the list of one item shows.
    package static let maximumListedCount = 100
}
