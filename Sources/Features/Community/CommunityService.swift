import Community
import Database
import HTTPEndpoints
import LogMetadata
import Logging
import ServiceLifecycle
import Workflows

/// Writes the views of videos, deals with what members send, and removes published videos whose titles were deleted.
struct CommunityService: Service {
    let community: Community
    let views: VideoViewObserver
    let uploads: MemberUploads
    let changes: DatabaseChanges
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let sweeping: Void = sweep()
            async let tending: Void = tend()
            await RefreshLoop.run(every: Community.viewInterval) {
                try await views.flush()
            } onOutage: { error in
                logger.warning("video views could not be written; will retry", metadata: [.error: "\(error)"])
            }
            await sweeping
            await tending
        }
    }

    private func sweep() async {
        await RefreshLoop.sweep(every: Community.sweepInterval) {
            try await community.sweep()
        } onFailure: { error in
            logger.warning("videos without a title could not be removed; will retry", metadata: [.error: "\(error)"])
        }
    }

    private func tend() async {
        await RefreshLoop.run(after: changes, atLeastEvery: MemberUploads.interval) {
            try await uploads.tend(logger)
        } onOutage: { error in
            logger.warning("member uploads could not be processed; will retry", metadata: [.error: "\(error)"])
        }
    }
}
