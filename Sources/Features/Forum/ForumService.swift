import Forum
import HTTPEndpoints
import LogMetadata
import Logging
import ServiceLifecycle

/// Removes the comments of topics that were deleted.
struct ForumService: Service {
    let forum: Forum
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await RefreshLoop.sweep(every: Forum.sweepInterval) {
                try await forum.sweep()
            } onFailure: { error in
                logger.warning(
                    "comments of deleted topics could not be removed; will retry", metadata: [.error: "\(error)"])
            }
        }
    }
}
