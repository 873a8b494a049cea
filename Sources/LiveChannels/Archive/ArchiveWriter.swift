import Dispatch
import Foundation
package import Logging
import MediaCore
package import Packaging
import Synchronization

/// The one thread that writes all channels' archives.
///
/// Channels hand buffers over and never wait: what is handed over and not yet written is bounded, and what is beyond
/// that is a hole in the archive.
package final class ArchiveWriter: Sendable {
    /// One thing after the other.
    let queue = DispatchQueue(label: "antena.archive", qos: .utility)
    let directory: String
    let recordingsDirectory: String
    let storage: ArchiveStorage
    let clock: WallClock
    let logger: Logger
    private let pending = Mutex((byteCount: 0, segmentCount: 0))
    private let recorders = Mutex([ChannelRecorder]())
    /// Maintenance is on the queue: while the disk stands still, one is enough.
    private let isMaintenanceQueued = Atomic<Bool>(false)

    /// Bytes and segments that wait for the disk: some 20 s of four channels of 5 Mbit/s.
    package static let maximumPendingByteCount = 64 << 20
    package static let maximumPendingSegmentCount = 1_024
    /// Between two calls of ``maintain()``: what a power cut may cost, and how long a clean-up is late.
    package static let maintenanceInterval = Duration.seconds(2)

    /// - Parameters:
    ///   - directory: for what viewers look back at.
    ///   - recordingsDirectory: for what becomes a title.
    /// - Throws: where they cannot be made.
    package init(
        directory: String, recordingsDirectory: String, storage: ArchiveStorage = .disk, clock: WallClock = .system,
        logger: Logger
    ) throws {
        self.directory = directory
        self.recordingsDirectory = recordingsDirectory
        self.storage = storage
        self.clock = clock
        self.logger = logger
        for path in [directory, recordingsDirectory] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        takeUp()
    }

    /// Channels that there are no longer leave nothing behind for those who look back.
    func deleteWindows(exceptOf channels: Set<String>) {
        for channel in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        where !channels.contains(channel) {
            WindowFolder(path: "\(directory)/\(channel)", queue: queue).deleteOrphans(besides: [])
        }
    }

    /// What a killed server was recording becomes titles.
    private func takeUp() {
        for channel in (try? FileManager.default.contentsOfDirectory(atPath: recordingsDirectory)) ?? [] {
            let folder = RecordingFolder(directory: recordingsDirectory, channel: channel, title: channel)
            for (name, error) in folder.takeUp() {
                if let error {
                    logger.warning(
                        "a recording that was cut off cannot be finished",
                        metadata: ["channel.name": "\(channel)", "file": "\(name)", "error": "\(FileErrorText(error))"])
                } else {
                    logger.info(
                        "a recording that was cut off is finished",
                        metadata: ["channel.name": "\(channel)", "file": "\(name)"])
                }
            }
        }
    }

    func makeRecorder(for configuration: ChannelConfiguration) -> ChannelRecorder {
        let recorder = ChannelRecorder(configuration: configuration, writer: self)
        recorders.withLock { $0.append(recorder) }
        return recorder
    }

    /// Ends what the recorder of a removed channel may still have open, and forgets it.
    func remove(_ recorder: ChannelRecorder) {
        recorders.withLock { $0.removeAll { $0 === recorder } }
        queue.async { recorder.retire(reason: "the channel was removed") }
    }

    // MARK: The bound

    /// - Returns: whether there is room; if so, it is taken until ``release(byteCount:)``.
    func reserve(byteCount: Int) -> Bool {
        pending.withLock { pending in
            guard pending.byteCount + byteCount <= Self.maximumPendingByteCount,
                pending.segmentCount < Self.maximumPendingSegmentCount
            else { return false }
            pending.byteCount += byteCount
            pending.segmentCount += 1
            return true
        }
    }

    func release(byteCount: Int) {
        pending.withLock { pending in
            pending.byteCount -= byteCount
            pending.segmentCount -= 1
        }
    }

    // MARK: Time passes

    /// Brings what was written to the disk, ends what has paused for too long, deletes what is too old. Returns at once.
    package func maintain() {
        guard !isMaintenanceQueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self] in
            isMaintenanceQueued.store(false, ordering: .releasing)
            for recorder in recorders.withLock({ $0 }) { recorder.maintain() }
        }
    }

    /// Waits until everything that was handed over has been written.
    package func flush() { queue.sync {} }

    /// Ends all recordings: for an orderly end, when no channel publishes any more.
    package func close() {
        let recorders = recorders.withLock { $0 }
        queue.sync { for recorder in recorders { recorder.close() } }
    }
}
