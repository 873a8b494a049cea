import Logging
import NIOPosix
import Packaging
import ServiceLifecycle
import UnixSignals

/// Reads `channels.json` again on SIGHUP, and notices that the file has changed.
struct ReloadService: Service {
    let reloader: ChannelsReloader
    let logger: Logger

    /// Between two looks at the file: an operator reads the log after saving.
    private static let interval = Duration.seconds(2)

    func run() async throws {
        // From here on the signal does not end the process, whoever sends it: a terminal that is closed does, too.
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await _ in signals {
                        logger.info("SIGHUP received; reloading channels.json")
                        // What is wrong has been logged.
                        do { _ = try await reloader.reload() } catch let error as ReloadError {
                            logger.warning("channels.json not reloaded", metadata: ["error": "\(error)"])
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
        while (try? await Task.sleep(for: Self.interval)) != nil {
            let look = try? await NIOThreadPool.singleton.runIfActive { () -> MediaFile.Identity? in
                reloader.dropRetiredChannels()
                return MediaFile.identity(ofFileAt: path)
            }
            // Half a file is not a change: it has to stay as it is for one look.
            defer { identity = look }
            guard let look, look == identity, look != reported else { continue }
            reported = look
            let text = try? await NIOThreadPool.singleton.runIfActive { try ChannelsFile.read(path: path) }
            if let text { await reloader.noteContent(text) }
        }
    }
}
