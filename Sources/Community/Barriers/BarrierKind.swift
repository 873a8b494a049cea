/// The kind of a barrier between two members.
package enum BarrierKind: String, Sendable, Hashable, CaseIterable {
    /// The other one cannot follow the member, like or comment on the member's videos, or answer the member; and is
    /// muted.
    case block
    /// The member does not see the other one's comments, and not the other one's videos in feeds.
    case mute
}
