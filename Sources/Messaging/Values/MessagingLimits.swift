/// Limits of contacts, conversations and messages, all of which `GET /api/v1/about` tells.
package enum MessagingLimits {
    /// Limit of a message's text in characters.
    package static let messageLength = 20_000
    /// Limit of a message's text in bytes of UTF-8: a character may consist of many.
    static let messageByteCount = 160_000
    package static let invitationLength = 1_000
    package static let groupNameLength = 100
    /// Limit of the members of a group.
    package static let groupMemberCount = 256
    /// Limit of the messages that a member sends in ``messageWindow``.
    package static let messageCount = 60
    package static let messageWindow = Duration.seconds(60)
    /// Limit of the invitations that a member sends in ``invitationWindow``.
    package static let invitationCount = 20
    package static let invitationWindow = Duration.seconds(86_400)
    /// The time after which somebody who has refused may be invited again.
    package static let refusalTime = Duration.seconds(30 * 86_400)
    /// Limit of the contacts of a member.
    package static let contactCount = 5_000
    /// Limit of the conversations of a member, so that nobody makes them without end.
    package static let conversationCount = 10_000
    /// Limit of the messages to somebody who has not accepted the conversation yet.
    package static let requestMessageCount = 3
    /// Limit of the searches by e-mail address or telephone number that a member makes in ``findWindow``.
    package static let findCount = 20
    package static let findWindow = Duration.seconds(3_600)
    /// The largest conversation in which others are told of read marks as they are set.
    static let markAudience = 16
    /// Limit of the number that shows unread messages.
    package static let unreadCount = 100
    /// Limit of the ID that a client gives a message.
    package static let clientIDLength = 64
}
