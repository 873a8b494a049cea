/// The kind of an activity.
package enum ActivityKind: String, Sendable, Hashable, CaseIterable {
    /// A new follower.
    case follower
    /// A like of a video.
    case like
    /// A comment on a video of the member.
    case comment
    /// An answer to a comment of the member.
    case reply
}
