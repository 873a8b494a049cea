/// A failure of the database, with a reason that says what to do.
package struct SQLError: Error, Hashable, CustomStringConvertible {
    /// The kinds of failure that callers distinguish.
    package enum Code: Hashable, Sendable {
        /// The database cannot be reached or does not answer in time. Nothing was changed; the same call may work
        /// later.
        case unavailable
        /// The connection broke while a transaction was committed: it may have been carried out or not.
        case outcomeUnknown
        /// A unique index, a foreign key or a check refused the change.
        case constraint
        /// The database was written by a newer version of Antena.
        case newerSchema
        /// The file is damaged or is not a database.
        case damaged
        /// The disk of the database is full. Nothing was changed; the same call works when there is room again.
        case diskFull
        /// The database does not take changes, such as for lack of a permission.
        case notWritable
        /// A row holds a value that the caller did not expect.
        case unexpectedValue
        /// The address of the database is not valid, or not supported.
        case invalidAddress
        /// Anything else: usually a mistake in a statement.
        case failed
    }

    package var code: Code
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }

    /// Whether the same call may work later although nobody changes it.
    package var isTemporary: Bool { code == .unavailable || code == .diskFull }

    /// The time after which a client should repeat a request that failed because of ``Code/unavailable``.
    package static let retryDelay = Duration.seconds(2)
}
