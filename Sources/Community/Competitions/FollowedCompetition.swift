package import MediaCore

/// A competition that a member follows.
package struct FollowedCompetition: Sendable, Hashable {
    package var competition: Competition
    package var followedAt: WallClockTime
    /// The position in the member's list.
    var number: Int64

    /// Limit of those in the export of a member's data.
    package static let maximumExportCount = 10_000
}
