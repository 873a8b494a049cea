/// How a transaction begins.
struct PostgreSQLTransaction: Sendable {
    /// `nil` for reading.
    var durability: SQLDurability?
    var schema: String?

    /// Number of times that a transaction is tried that fails because of another one.
    static let maximumAttemptCount = 12

    /// The statements that begin it, sent together. Everything is set for this transaction only, so that a pooler may
    /// give the next one another connection.
    ///
    /// - Parameter milliseconds: time after which the server gives a statement up.
    func beginning(milliseconds: Int64) -> String {
        // Writers are serializable, so that a closure may decide by what it has read, as with SQLite's one writer.
        // Readers see one state.
        var statements = [
            durability == nil
                ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN ISOLATION LEVEL SERIALIZABLE",
            "SET LOCAL statement_timeout = \(max(1, milliseconds))",
            // Compiling a statement takes half a second, and each statement here reads a page.
            "SET LOCAL jit = off",
        ]
        if let schema { statements.append("SET LOCAL search_path TO \(PostgreSQLStatement.quoted(schema)), public") }
        if case .soon = durability { statements.append("SET LOCAL synchronous_commit = off") }
        return statements.joined(separator: "; ")
    }
}
