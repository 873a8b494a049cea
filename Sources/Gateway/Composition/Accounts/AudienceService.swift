import Logging
import LogMetadata
import MediaAccess
import ServiceLifecycle

/// Reads twice a second what other servers with the same database have changed about single titles and tracks.
struct AudienceService: Service {
    let audiences: TitleAudiences
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await RefreshLoop.run(every: TitleAudiences.refreshInterval) {
                try await audiences.refresh()
            } onOutage: { error in
                logger.warning("audiences of titles not read", metadata: [.error: "\(error)"])
            }
        }
    }
}
