package import MediaCore

/// A set of actions, such as those that a token may carry out.
package struct ActionSet: OptionSet, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package init(_ actions: some Sequence<Action>) {
        rawValue = actions.reduce(0) { $0 | 1 << UInt16($1.position) }
    }

    /// The actions that need their owner's password when a token is made that may carry them out: a session that was
    /// left open must not become a credential that outlives it, spends credits or changes what others see.
    package static let confirmedByPassword = ActionSet([.rent, .manage, .administer])

    /// All actions.
    package static let all = ActionSet(Action.allCases)

    package func contains(_ action: Action) -> Bool { rawValue & 1 << UInt16(action.position) != 0 }

    /// The actions in the order of their declaration.
    package var actions: [Action] { Action.allCases.filter(contains) }

    /// Parses the names of actions, such as `read,publish`.
    ///
    /// - Throws: `Refusal` with the name that is not an action.
    package init(parsing text: String) throws(Refusal) {
        var found: [Action] = []
        for name in text.split(separator: ",") {
            guard let action = Action(rawValue: String(name)) else {
                throw Refusal(
                    .invalidField,
                    "there is no permission \(Refusal.quoted(String(name))); the permissions are "
                        + Action.allCases.map(\.rawValue).joined(separator: ", "),
                    fields: ["permissions"])
            }
            found.append(action)
        }
        self.init(found)
    }

    /// The names of the actions, separated by commas; ``init(parsing:)`` reads it.
    package var description: String { actions.map(\.rawValue).joined(separator: ",") }
}
