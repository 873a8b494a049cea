/// A session of ``PostgreSQLDatabase`` inside a transaction.
struct PostgreSQLConnection: SQLConnection {
    private let session: PostgreSQLSession
    private let isPrepared: Bool
    private let address: String
    private let commitCalls = CommitCalls()

    /// The calls to be made after the commit. Belongs to the session's thread.
    private final class CommitCalls {
        var bodies: [@Sendable () -> Void] = []
    }

    var dialect: SQLDialect { .postgreSQL }

    /// - Parameter isPrepared: whether statements are prepared once for each session.
    init(_ session: PostgreSQLSession, isPrepared: Bool, address: String) {
        self.session = session
        self.isPrepared = isPrepared
        self.address = address
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLError) -> Int {
        let result = try run(sql, arguments)
        defer { result.clear() }
        return result.changedCount
    }

    func forEachRow(_ sql: String, _ arguments: [SQLValue], _ body: (SQLRow) throws -> Void) throws {
        let result = try run(sql, arguments)
        defer { result.clear() }
        let positions = SQLColumnPositions { result.columnNames }
        for row in 0..<result.rowCount {
            positions.beginRow()
            try body(SQLRow(PostgreSQLRow(result: result, row: row), positions))
        }
    }

    func afterCommit(_ body: @escaping @Sendable () -> Void) { commitCalls.bodies.append(body) }

    /// Calls what waits for the commit.
    func noteCommit() {
        let bodies = commitCalls.bodies
        commitCalls.bodies = []
        for body in bodies { body() }
    }

    private func run(_ sql: String, _ arguments: [SQLValue]) throws(SQLError) -> PostgreSQLResult {
        do {
            // Definitions run once, and cannot be prepared.
            return try session.run(
                session.translated(sql), arguments, isPrepared: isPrepared && !arguments.isEmpty)
        } catch {
            throw error.error(address: address)
        }
    }
}
