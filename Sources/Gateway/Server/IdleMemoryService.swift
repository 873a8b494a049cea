import CAntenaSystem
import ServiceLifecycle
import VODLibrary

/// Gives memory back that is not needed any longer: what start-up and ingest used, most of which the runtime touches
/// once, and files of live segments that nobody fetches any more.
struct IdleMemoryService: Service {
    let library: VODLibrary
    let sharedSegments: SharedSegments

    /// Start-up and the first look at the media folder are over by then.
    private static let settlingTime = Duration.seconds(5)
    /// Between two looks at whether ingest has come to rest.
    private static let interval = Duration.seconds(30)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var wasBusy = true
            var pause = Self.settlingTime
            while (try? await Task.sleep(for: pause)) != nil {
                let isBusy = await !library.jobs().isEmpty
                if wasBusy, !isBusy { antena_release_idle_memory() }
                wasBusy = isBusy
                sharedSegments.removeUnused()
                pause = Self.interval
            }
        }
    }
}
