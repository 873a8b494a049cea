package import Accounts

/// A member's choice for the forum, a category or a topic: to be told of comments there, or to be told of nothing.
package struct ForumFollow: Sendable, Hashable {
    /// The texts are stored and never change.
    package enum Scope: String, Sendable, Hashable, CaseIterable {
        /// The whole forum.
        case all
        case category, topic
    }

    /// The subject of a choice.
    package enum Subject: Sendable, Hashable {
        case all
        case category(OpaqueID)
        case topic(OpaqueID)
    }

    package var scope: Scope
    /// The ID of the category or topic, and its name or title; `nil` for the whole forum.
    package var id: OpaqueID?
    package var name: String?
    /// Whether the member follows it; otherwise they hear nothing of it.
    package var isOn: Bool

    /// Limit of the choices of a member.
    package static let maximumCount: Int64 = 5_000
}
