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
            repeat {
                do {
                    try await community.sweep()
                } catch {
                    logger.warning("videos without a title not removed", metadata: [.error: "\(error)"])
                }
            } while (try? await Task.sleep(for: Community.sweepInterval)) != nil
        }
    }
}
