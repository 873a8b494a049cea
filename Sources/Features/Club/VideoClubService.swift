import Logging
import LogMetadata
import ServiceLifecycle
import VideoClub

/// Ends rentals that are over.
struct VideoClubService: Service {
    let club: VideoClub
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await RefreshLoop.sweep(every: VideoClub.sweepInterval) {
                try await club.sweep()
            } onFailure: { error in
                logger.warning("expired rentals could not be ended; will retry", metadata: [.error: "\(error)"])
            }
        }
    }
}
