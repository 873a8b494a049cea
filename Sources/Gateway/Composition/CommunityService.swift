import Community
import HTTPEndpoints
import LogMetadata
import Logging
import ServiceLifecycle

/// Removes published videos whose titles were deleted, and deals with what members send.
struct CommunityService: Service {
    let community: Community
    let uploads: MemberUploads
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await RefreshLoop.sweep(every: Community.sweepInterval) {
                        try await community.sweep()
                    } onFailure: { error in
                        logger.warning("videos without a title not removed", metadata: [.error: "\(error)"])
                    }
                }
                group.addTask {
                    await RefreshLoop.run(every: MemberUploads.interval) {
                        try await uploads.tend(logger)
                    } onOutage: { error in
                        logger.warning("uploads of members not dealt with", metadata: [.error: "\(error)"])
                    }
                }
            }
        }
    }
}
