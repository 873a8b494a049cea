package import MediaCore

/// A member's vote for a title.
package struct MemberVote: Sendable, Hashable {
    /// The ID of the title.
    package var title: String
    /// The name of the title that people see.
    package var name: String
    package var rating: Int
    package var votedAt: WallClockTime
}
