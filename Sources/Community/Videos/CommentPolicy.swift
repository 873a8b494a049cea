/// The policy for comments on a video.
package enum CommentPolicy: String, Sendable, Hashable, CaseIterable {
    case open
    /// A comment is shown after the owner of the video has approved it.
    case approval
    case closed
}
