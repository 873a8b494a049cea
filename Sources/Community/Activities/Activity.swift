package import Accounts
package import MediaCore

/// An activity in the community.
package struct Activity: Sendable, Hashable {
    /// The number of the row that the list is ordered by.
    var number: Int64
    package var kind: ActivityKind
    /// The username of the one who did it.
    package var actor: String
    /// The ID of the video that it is about; `nil` for a follower.
    package var video: OpaqueID?
    package var videoName: String?
    /// The ID of the comment; `nil` for what is none.
    package var comment: OpaqueID?
    /// The text of the comment.
    package var text: String?
    package var happenedAt: WallClockTime
}
