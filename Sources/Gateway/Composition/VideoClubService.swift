import Logging
import LogMetadata
import ServiceLifecycle
import VideoClub

/// Reads twice a second what other servers with the same database have changed about rentals, and ends what is over.
struct VideoClubService: Service {
    let club: VideoClub
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let sweeping: Void = sweep()
            await RefreshLoop.run(every: VideoClub.refreshInterval) {
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
