package import Accounts
package import MediaCore

/// A member's comment on a video, or an answer to such a comment.
package struct VideoComment: Sendable, Hashable, Identifiable {
    /// Rises with each comment.
    var number: Int64
    package var id: OpaqueID
    /// The ID of the video.
    package var video: OpaqueID
    /// The comment that it answers; `nil` for one about the video.
    package var parent: OpaqueID?
    /// The account of the author; `nil` if it was deleted.
    package var author: UserID?
    /// The username of the author.
    package var authorName: String?
    /// Empty for a comment that was deleted.
    package var text: String
    package var state: CommentState
    /// Number of answers that are shown.
    package var replies: Int64
    package var writtenAt: WallClockTime
    /// The last change; `nil` if it was not changed.
    package var editedAt: WallClockTime?
    /// The version of the author's photo; `nil` without one.
    package var authorPhoto: String?

    /// In characters.
    package static let lengths = 1...10_000
    /// In Unicode scalars: a character has more than one if it has accents of its own.
    package static let maximumScalarCount = 20_000
}
