import Database
import Logging
import LogMetadata
import ServiceLifecycle

/// Keeps the copies of the database's state up to date with what other servers with the same database have changed.
/// Followers of the journal do not wait for it: see `StateCopies`.
struct StateCopyService: Service {
    let copies: StateCopies
    let changes: DatabaseChanges
    let logger: Logger

    /// The time after which is read although nothing has changed: a rental that ended early is over by itself some day.
    private static let longestPause = Duration.seconds(30)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await RefreshLoop.run(after: changes, atLeastEvery: Self.longestPause) {
                try await copies.catchUp()
            } onOutage: { error in
                logger.warning(
                    "in-memory copies of the database could not be refreshed; will retry",
                    metadata: [.error: "\(error)"])
            }
        }
    }
}
