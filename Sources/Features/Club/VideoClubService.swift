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
                logger.warning("rentals that are over not marked", metadata: [.error: "\(error)"])
            }
        }
    }
}
