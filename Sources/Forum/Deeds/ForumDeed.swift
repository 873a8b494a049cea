package import Accounts

/// An event of the forum that others may be told of.
package enum ForumDeed: Sendable, Hashable {
    /// A topic was begun. Its author decides whether members are notified.
    case began(topic: OpaqueID, by: UserID, notifies: Bool)
    /// A comment was written in a topic that exists.
    case commented(_ comment: OpaqueID, topic: OpaqueID, by: UserID, notifies: Bool)
    /// A topic or a comment was changed, hidden or deleted. Nobody is notified.
    case changed(topic: OpaqueID)
    /// A topic is gone for good.
    case removed(topic: OpaqueID)
}
