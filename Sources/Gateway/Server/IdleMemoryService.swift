import CAntenaSystem
import ServiceLifecycle
import VODLibrary

/// Gives memory back that only start-up and ingest needed: most of what the program and its libraries have mapped is
/// touched once, while the runtime looks through it.
struct IdleMemoryService: Service {
    let library: VODLibrary

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
                pause = Self.interval
            }
        }
    }
}
