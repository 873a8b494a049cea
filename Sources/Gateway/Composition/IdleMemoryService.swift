import CAntenaSystem
import HLSDelivery
import MediaCore
import ServiceLifecycle
import VODLibrary

/// Returns memory to the system that is no longer needed: pages used only by startup and ingest, and files of live
/// segments that no viewer fetches any more.
struct IdleMemoryService: Service {
    let library: VODLibrary
    let sharedSegments: SharedSegments

    /// Time after which startup and the first scan of the media folder are over.
    private static let settlingTime = Duration.seconds(5)
    /// Interval of the checks whether ingest is idle.
    private static let interval = Duration.seconds(30)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var wasBusy = true
            var pause = Self.settlingTime
            while (try? await BeatClock().sleep(for: pause)) != nil {
                let isBusy = await !library.jobs().isEmpty
                if wasBusy, !isBusy { antena_release_idle_memory() }
                wasBusy = isBusy
                sharedSegments.removeUnused()
                pause = Self.interval
            }
        }
    }
}
