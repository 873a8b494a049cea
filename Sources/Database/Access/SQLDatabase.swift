package import MediaCore

/// A database that a domain keeps its rows in, whichever engine it has.
///
/// The closures run on threads of the database, not on the caller's. They may run more than once (a transaction that
/// failed because of another is repeated), so they change nothing but rows. They must not keep their connection.
package protocol SQLDatabase: Sendable {
    var dialect: SQLDialect { get }
    /// A human-readable address without credentials, such as a path.
    var address: String { get }

    /// Runs queries that all see the same state of the database.
    ///
    /// - Parameters:
    ///   - limit: time for the whole call.
    ///   - body: runs the queries.
    /// - Throws: ``SQLError``, and any error of `body`.
    func read<Result: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result

    /// Runs statements in one transaction, as if no other transaction ran meanwhile. If `body` throws, nothing is
    /// changed.
    ///
    /// - Parameters:
    ///   - durability: what the transaction survives once the call has returned.
    ///   - limit: time for the whole call.
    ///   - body: runs the statements.
    /// - Throws: ``SQLError``, and any error of `body`.
    @discardableResult func write<Result: Sendable>(
        durability: SQLDurability, within limit: Duration,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result

    /// A text that is another one if a transaction has changed something since an earlier call, whichever program has
    /// run it. It may be another one although nothing has changed. It is compared with those of the same object only.
    ///
    /// - Throws: ``SQLError``
    func commitMarker() async throws -> String

    /// Calls a closure with the answer of ``commitMarker()``, or with `nil` if there is none, until the task is
    /// cancelled: at each beat of `BeatClock`, or, if it is known that nobody writes, after
    /// ``DatabaseChanges/longestPause`` at the latest.
    ///
    func watchCommits(_ body: @escaping CommitObserver) async

    /// Makes transactions with ``SQLDurability/soon`` durable.
    func makeDurable() async throws

    /// Prepares for a migration of existing tables, such as by a backup.
    ///
    /// - Parameter time: the time now.
    func prepareMigration(at time: WallClockTime) async throws

    /// Closes all connections. Calls that follow fail with ``SQLError/Code/unavailable``.
    func close() async
}

/// Called with the answer of ``SQLDatabase/commitMarker()``, or with `nil` if there is none, and with the number of
/// beats since the last call.
package typealias CommitObserver = @Sendable (_ marker: String?, _ beatCount: Int) -> Void

extension SQLDatabase {
    package func watchCommits(_ body: @escaping CommitObserver) async {
        while (try? await BeatClock().sleep(for: BeatClock.interval)) != nil { body(try? await commitMarker(), 1) }
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await read(within: SQLTimeLimit.request, body)
    }

    @discardableResult package func write<Result: Sendable>(
        durability: SQLDurability = .onDisk, _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await write(durability: durability, within: SQLTimeLimit.request, body)
    }
}
