import Accounts
import Database
import LogMetadata
import Logging
import MediaCore
import Messaging
import ServiceLifecycle

/// Tells devices of messages that other servers have stored, and keeps their connections.
struct MessagingService: Service {
    let messaging: Messaging
    let changes: DatabaseChanges
    let logger: Logger
    /// Measures the intervals of heartbeats.
    var clock: any Clock<Duration> = ContinuousClock()

    /// Time after which streams are looked at although nothing in the database has changed.
    private static let longestPause = Duration.seconds(30)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await RefreshLoop.run(after: changes, atLeastEvery: Self.longestPause) {
                        try await messaging.refreshStreams()
                    } onOutage: { error in
                        logger.warning(
                            "message streams could not be refreshed; will retry", metadata: [.error: "\(error)"])
                    }
                    messaging.closeStreams()
                }
                group.addTask {
                    await RefreshLoop.run(every: RevisionStreams<UserID>.heartbeatInterval, clock: clock) {
                        try await messaging.beat()
                    } onOutage: { error in
                        logger.warning(
                            "presence of members could not be written; will retry", metadata: [.error: "\(error)"])
                    }
                }
            }
        }
    }
}
