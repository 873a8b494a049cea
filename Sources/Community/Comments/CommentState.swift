/// Whether a comment is shown.
package enum CommentState: String, Sendable, Hashable, CaseIterable {
    case shown
    /// Waits for the owner of the video or a moderator, who approve it.
    case held
    /// Was hidden by reports or by a moderator.
    case hidden
    /// Was deleted, and has answers that were not.
    case deleted
}
