/// A connection inside a transaction: what the closures of ``SQLDatabase`` get. It must not leave them.
///
/// Statements are written once for all engines: parameters are `?1`, `?2`, …; what the engines spell differently comes
/// from ``dialect``. Identifiers are not quoted, so that their case does not matter.
package protocol SQLConnection {
    var dialect: SQLDialect { get }

    /// Executes one statement.
    ///
    /// - Returns: number of rows that were inserted, updated or deleted.
    /// - Throws: ``SQLError``.
    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLError) -> Int

    /// Executes one statement and passes its rows to `body` in their order.
    ///
    /// - Throws: ``SQLError``, and any error of `body`, which ends the loop.
    func forEachRow(_ sql: String, _ arguments: [SQLValue], _ body: (SQLRow) throws -> Void) throws

    /// Has a closure called once the transaction is committed, on a thread of the database: others see the rows then.
    /// It is not called if the transaction is given up, and must not wait.
    func afterCommit(_ body: @escaping @Sendable () -> Void)
}

extension SQLConnection {
    /// Executes one statement whose arguments are written out.
    ///
    /// - Returns: number of rows that were inserted, updated or deleted.
    /// - Throws: ``SQLError``.
    @discardableResult package func execute(_ sql: String, _ arguments: SQLValue...) throws(SQLError) -> Int {
        try execute(sql, arguments)
    }

    /// The rows of a statement, each converted by `convert`.
    package func rows<Row>(
        _ sql: String, _ arguments: [SQLValue] = [], _ convert: (SQLRow) throws -> Row
    ) throws -> [Row] {
        var rows: [Row] = []
        try forEachRow(sql, arguments) { rows.append(try convert($0)) }
        return rows
    }

    /// The first row of a statement that gives at most a few rows; `nil` if there is none.
    package func first<Row>(
        _ sql: String, _ arguments: [SQLValue] = [], _ convert: (SQLRow) throws -> Row
    ) throws -> Row? {
        var first: Row?
        try forEachRow(sql, arguments) { row in if first == nil { first = try convert(row) } }
        return first
    }

    /// The first column of the first row; `nil` if there is no row or the value is `NULL`.
    package func firstValue<Value: SQLReadable>(_ sql: String, _ arguments: SQLValue...) throws -> Value? {
        try first(sql, arguments) { row in try row.optional(0) } ?? nil
    }

    /// Whether the statement gives a row.
    package func exists(_ sql: String, _ arguments: SQLValue...) throws -> Bool {
        try first(sql, arguments) { _ in true } ?? false
    }

    /// How the engine carries out a statement, as lines of text; for tests that a list uses an index.
    package func plan(of sql: String, _ arguments: [SQLValue] = []) throws -> [String] {
        try rows(dialect.explanation(of: sql), arguments) { row in try row.value(dialect.explanationColumn) }
    }

    /// Whether the database has a table with this name.
    package func hasTable(_ name: String) throws -> Bool { try exists(dialect.tableQuery, .text(name)) }

    /// Whether a table has a column with this name.
    func hasColumn(_ name: String, in table: String) throws -> Bool {
        try exists(dialect.columnQuery, .text(table), .text(name))
    }
}
