/// A list of a member's conversations.
package enum ConversationList: String, Sendable, Hashable, CaseIterable {
    /// Conversations with messages, the one with the last message first.
    case recent
    /// First messages of strangers, which wait for the member to accept them.
    case requests
    /// All conversations, the newest first.
    case all
}
