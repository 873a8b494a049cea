import Database
import Logging
import LogMetadata
import MediaAccess
import ServiceLifecycle

/// Reads what other servers with the same database have changed about single titles and tracks.
struct AudienceService: Service {
    let audiences: TitleAudiences
    let changes: DatabaseChanges
    let logger: Logger

    private static let longestPause = Duration.seconds(30)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await RefreshLoop.run(after: changes, atLeastEvery: Self.longestPause) {
                try await audiences.refresh()
            } onOutage: { error in
                logger.warning("audiences of titles not read", metadata: [.error: "\(error)"])
            }
        }
    }
}
