import LiveChannels
import MediaCore
import ServiceLifecycle

/// Runs the archive's maintenance at intervals: flushes written media to disk, ends recordings that are over, and
/// deletes old media.
struct ArchiveService: Service {
    let writer: ArchiveWriter

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await BeatClock().sleep(for: ArchiveWriter.maintenanceInterval)) != nil { writer.maintain() }
        }
    }
}
