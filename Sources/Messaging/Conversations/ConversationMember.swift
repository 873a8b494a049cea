package import MediaCore

/// A member of a conversation, as other members see them.
package struct ConversationMember: Sendable, Hashable {
    package var member: NamedMember
    package var role: ConversationRole
    package var joinedAt: WallClockTime
    /// The last message that they have received, and read; `nil` if they or the reader send no marks.
    package var deliveredThrough: Int64?
    package var readThrough: Int64?
}
