/// A part of a list of topics, with the cursors of the parts before and after it.
package struct ForumTopicPage: Sendable {
    package var items: [ForumTopic]
    /// `nil` at the end of the list.
    package var next: String?
    /// `nil` at the beginning of the list.
    package var previous: String?

    package static let empty = ForumTopicPage(items: [])
}
