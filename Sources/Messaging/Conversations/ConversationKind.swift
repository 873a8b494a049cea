/// The kind of a conversation. The texts are stored and never change.
package enum ConversationKind: String, Sendable, Hashable {
    /// A conversation of two.
    case pair
    case group
}
