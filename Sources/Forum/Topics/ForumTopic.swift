package import Accounts
package import MediaCore

/// A topic of the forum. Its contents are its comments, of which the first one is its author's.
package struct ForumTopic: Sendable, Hashable, Identifiable {
    /// The texts are stored and never change.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case shown
        /// A moderator, or many reports, have hidden it.
        case hidden
        /// It is gone, and its comments are being removed.
        case deleted
    }

    /// Rises with each topic.
    var number: Int64
    package var id: OpaqueID
    package var category: ForumCategory
    package var title: String
    /// The account of the author; `nil` if it was deleted.
    package var author: UserID?
    /// The username of the author; `nil` if it is not shown.
    package var authorName: String?
    /// The version of the author's photo; `nil` without one.
    package var authorPhoto: String?
    package var state: State
    /// Whether only moderators may comment.
    package var isLocked: Bool
    /// Whether it is in front of the other topics of its category.
    package var isPinned: Bool
    /// Number of the comments that are shown.
    package var comments: Int64
    /// The number of the last comment, those that were deleted included.
    package var places: Int64
    package var createdAt: WallClockTime
    /// The time of the last comment.
    package var lastAt: WallClockTime
    /// The last change of the title; `nil` if it was not changed.
    package var editedAt: WallClockTime?
    /// Rises with each change of the topic itself.
    package var revision: Int64

    /// The lengths of a title in characters, without blanks at its ends.
    package static let titleLengths = 6...200
    /// Number of topics on a page.
    package static let pageSize = 50
}
