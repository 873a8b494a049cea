/// A moderator's decision on a reported item.
package enum ModerationDecision: String, Sendable, Hashable, CaseIterable {
    /// It is shown as it was before; the reports about it are settled.
    case restored
    /// It stays hidden.
    case hidden
    /// It goes for good.
    case deleted
}
