import Database
import LogMetadata
import Logging

/// Opens the database of a server that starts, which may be before its database does.
struct DatabaseStart {
    private let address: DatabaseAddress
    private let statistics: DatabaseStatistics
    private let logger: Logger

    /// Time for which a database that does not answer is waited for.
    static let patience = Duration.seconds(30)
    private static let interval = Duration.milliseconds(500)

    /// - Parameters:
    ///   - address: the database.
    ///   - statistics: receives the times of all calls.
    ///   - logger: receives warnings while the database does not answer.
    init(_ address: DatabaseAddress, statistics: DatabaseStatistics = DatabaseStatistics(), logger: Logger) {
        self.address = address
        self.statistics = statistics
        self.logger = logger
    }

    /// - Throws: `SQLError` if it cannot be used, or does not answer for ``patience``.
    func open() async throws -> any SQLDatabase {
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        var hasWarned = false
        while true {
            do {
                let database = MeasuredDatabase(try await address.open(), statistics: statistics)
                return PatientDatabase(database) { [logger] error in
                    logger.warning(
                        "database is unavailable; background work waits for it", metadata: [.error: "\(error)"])
                }
            } catch let error as SQLError where error.code == .unavailable && clock.now < end {
                if !hasWarned {
                    logger.warning("database does not answer; waiting for it", metadata: [.error: "\(error)"])
                }
                hasWarned = true
                try await clock.sleep(for: Self.interval)
            }
        }
    }
}
