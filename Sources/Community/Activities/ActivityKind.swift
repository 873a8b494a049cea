/// What has happened.
package enum ActivityKind: String, Sendable, Hashable, CaseIterable {
    /// Somebody follows the member.
    case follower
    /// Somebody likes a video.
    case like
    /// Somebody comments on a video of the member.
    case comment
    /// Somebody answers a comment of the member.
    case reply
}
