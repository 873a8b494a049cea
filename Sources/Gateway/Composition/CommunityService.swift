import Community
import LogMetadata
import Logging
import ServiceLifecycle

/// Writes the views of videos, and removes published videos whose titles were deleted.
struct CommunityService: Service {
    let community: Community
    let views: VideoViewObserver
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let sweeping: Void = sweep()
            await RefreshLoop.run(every: Community.viewInterval) {
                try await views.flush()
            } onOutage: { error in
                logger.warning("views of videos not written", metadata: [.error: "\(error)"])
            }
            await sweeping
        }
    }

    private func sweep() async {
        await RefreshLoop.sweep(every: Community.sweepInterval) {
            try await community.sweep()
        } onFailure: { error in
            logger.warning("videos without a title not removed", metadata: [.error: "\(error)"])
        }
    }
}
