import MediaCore

/// Whether an account can be used.
package enum AccountState: String, Sendable, Hashable, CaseIterable {
    /// The link in a mail has not been followed yet.
    case awaitingConfirmation
    /// An administrator has to approve the account.
    case awaitingApproval
    case active
    /// An administrator or moderator has locked the account, for some time or without end. Its sessions and tokens do
    /// not work meanwhile. The state may stay for up to a minute after the end, during which the account can be used.
    case suspended

    /// Whether a suspension goes on at a time.
    ///
    /// - Parameter end: its end; `nil` for one without end.
    static func isSuspended(until end: WallClockTime?, at time: WallClockTime) -> Bool {
        end.map { time < $0 } ?? true
    }

    /// The condition of SQL that an account can be used at a time, whether or not the end of its suspension was written
    /// down since.
    ///
    /// - Parameters:
    ///   - table: the name of the accounts in the statement.
    ///   - time: the parameter of the time, such as `?1`.
    package static func usableCondition(_ table: String, at time: String) -> String {
        "(\(table).state = 'active' OR \(table).state = 'suspended' AND \(table).suspendedUntil <= \(time))"
    }
}
