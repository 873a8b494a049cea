import Logging
import LogMetadata
import MediaCore
import NIOPosix
import ServerSettings
import ServiceLifecycle

/// Watches the time of day for steps (`ClockSteadiness`), and notes for the next start when the server ran.
struct ClockWatchService: Service {
    let steadiness: ClockSteadiness
    let data: DataDirectory
    let threadPool: NIOThreadPool

    private static let interval = Duration.seconds(30)

    /// The watch of a server's clock, which says in the log if the time steps.
    static func steadiness(_ data: DataDirectory, logger: Logger) -> ClockSteadiness {
        ClockSteadiness(
            wallClock: .system, elapsed: ContinuousClock().elapsed(), lastSeen: data.lastRunTime
        ) { step in
            logger.warning(
                "system clock jumped; deletions and expirations are suspended for an hour",
                metadata: [.seconds: "\(step.amount.components.seconds)"])
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                // A wrong time must not become what the next start compares with.
                guard steadiness.isSteady() else { continue }
                try? await threadPool.runIfActive { data.noteRunning() }
            } while (try? await BeatClock().sleep(for: Self.interval)) != nil
        }
    }
}
