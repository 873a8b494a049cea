import LiveChannels
import ServiceLifecycle

/// Lets time pass for the archive: what was written reaches the disk, what is over is ended, what is old goes.
struct ArchiveService: Service {
    let writer: ArchiveWriter

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: ArchiveWriter.maintenanceInterval)) != nil { writer.maintain() }
        }
    }
}
