import Database

extension SQLRow {
    /// The result of a condition: a number on one engine, `t` or `f` on the other.
    func boolean(_ name: String) throws(SQLError) -> Bool {
        switch try any(name, as: .integer) {
        case .integer(let number): number != 0
        case .text(let text): text == "t"
        case let other: throw SQLError(.unexpectedValue, "column `\(name)` of a row is not a condition: \(other)")
        }
    }

    func role(_ name: String) throws(SQLError) -> Role {
        let text: String = try value(name)
        guard let role = Role(rawValue: text) else {
            throw SQLError(.unexpectedValue, "an account has the unknown role \(text)")
        }
        return role
    }

    func state(_ name: String) throws(SQLError) -> AccountState {
        let text: String = try value(name)
        guard let state = AccountState(rawValue: text) else {
            throw SQLError(.unexpectedValue, "an account has the unknown state \(text)")
        }
        return state
    }

    /// A set of actions. Names that a newer version has written are left out, so that nothing more is allowed.
    func actions(_ name: String) throws(SQLError) -> ActionSet {
        let text: String = try value(name)
        return ActionSet(text.split(separator: ",").compactMap { Action(rawValue: String($0)) })
    }
}
