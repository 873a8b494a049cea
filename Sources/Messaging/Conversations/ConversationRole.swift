/// The role of a member in a group. The texts are stored and never change.
package enum ConversationRole: String, Sendable, Hashable {
    case member
    /// May change the group, and add and remove members.
    case admin
}
