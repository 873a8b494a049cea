package import Accounts

/// A member's public profile.
package struct MemberProfile: Sendable, Hashable {
    package var id: UserID
    package var username: String
    /// Number of the videos that lists show.
    package var videos: Int64
    package var followers: Int64
    package var followings: Int64
    /// Whether the reader follows them; `nil` for the reader's own account, and for strangers.
    package var isFollowed: Bool?
    /// The member's description of themselves.
    package var about: String
    package var visibility: OwnProfile.Visibility
    /// Whether others see who follows whom.
    package var showsFollows: Bool
    package var state: ProfileState
    /// Whether the reader blocks or mutes them.
    package var isBlocked: Bool
    package var isMuted: Bool
    /// The version of their photo; `nil` without one.
    package var photo: String?
}
