/// A list of activities, for one member.
package enum ActivityList: String, Sendable, Hashable, CaseIterable {
    /// Activity of others: they follow the member, like the member's videos, comment on them or answer the member.
    case news
    /// Likes of the members that the member follows.
    case followed
    /// The member's own likes.
    case own
}
