import Database
import Logging
import LogMetadata
import ServiceLifecycle
import VideoClub

/// Reads what other servers with the same database have changed about rentals, and ends what is over.
struct VideoClubService: Service {
    let club: VideoClub
    let changes: DatabaseChanges
    let logger: Logger

    /// The time after which is read although nothing has changed: what ended early is over by itself some day.
    private static let longestPause = Duration.seconds(30)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let sweeping: Void = sweep()
            await RefreshLoop.run(after: changes, atLeastEvery: Self.longestPause) {
                try await club.refresh()
            } onOutage: { error in
                logger.warning("rentals not read", metadata: [.error: "\(error)"])
            }
            await sweeping
        }
    }

    private func sweep() async {
        await RefreshLoop.sweep(every: VideoClub.sweepInterval) {
            try await club.sweep()
        } onFailure: { error in
            logger.warning("rentals that are over not marked", metadata: [.error: "\(error)"])
        }
    }
}
