import Foundation
package import MediaCore
import Synchronization

/// A database on a PostgreSQL server (15 or newer), through libpq.
///
/// Each call is one transaction on one connection of a pool, and ends at its deadline even if the server stops to
/// answer. Nothing is kept in a connection from one transaction to the next except prepared statements, and those are
/// given up if a pooler such as PgBouncer does not support them.
package final class PostgreSQLDatabase: SQLDatabase {
    private let postgres: PostgreSQLAddress
    private let workers: PostgreSQLWorkers
    /// Shared by the closures of calls.
    private let state = State()

    private final class State: Sendable {
        let preparesStatements = Mutex(true)
        let turns = PostgreSQLTurns()
    }

    package var dialect: SQLDialect { .postgreSQL }
    package var address: String { postgres.description }

    /// Oldest version of the server, as libpq counts.
    private static let oldestServerVersion = 150_000

    /// Does not connect.
    package init(_ address: PostgreSQLAddress) {
        postgres = address
        workers = PostgreSQLWorkers(address)
    }

    deinit { workers.close() }

    package func read<Result: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await run(PostgreSQLTransaction(durability: nil, schema: postgres.schema), within: limit, body)
    }

    package func write<Result: Sendable>(
        durability: SQLDurability, within limit: Duration,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await run(PostgreSQLTransaction(durability: durability, schema: postgres.schema), within: limit, body)
    }

    /// The transactions that are over: each that changes something changes it when it begins to and when it ends.
    package func commitMarker() async throws -> String {
        try await read(within: SQLTimeLimit.request) { db in
            try db.firstValue("SELECT pg_current_snapshot()::text") as String? ?? ""
        }
    }

    /// A commit that waits for the log also waits for all commits before it.
    package func makeDurable() async throws {
        try await write(durability: .onDisk, within: SQLTimeLimit.request) { db in
            // Only a transaction with a number writes to the log.
            _ = try db.firstValue("SELECT pg_current_xact_id()::text") as String?
        }
    }

    /// Does nothing: backups of a server are its administrator's.
    package func prepareMigration(at time: WallClockTime) async throws {}

    /// Checks the server's version and creates the configured schema if it does not exist.
    ///
    /// - Throws: ``SQLError`` if the server is too old, or the role may not create the schema.
    package func prepare() async throws {
        do {
            try await createSchema()
        } catch let error as SQLError where error.code == .constraint {
            // Another program has created the schema at the same moment.
            try await createSchema()
        }
    }

    /// Checks the server's version without changing anything.
    ///
    /// - Throws: ``SQLError`` if the server is too old or cannot be reached.
    package func requireSupportedVersion() async throws {
        try await read(within: SQLTimeLimit.request) { [postgres] db in
            try Self.requireSupportedVersion(postgres, db)
        }
    }

    private static func requireSupportedVersion(
        _ postgres: PostgreSQLAddress, _ db: any SQLConnection
    ) throws {
        let version: Int64? = try db.firstValue("SELECT current_setting('server_version_num')::bigint")
        guard let version, version >= oldestServerVersion else {
            throw SQLError(
                .invalidAddress,
                """
                the database \(postgres.description) is PostgreSQL \((version ?? 0) / 10_000); Antena needs \
                \(oldestServerVersion / 10_000) or newer
                """)
        }
    }

    private func createSchema() async throws {
        try await write(durability: .onDisk, within: SQLTimeLimit.request) { [postgres] db in
            try Self.requireSupportedVersion(postgres, db)
            guard let schema = postgres.schema,
                try !db.exists("SELECT 1 FROM pg_namespace WHERE nspname = ?1", .text(schema))
            else { return }
            try db.execute("CREATE SCHEMA IF NOT EXISTS \(PostgreSQLStatement.quoted(schema))")
        }
    }

    package func close() async { workers.close() }

    // MARK: Transactions

    private func run<Value: Sendable>(
        _ transaction: PostgreSQLTransaction, within limit: Duration,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        let deadline = ContinuousClock.now + limit
        return try await withCheckedThrowingContinuation { continuation in
            workers.submit(
                PostgreSQLJob(deadline: deadline) { [state, address] session in
                    switch Self.attempt(transaction, session, state, address, body) {
                    case .ended(let result):
                        continuation.resume(with: result)
                        return .resumed
                    case .connectionLost(let reason): return .connectionLost(reason)
                    }
                } fail: { error in
                    continuation.resume(throwing: error)
                })
        }
    }

    private enum Outcome<Value> {
        case ended(Result<Value, any Error>)
        /// Nothing was committed.
        case connectionLost(String)
    }

    /// Runs the transaction, again if another one was in its way.
    private static func attempt<Value: Sendable>(
        _ transaction: PostgreSQLTransaction, _ session: PostgreSQLSession, _ state: State, _ address: String,
        _ body: (any SQLConnection) throws -> Value
    ) -> Outcome<Value> {
        for attempt in 1...PostgreSQLTransaction.maximumAttemptCount {
            if let outcome = inTurn(transaction, attempt, session, state, address, body) { return outcome }
            // The first repetition runs alone, and needs no pause; what is in the way of others is not of this program.
            if attempt > 1 { pause(after: attempt, session.deadline) }
        }
        return .ended(
            .failure(SQLError(.unavailable, "the database \(address) is busy: a change was refused repeatedly")))
    }

    /// Runs a change when it is its turn, and a query at once.
    ///
    /// - Returns: `nil` if the transaction has to be repeated.
    private static func inTurn<Value: Sendable>(
        _ transaction: PostgreSQLTransaction, _ attempt: Int, _ session: PostgreSQLSession, _ state: State,
        _ address: String, _ body: (any SQLConnection) throws -> Value
    ) -> Outcome<Value>? {
        guard transaction.durability != nil else { return once(transaction, session, state, address, body) }
        state.turns.begin(alone: attempt > 1)
        defer { state.turns.end() }
        return once(transaction, session, state, address, body)
    }

    /// - Returns: `nil` if the transaction has to be repeated.
    private static func once<Value: Sendable>(
        _ transaction: PostgreSQLTransaction, _ session: PostgreSQLSession, _ state: State, _ address: String,
        _ body: (any SQLConnection) throws -> Value
    ) -> Outcome<Value>? {
        let isPrepared = state.preparesStatements.withLock { $0 }
        let connection = PostgreSQLConnection(session, isPrepared: isPrepared, address: address)
        session.beginTransaction()
        do {
            try session.run(transaction.beginning(milliseconds: (session.deadline - .now).wholeMilliseconds))
            let value = try body(connection)
            let outcome = commit(value, transaction, session, address)
            if case .ended(.success) = outcome { connection.noteCommit() }
            return outcome
        } catch {
            let failure = session.failure
            if failure?.endsConnection == true {
                return .connectionLost(failure?.message ?? "the connection was lost")
            }
            _ = try? session.run("ROLLBACK")
            if let failure, isPrepared, failure.isAboutPreparedStatement {
                state.preparesStatements.withLock { $0 = false }
                return nil
            }
            if let failure, failure.isCausedByAnotherTransaction { return nil }
            return .ended(.failure((error as? PostgreSQLFailure)?.error(address: address) ?? error))
        }
    }

    /// - Returns: `nil` if the transaction has to be repeated because of another one.
    private static func commit<Value>(
        _ value: Value, _ transaction: PostgreSQLTransaction, _ session: PostgreSQLSession, _ address: String
    ) -> Outcome<Value>? {
        do throws(PostgreSQLFailure) {
            let tag = try session.run("COMMIT")
            // A closure that caught the error of a statement went on in a transaction that was given up.
            guard tag == "COMMIT" else {
                let error = session.failure?.error(address: address)
                return .ended(.failure(error ?? SQLError(.failed, "the database \(address) cancelled a change")))
            }
            return .ended(.success(value))
        } catch {
            // A reader has all it asked for.
            if transaction.durability == nil { return .ended(.success(value)) }
            if error.isCausedByAnotherTransaction { return nil }
            if error.endsConnection {
                return .ended(
                    .failure(
                        SQLError(
                            .outcomeUnknown,
                            """
                            the connection to the database \(address) broke while a change was committed: \
                            \(error.message)
                            """)))
            }
            return .ended(.failure(error.error(address: address)))
        }
    }

    /// Lets the other transaction end. On the session's own thread.
    private static func pause(after attempt: Int, _ deadline: ContinuousClock.Instant) {
        let milliseconds = Double(min(1 << attempt, 100)) * Double.random(in: 0.5...1)
        guard deadline - .now > .milliseconds(Int64(milliseconds)) else { return }
        Thread.sleep(forTimeInterval: milliseconds / 1_000)
    }
}
