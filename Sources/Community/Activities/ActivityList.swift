/// A list of what has happened, for one member.
package enum ActivityList: String, Sendable, Hashable, CaseIterable {
    /// What others did: they follow the member, like the member's videos, comment on them or answer the member.
    case news
    /// What those whom the member follows like.
    case followed
    /// What the member likes.
    case own
}
