import Database

/// An account in a statement of another domain, which refers to members by their IDs.
package struct JoinedAccount: JoinedRow {
    package static let (tableName, keyColumn) = ("account", "id")
    package let name: String

    package init(as name: String = tableName) { self.name = name }

    package var id: String { "\(name).id" }
    package var username: String { "\(name).username" }
    /// The username as it is compared and sorted; see `CaselessKey`.
    package var usernameKey: String { "\(name).usernameKey" }
    /// The version of the photo; may be `NULL`.
    package var photo: String { "\(name).photo" }
    /// A raw value of ``Role``.
    package var role: String { "\(name).role" }
    /// A raw value of ``AccountState``.
    package var state: String { "\(name).state" }

    /// The condition that the account is active.
    package var isActive: String { "\(state) = '\(AccountState.active.rawValue)'" }

    /// The condition that the account can be used at a time; see ``AccountState/usableCondition(_:at:)``.
    ///
    /// - Parameter time: the parameter of the time, such as `?1`.
    package func isUsable(at time: String) -> String { AccountState.usableCondition(name, at: time) }

    /// The condition that the account is suspended at a time.
    ///
    /// - Parameter time: the parameter of the time, such as `?1`.
    package func isSuspended(at time: String) -> String {
        """
        \(state) = '\(AccountState.suspended.rawValue)'
            AND (\(name).suspendedUntil IS NULL OR \(name).suspendedUntil > \(time))
        """
    }
}
