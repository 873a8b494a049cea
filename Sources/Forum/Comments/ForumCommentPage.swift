/// The comments on a page of a topic, in the order in which they were written.
package struct ForumCommentPage: Sendable {
    package var items: [ForumComment]
    /// The cursor of the next page; `nil` at the end of the topic.
    package var next: String?
}
