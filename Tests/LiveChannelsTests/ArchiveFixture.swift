import Dispatch
import Foundation
import ISOBMFF
import LiveChannels
import MediaCore
import Packaging
import Synchronization
import TestSupport
import Testing

/// A channel with an archive on disk, which runs on the test's clock.
final class ArchiveFixture {
    let clock: TestClock
    let directory: TemporaryDirectory
    let writer: ArchiveWriter
    let channel: LiveChannel
    /// Writes fail with this number while it is not zero.
    let failure: DiskFailure
    /// A lock that keeps the disk from writing while it is held.
    let disk = DispatchSemaphore(value: 1)

    final class DiskFailure: Sendable {
        private let number = Mutex<Int32>(0)
        var errno: Int32 {
            get { number.withLock { $0 } }
            set { number.withLock { $0 = newValue } }
        }
        private let free = Mutex(Int64.max)
        /// The free bytes of the disk.
        var freeByteCount: Int64 {
            get { free.withLock { $0 } }
            set { free.withLock { $0 = newValue } }
        }
    }

    init(
        _ policy: ArchivePolicy = .init(), slates: (any SlateSource)? = nil, onLoss: LossPolicy = .init(),
        directory: TemporaryDirectory? = nil, clock: TestClock = TestClock(), store: (any ChannelStateStore)? = nil,
        ladders: (any LiveLadderFactory)? = nil
    ) throws {
        self.clock = clock
        let failure = DiskFailure()
        let disk = disk
        let directory = try directory ?? TemporaryDirectory(label: "archive")
        let writer = try ArchiveWriter(
            directory: "\(directory.path)/archive", recordingsDirectory: "\(directory.path)/recordings",
            storage: ArchiveStorage(
                write: {
                    disk.wait()
                    defer { disk.signal() }
                    return failure.errno == 0 ? ArchiveStorage.disk.write($0, $1, $2) : failure.errno
                },
                synchronize: ArchiveStorage.disk.synchronize,
                freeByteCount: { _ in failure.freeByteCount }),
            clock: clock.wallClock, logger: TestMedia.silent)
        var configuration = TestMedia.channelConfiguration(onLoss: onLoss, archive: policy)
        if ladders != nil { configuration.ladder = TestMedia.presets.reversed() }
        channel = LiveChannel(
            configuration: configuration,
            with: ChannelEquipment(store: store, ladders: ladders, slates: slates, archive: writer),
            clock: clock.wallClock,
            logger: TestMedia.silent)
        (self.directory, self.writer, self.failure) = (directory, writer, failure)
    }

    var status: RecordingStatus { channel.status().recording ?? RecordingStatus() }

    /// Pushes, with the disk keeping up and time passing for the writer, too.
    func run(_ publisher: SyntheticPublisher, seconds: Double, observing observer: PlaylistObserver? = nil) {
        var rest = seconds
        var count = 0
        while rest > 0 {
            publisher.run(seconds: min(rest, 0.5))
            writer.flush()
            writer.maintain()
            writer.flush()
            // A look reads all that is listed.
            if count % 3 == 0 { observer?.loadAll() }
            count += 1
            rest -= 0.5
        }
    }

    /// Waits for it on this thread, which is the publishers' event loop's.
    @discardableResult func stopRecording() throws -> RecordingStatus {
        let outcome = Outcome()
        let isDone = DispatchSemaphore(value: 0)
        Task { [channel] in
            do {
                let status = try await channel.stopRecording()
                outcome.result.withLock { $0 = .success(status) }
            } catch {
                outcome.result.withLock { $0 = .failure(error) }
            }
            isDone.signal()
        }
        isDone.wait()
        return try #require(outcome.result.withLock { $0 }).get()
    }

    private final class Outcome: Sendable {
        let result = Mutex<Result<RecordingStatus, any Error>?>(nil)
    }

    /// Nobody pushes.
    func pass(seconds: Int) {
        clock.advance(by: .milliseconds(Int64(seconds) * 1_000))
        writer.maintain()
        writer.flush()
    }

    /// Finished or not, sorted.
    func recordings() -> [String] { files(in: "recordings/canalA") }
    func windowFiles() -> [String] { files(in: "archive/canalA") }

    func path(ofRecording name: String) -> String { "\(directory.path)/recordings/canalA/\(name)" }

    private func files(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/\(folder)")) ?? []).sorted()
    }
}

extension PackagedTitle {
    convenience init(path: String) throws {
        let file = try MediaFile(path: path)
        try self.init(index: MovieIndex.read(from: file), file: file)
    }
}
