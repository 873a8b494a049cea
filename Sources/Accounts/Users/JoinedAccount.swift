/// An account in a statement of another domain, which refers to members by their IDs. The properties are parts of the
/// statement, so that it names no table and no column of the accounts.
package struct JoinedAccount: Sendable {
    /// The name that the statement gives to the account.
    package let name: String

    package init(as name: String = "account") { self.name = name }

    /// The table with its name, for a list of tables that ``condition(_:)`` connects.
    package var table: String { name == "account" ? "account" : "account AS \(name)" }

    /// The condition that it is the account whose ID a column has.
    package func condition(_ column: String) -> String { "\(name).id = \(column)" }

    /// Joins the account whose ID a column has; rows whose account was deleted are left out.
    package func join(_ column: String) -> String { "JOIN \(table) ON \(condition(column))" }

    /// Joins the account whose ID a column has; the parts of a deleted one are `NULL`.
    package func leftJoin(_ column: String) -> String { "LEFT \(join(column))" }

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
