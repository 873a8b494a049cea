import Dispatch
import Foundation
package import Logging
import LogMetadata
package import MediaCore
package import Packaging
import Synchronization

/// The one thread that writes all channels' archives.
///
/// Channels hand buffers over and never wait. What has been handed over and is not yet written is bounded; a segment
/// beyond the bound becomes a hole in the archive.
package final class ArchiveWriter: Sendable {
    /// The serial queue on which all archives are written.
    let queue = DispatchQueue(label: "antena.archive", qos: .utility)
    let directory: String
    let recordingsDirectory: String
    let storage: ArchiveStorage
    let clock: WallClock
    /// Is told of recordings; `nil` for nobody.
    let observer: LiveChannelEvent.Observer?
    let logger: Logger
    private let pending = Mutex((byteCount: 0, segmentCount: 0))
    private let recorders = Mutex([ChannelRecorder]())
    /// True if maintenance is queued. While the disk stands still, one queued call is enough.
    private let isMaintenanceQueued = Atomic<Bool>(false)

    /// Limit on the bytes that wait for the disk: about 20 s of four channels of 5 Mbit/s. A second limit bounds the
    /// number of segments.
    package static let maximumPendingByteCount = 64 << 20
    /// Limit on the segments that wait for the disk, of all channels; what exceeds it becomes a gap.
    package static let maximumPendingSegmentCount = 1_024
    /// Interval between two calls of ``maintain()``. This is how much a power cut may cost, and how late a clean-up may
    /// be.
    package static let maintenanceInterval = Duration.seconds(2)

    /// - Parameters:
    ///   - directory: the folder for the time shift of all channels.
    ///   - recordingsDirectory: the folder for recordings, which become titles.
    ///   - storage: writes and flushes the files.
    ///   - observer: is told of recordings; `nil` for nobody.
    ///   - clock: the clock for wall-clock times.
    ///   - logger: receives the log.
    /// - Throws: the file system's error if a folder cannot be made.
    package init(
        directory: String, recordingsDirectory: String, storage: ArchiveStorage = .disk,
        observer: LiveChannelEvent.Observer? = nil, clock: WallClock = .system, logger: Logger
    ) throws {
        self.observer = observer
        self.directory = directory
        self.recordingsDirectory = recordingsDirectory
        self.storage = storage
        self.clock = clock
        self.logger = logger
        for path in [directory, recordingsDirectory] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        finishInterruptedRecordings()
    }

    /// Deletes the time-shift files of channels that no longer exist.
    func deleteWindows(exceptOf channels: Set<String>) {
        for channel in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        where !channels.contains(channel) {
            WindowFolder(path: "\(directory)/\(channel)", queue: queue).deleteOrphans(besides: [])
        }
    }

    /// Finishes the recordings that a killed server left, so that they become titles.
    private func finishInterruptedRecordings() {
        for channel in (try? FileManager.default.contentsOfDirectory(atPath: recordingsDirectory)) ?? [] {
            let folder = RecordingFolder(directory: recordingsDirectory, channel: channel, title: channel)
            for (name, error) in folder.recover() {
                if let error {
                    logger.warning(
                        "interrupted recording cannot be finished",
                        metadata: [
                            .channelName: "\(channel)", .recordingFile: "\(name)", .error: "\(FileErrorText(error))",
                        ])
                } else {
                    logger.info(
                        "interrupted recording finished",
                        metadata: [.channelName: "\(channel)", .recordingFile: "\(name)"])
                }
            }
        }
    }

    /// Makes the recorder of a channel; ``maintain()`` and ``close()`` include it until ``remove(_:)``.
    func makeRecorder(for configuration: ChannelConfiguration) -> ChannelRecorder {
        let recorder = ChannelRecorder(configuration: configuration, writer: self)
        recorders.withLock { $0.append(recorder) }
        return recorder
    }

    /// Ends what the recorder of a removed channel may still have open, and removes the recorder.
    func remove(_ recorder: ChannelRecorder) {
        recorders.withLock { $0.removeAll { $0 === recorder } }
        queue.async { recorder.retire(reason: "the channel was removed") }
    }

    // MARK: The bound

    /// Reserves room for a segment that will wait for the disk.
    ///
    /// - Returns: whether there is room; if so, it is reserved until ``release(byteCount:)``.
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

    /// Releases the room that ``reserve(byteCount:)`` reserved.
    func release(byteCount: Int) {
        pending.withLock { pending in
            pending.byteCount -= byteCount
            pending.segmentCount -= 1
        }
    }

    // MARK: Time passes

    /// Flushes written media to the disk, ends recordings that have paused for too long, and deletes recordings that
    /// are too old. Returns at once.
    package func maintain() {
        guard !isMaintenanceQueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self] in
            isMaintenanceQueued.store(false, ordering: .releasing)
            for recorder in recorders.withLock({ $0 }) { recorder.maintain() }
        }
    }

    /// Waits until everything that was handed over has been written.
    package func flush() { queue.sync {} }

    /// Ends all recordings for an orderly shutdown, when no channel publishes any more.
    package func close() {
        let recorders = recorders.withLock { $0 }
        queue.sync { for recorder in recorders { recorder.close() } }
    }
}
