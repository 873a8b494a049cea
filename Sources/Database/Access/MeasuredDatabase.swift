package import MediaCore

/// A database whose calls are measured, whichever engine it has.
package final class MeasuredDatabase: SQLDatabase {
    private let database: any SQLDatabase
    private let statistics: DatabaseStatistics
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - database: the database whose calls are measured.
    ///   - statistics: receives the times.
    ///   - clock: measures the calls.
    package init(
        _ database: any SQLDatabase, statistics: DatabaseStatistics, clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.database, self.statistics, self.clock) = (database, statistics, clock)
    }

    package var dialect: SQLDialect { database.dialect }
    package var address: String { database.address }

    package func read<Result: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await measure(statistics.reads) { try await self.database.read(within: limit, body) }
    }

    package func write<Result: Sendable>(
        durability: SQLDurability, within limit: Duration,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await measure(statistics.writes) {
            try await self.database.write(durability: durability, within: limit, body)
        }
    }

    package func commitMarker() async throws -> String {
        try await measure(statistics.reads) { try await database.commitMarker() }
    }
    package func watchCommits(_ body: @escaping CommitObserver) async { await database.watchCommits(body) }
    package func makeDurable() async throws { try await database.makeDurable() }
    package func prepareMigration(at time: WallClockTime) async throws {
        try await database.prepareMigration(at: time)
    }
    package func close() async { await database.close() }

    private func measure<Result: Sendable>(
        _ histogram: LatencyHistogram, _ call: () async throws -> Result
    ) async throws -> Result {
        let elapsed = clock.elapsed()
        defer { histogram.record(elapsed()) }
        do {
            return try await call()
        } catch let error as SQLError {
            if error.code != .constraint { statistics.countFailure() }
            throw error
        }
    }
}
