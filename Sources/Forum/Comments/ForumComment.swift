package import Accounts
package import MediaCore

/// A comment in a topic.
package struct ForumComment: Sendable, Hashable, Identifiable {
    /// The texts are stored and never change.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case shown
        /// A moderator, or many reports, have hidden it.
        case hidden
        /// It keeps its place in the topic, without its text.
        case deleted
    }

    var number: Int64
    package var id: OpaqueID
    /// The ID of the topic, and its title.
    package var topic: OpaqueID
    package var topicTitle: String
    /// The position in the topic, from 1.
    package var place: Int64
    /// The account of the author; `nil` if it was deleted.
    package var author: UserID?
    /// The username of the author; `nil` if it is not shown.
    package var authorName: String?
    /// The version of the author's photo; `nil` without one.
    package var authorPhoto: String?
    /// The text, in lists its beginning; empty for a comment that is not shown to the reader.
    package var text: String
    /// Number of characters of the whole text.
    package var length: Int64
    package var state: State
    /// Whether the reader mutes or blocks the author.
    package var isMuted: Bool
    package var writtenAt: WallClockTime
    /// The last change; `nil` if it was not changed.
    package var editedAt: WallClockTime?

    /// Whether there is more text than ``text``.
    package var isCut: Bool { state != .deleted && Int64(text.unicodeScalars.count) < length }

    /// 1 MB.
    package static let maximumByteCount = 1_000_000
    /// Number of comments on a page.
    package static let pageSize = 20
    /// Number of characters of a comment in lists, so that a page of them stays below 1 MB.
    package static let listedCharacterCount = 10_000
    /// Limit of the comments that a comment can quote.
    package static let maximumQuoteCount = 20
}
