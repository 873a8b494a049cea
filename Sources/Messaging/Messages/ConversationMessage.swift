package import Accounts
package import MediaCore

/// A message of a conversation as a member of it sees it.
package struct ConversationMessage: Sendable, Hashable {
    /// The row number, by which searches are paged.
    package var number: Int64
    /// The ID of the conversation.
    package var conversation: OpaqueID
    /// The position in the conversation, from 1 without gaps.
    package var sequence: Int64
    /// The number of the conversation's change that has made the message what it is.
    package var change: Int64
    package var clientID: String
    /// `nil` for a deleted account.
    package var sender: NamedMember?
    package var kind: MessageKind
    /// The text, the name of a place, or the new name of a group.
    package var text: String
    /// The recommended contact, or the member who was added or removed; `nil` for a deleted account.
    package var subject: NamedMember?
    package var latitude: Double?
    package var longitude: Double?
    package var sentAt: WallClockTime
    /// Whether its sender has deleted it for everybody. Nothing of its content is left.
    package var isDeleted: Bool
}
