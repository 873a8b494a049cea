/// How a member takes part in a conversation. The texts are stored and never change.
package enum ConversationState: String, Sendable, Hashable {
    case active
    /// A stranger has written, and the member has not accepted it yet.
    case request
    /// The member does not want to hear from the stranger, who is not told.
    case refused
}
