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

    /// Whether a token with these limits reaches a thing, if its owner may do it.
    func includes(_ action: Action, _ resource: Resource) -> Bool {
        guard actions.contains(action) else { return false }
        guard let channels else { return true }
        return resource.channel.map(channels.contains) ?? false
    }

    /// The limits as one line of text, which is the same for equal limits and different for others.
    package var identity: String {
        // Names of channels have no line breaks; the length keeps two lists of names apart.
        let names = channels.map { $0.sorted().map { "\($0.utf8.count):\($0)" }.joined(separator: ",") } ?? "*"
        return "\(actions) \(names)"
    }
}
