/// What everybody may know of a member.
package struct MemberProfile: Sendable, Hashable {
    package var username: String
    /// Number of the videos that lists show.
    package var videos: Int64
    package var followers: Int64
    package var followings: Int64
    /// Whether whoever asked follows them; `nil` for the reader, and for strangers.
    package var isFollowed: Bool?
}
