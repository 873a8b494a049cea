package import Accounts
package import MediaCore

/// A reported item, in the queue of moderators.
package struct ModeratedItem: Sendable, Hashable {
    package var kind: ReportedKind
    /// The ID of the video, comment or account.
    package var subject: OpaqueID
    /// The account of its owner.
    var owner: UserID?
    /// The username of its owner; `nil` for the station and for accounts that were deleted.
    package var ownerName: String?
    /// The name of the video, the text of the comment, or what the member says about themselves.
    package var text: String
    /// Whether it is hidden.
    package var isHidden: Bool
    /// Number of members whose reports are open.
    package var reports: Int64
    /// The first of the open reports.
    package var reportedAt: WallClockTime
    /// The moderator who deals with it, until ``claimedUntil``; `nil` for nobody.
    package var claimedBy: String?
    package var claimedUntil: WallClockTime?
    /// The last decision; `nil` before the first.
    package var decision: ModerationDecision?
    package var decisionNote: String?
    package var decidedAt: WallClockTime?
    /// The owner's appeal against the decision; `nil` for none.
    package var appeal: String?
    package var appealedAt: WallClockTime?

    /// For what is written about a decision and against it, in characters.
    package static let maximumNoteLength = 1_000
    /// The time for which a moderator deals with an item alone.
    package static let claimTime = Duration.seconds(15 * 60)
}
