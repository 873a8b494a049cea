package import Accounts
package import MediaCore

/// A conversation as one of its members sees it.
package struct Conversation: Sendable, Hashable {
    package var number: Int64
    package var id: OpaqueID
    package var kind: ConversationKind
    /// The name of a group; `nil` for a conversation of two.
    package var name: String?
    /// The other member of a conversation of two; `nil` in groups, and for a deleted account.
    package var other: NamedMember?
    package var createdAt: WallClockTime
    package var memberCount: Int64
    package var role: ConversationRole
    package var state: ConversationState
    package var isMuted: Bool
    /// The number of the last message, and of the last change.
    package var lastSequence: Int64
    package var lastChange: Int64
    /// The last message that the member has read.
    package var readThrough: Int64
    /// Number of unread messages, counted up to ``MessagingLimits/unreadCount``.
    package var unread: Int64
    /// The last message that the member sees; `nil` without one.
    package var lastMessage: ConversationMessage?
    /// The place in the order of the member's last messages.
    package var activity: Int64
    /// The member's revision when something of it has changed last.
    package var revision: Int64
    /// The row number of ``lastMessage``.
    var lastMessageNumber: Int64?
}
