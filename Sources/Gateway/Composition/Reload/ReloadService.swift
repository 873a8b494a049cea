import HTTPEndpoints
import Logging
import LogMetadata
import MediaCore
import NIOPosix
import Packaging
import ServerSettings
import ServiceLifecycle
import UnixSignals
import Workflows

/// Reloads `channels.json` on SIGHUP, and when the file has changed.
struct ReloadService: Service {
    let reloader: ChannelsReloader
    let logger: Logger

    /// Interval of the checks of the file, short enough for an operator who looks at the result after saving.
    private static let interval = Duration.seconds(2)

    func run() async throws {
        // SIGHUP no longer ends the process after this line, not even the SIGHUP of a closed terminal.
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await _ in signals {
                        logger.info("SIGHUP received; reloading channels.json")
                        // Mistakes in the file have been logged already.
                        do { _ = try await reloader.reload() } catch let error as ReloadError {
                            logger.warning("channels.json could not be reloaded", metadata: [.error: "\(error)"])
                        } catch {}
                    }
                }
                group.addTask { await watch() }
            }
        }
    }

    private func watch() async {
        let path = reloader.path
        var identity: MediaFile.Identity?
        var reported: MediaFile.Identity?
        while (try? await BeatClock().sleep(for: Self.interval)) != nil {
            let current = try? await NIOThreadPool.singleton.runIfActive { () -> MediaFile.Identity? in
                reloader.dropRetiredChannels()
                return MediaFile.identity(ofFileAt: path)
            }
            // A file that is still being written is not loaded: it must be unchanged for one interval.
            defer { identity = current }
            guard let current, current == identity, current != reported else { continue }
            reported = current
            let text = try? await NIOThreadPool.singleton.runIfActive { try ChannelsFile.read(path: path) }
            if let text { await reloader.noteContent(text) }
        }
    }
}
