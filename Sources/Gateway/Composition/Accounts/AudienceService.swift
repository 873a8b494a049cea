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
            var isAway = false
            while (try? await Task.sleep(for: TitleAudiences.refreshInterval)) != nil {
                do {
                    try await audiences.refresh()
                    isAway = false
                } catch {
                    if !isAway { logger.warning("audiences of titles not read", metadata: [.error: "\(error)"]) }
                    isAway = true
                }
            }
        }
    }
}
