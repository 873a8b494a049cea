/// The part of its owner's rights that a token has.
package struct Scope: Sendable, Hashable {
    /// The actions that the token may carry out if its owner may.
    package var actions: ActionSet
    /// The channels to which the token is limited; `nil` for no limit. A limited token may do nothing else than what
    /// the scope says with these channels and their matches.
    package var channels: Set<String>?

    package init(actions: ActionSet, channels: Set<String>? = nil) {
        self.actions = actions
        self.channels = channels
    }

    /// No limit beyond the owner's rights.
    package static let full = Scope(actions: .all)
}
