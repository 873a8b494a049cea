package import Accounts

/// Something that happened in the community and that others may want to know.
package enum CommunityDeed: Sendable, Hashable {
    /// A video is in lists now, for the first time or again.
    case published(_ video: OpaqueID, by: UserID?)
    case liked(_ video: OpaqueID, by: UserID)
    /// A comment is shown now.
    case commented(_ comment: OpaqueID, on: OpaqueID, by: UserID?)
    case followed(_ member: UserID, by: UserID)
    /// A moderator has decided about a video or comment of a member.
    case decided(_ decision: ModerationDecision, _ kind: ReportedKind, _ subject: OpaqueID, owner: UserID)
    /// The server has made a title of what a member has sent, or cannot.
    case prepared(_ upload: OpaqueID, name: String, owner: UserID, plays: Bool)
}
