import Logging
import LogMetadata
import ServiceLifecycle
import VideoClub

/// Prepares offline copies while the server runs.
struct OfflineCopyService: Service {
    let copies: OfflineCopies
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await copies.run { id, error in
                logger.warning("offline copy could not be prepared", metadata: [.copyID: "\(id)", .error: "\(error)"])
            }
        }
    }
}
