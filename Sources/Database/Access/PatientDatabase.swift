package import MediaCore

/// A database whose background work waits while it does not answer or its disk is full, so that nothing of that work is
/// lost. Requests, for which somebody waits, fail at their time limit as before.
package final class PatientDatabase: SQLDatabase {
    /// True in background work, which waits; false in a request, which fails.
    @TaskLocal package static var waitsForAnswer = false

    private let database: any SQLDatabase
    private let clock: any Clock<Duration>
    /// Called once for each call that begins to wait.
    private let onWait: @Sendable (SQLError) -> Void

    private static let firstDelay = Duration.milliseconds(500)
    private static let maximumDelay = Duration.seconds(5)

    /// - Parameters:
    ///   - database: the database that may not answer.
    ///   - clock: measures the pauses between attempts, which grow from half a second to five seconds.
    ///   - onWait: called once for each call that begins to wait, with the error of its first attempt.
    package init(
        _ database: any SQLDatabase, clock: any Clock<Duration> = ContinuousClock(),
        onWait: @escaping @Sendable (SQLError) -> Void
    ) {
        self.database = database
        self.clock = clock
        self.onWait = onWait
    }

    package var dialect: SQLDialect { database.dialect }
    package var address: String { database.address }

    package func read<Result: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await patiently { try await self.database.read(within: limit, body) }
    }

    package func write<Result: Sendable>(
        durability: SQLDurability, within limit: Duration,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await patiently { try await self.database.write(durability: durability, within: limit, body) }
    }

    package func commitMarker() async throws -> String {
        try await patiently { try await database.commitMarker() }
    }
    package func watchCommits(_ body: @escaping CommitObserver) async { await database.watchCommits(body) }
    package func makeDurable() async throws { try await patiently { try await self.database.makeDurable() } }
    package func prepareMigration(at time: WallClockTime) async throws {
        try await database.prepareMigration(at: time)
    }
    package func close() async { await database.close() }

    /// Repeats the call while it fails for a reason that passes, until the task is cancelled.
    private func patiently<Result: Sendable>(_ call: () async throws -> Result) async throws -> Result {
        var delay = Self.firstDelay
        while true {
            do {
                return try await call()
            } catch let error as SQLError where error.isTemporary && Self.waitsForAnswer {
                if delay == Self.firstDelay { onWait(error) }
                try await clock.sleep(for: delay)
                delay = min(delay * 2, Self.maximumDelay)
            }
        }
    }
}
