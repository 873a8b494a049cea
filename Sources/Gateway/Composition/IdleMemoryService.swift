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
    /// Interval of the checks whether ingest is idle, and whether the heap has much that nobody uses.
    private static let interval = Duration.seconds(10)
    /// Unused memory of the heap that is worth the time of returning it. What clients have made the server use for a
    /// while, in a crowd or in an attack, would otherwise stay for ever.
    private static let unusedByteCount = 24 << 20

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var wasBusy = true
            var pause = Self.settlingTime
            while (try? await BeatClock().sleep(for: pause)) != nil {
                let isBusy = await !library.jobs().isEmpty
                if wasBusy, !isBusy { antena_release_idle_memory() }
                wasBusy = isBusy
                antena_return_free_memory(Self.unusedByteCount)
                sharedSegments.removeUnused()
                pause = Self.interval
            }
        }
    }
}
