import Community
import LogMetadata
import Logging
import ServiceLifecycle

/// Removes published videos whose titles were deleted.
struct CommunityService: Service {
    let community: Community
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await RefreshLoop.sweep(every: Community.sweepInterval) {
                try await community.sweep()
            } onFailure: { error in
                logger.warning("videos without a title not removed", metadata: [.error: "\(error)"])
            }
        }
    }
}
