package import Accounts

/// An event of the community that others may be notified of.
package enum CommunityDeed: Sendable, Hashable {
    /// A video is in lists now, for the first time or again.
    case published(_ video: OpaqueID, by: UserID?)
    case liked(_ video: OpaqueID, by: UserID)
    /// A comment is shown now.
    case commented(_ comment: OpaqueID, on: OpaqueID, by: UserID?)
    case followed(_ member: UserID, by: UserID)
    /// A moderator has decided about a video or comment of a member.
    case decided(_ decision: ModerationDecision, _ kind: ReportedKind, _ subject: OpaqueID, owner: UserID)
    /// A report about a video, a comment on a video, or the profile of a member. The reporter is not named.
    case reported(_ kind: ReportedKind, _ subject: OpaqueID, video: OpaqueID?, owner: UserID?)
    /// A video, and what a member has sent to make it, is gone for good.
    case removed(_ video: OpaqueID?, upload: OpaqueID?)
    /// The server has made a title of a member's upload, or cannot.
    case prepared(_ upload: OpaqueID, name: String, owner: UserID, plays: Bool)
}
