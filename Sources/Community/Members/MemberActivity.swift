package import Accounts
package import MediaCore

/// A member's community activity, for the export of the member's data.
package struct MemberActivity: Sendable {
    package struct Publication: Sendable {
        package var id: OpaqueID
        package var name: String
        package var publishedAt: WallClockTime
    }

    package struct Like: Sendable {
        package var video: OpaqueID
        package var likedAt: WallClockTime
    }

    package struct Remark: Sendable {
        package var id: OpaqueID
        package var video: OpaqueID
        package var text: String
        package var writtenAt: WallClockTime
    }

    package struct Report: Sendable {
        package var kind: String
        package var subject: OpaqueID
        package var reason: String
        package var text: String
        package var reportedAt: WallClockTime
    }

    package var videos: [Publication] = []
    package var likes: [Like] = []
    package var comments: [Remark] = []
    package var reports: [Report] = []
    /// The usernames of the members whom the member follows.
    package var followings: [String] = []
    package var profile = OwnProfile()
    /// The usernames of blocked and muted members.
    package var blocked: [String] = []
    package var muted: [String] = []
    /// Moderators' decisions about the member.
    package var records: [ModerationRecord] = []

    /// Limit of each list: an export is made in memory.
    package static let maximumCount = 10_000
}
