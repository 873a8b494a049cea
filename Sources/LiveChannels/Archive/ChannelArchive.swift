import Dispatch
import MediaCore
import NIOCore
import Packaging
import Synchronization

/// A channel's way to its archive, on any thread: nothing here waits for the disk.
final class ChannelArchive: Sendable {
    private let currentPolicy: Mutex<ArchivePolicy>
    private let writer: ArchiveWriter
    let recorder: ChannelRecorder
    private let inbox: RecorderInbox

    init(configuration: ChannelConfiguration, writer: ArchiveWriter) {
        currentPolicy = Mutex(configuration.archive)
        self.writer = writer
        recorder = writer.makeRecorder(for: configuration)
        inbox = RecorderInbox(queue: writer.queue, recorder: recorder)
    }

    private var policy: ArchivePolicy { currentPolicy.withLock { $0 } }

    /// Messages to the recorder that wait for the disk.
    var pendingMessageCount: Int { inbox.count }

    var windowSeconds: Double { Double(policy.windowSeconds) }
    var recordingsDirectory: String { writer.recordingsDirectory }
    var storage: ArchiveStorage { writer.storage }

    /// What has gone wrong since it was asked for last, for people.
    func takeProblem() -> String? { recorder.problem.withLock { $0.take() } }

    var status: RecordingStatus { recorder.status.withLock { $0 } }

    /// What the server before this one left for those who look back; once, before anything is published.
    ///
    /// - Parameters:
    ///   - state: what the next push goes on from; `nil` where nothing is known.
    ///   - targetDuration: seconds.
    /// - Returns: `nil` where there is nothing, or nothing that is still wanted: it is deleted.
    func restore(before state: ChannelState?, targetDuration: Int) -> RestoredArchive? {
        let policy = policy
        guard policy.windowSeconds > 0, let state else {
            recorder.windowFolder.deleteOrphans(besides: [])
            return nil
        }
        let sources = recorder.windowFolder.sources(recordings: recorder.recordingsPath)
        recorder.windowFolder.deleteOrphans(besides: sources)
        let restored = RestoredArchive(
            sources, before: state, windowSeconds: policy.windowSeconds,
            minimumSeconds: Double(targetDuration * LiveWindow.minimumTargetDurationCount))
        let lifetime = max(Int64(policy.windowSeconds) * 1_000, LiveChannel.retentionMilliseconds)
        guard let restored, writer.clock.now() - restored.endDate < lifetime else {
            return nil
        }
        return restored
    }

    // MARK: What `channels.json` says

    /// Takes another policy or title, from the next finished segment on.
    func reconfigure(_ configuration: ChannelConfiguration) {
        currentPolicy.withLock { $0 = configuration.archive }
        writer.queue.async { [recorder] in recorder.reconfigure(configuration) }
    }

    /// Ends the recording of a channel that has been removed.
    func retire(reason: String) {
        writer.queue.async { [recorder] in recorder.retire(reason: reason) }
    }

    /// Nothing comes from the channel any more.
    func discard() { writer.remove(recorder) }

    // MARK: What the channel publishes

    func begin(epoch: String, mediaTypes: Set<MediaType>, isSlate: Bool) {
        inbox.send(.begin(RecordedEpoch(identifier: epoch, mediaTypes: mediaTypes, isSlate: isSlate)))
    }

    func register(initializationSection: ByteBuffer, mediaType: MediaType, epoch: String, number: Int) {
        inbox.send(.register(initializationSection, mediaType: mediaType, epoch: epoch, number: number))
    }

    /// Takes a finished segment. Called in the order of publication; ``write(_:)`` follows, without the channel's lock.
    ///
    /// A segment that there is no room for is lost: only its header goes on, without media, and is a hole in the archive.
    ///
    /// - Parameter discontinuityCount: the channel's, before the segment.
    /// - Returns: `nil` where nobody wants it.
    func accept(_ segment: LiveSegment, mediaType: MediaType, discontinuityCount: Int) -> AcceptedSegment? {
        let policy = policy
        guard
            policy.windowSeconds > 0 || policy.recordsAlways
                || recorder.wantsSegments.load(ordering: .relaxed)
        else { return nil }
        let byteCount = segment.byteCount
        let isKept = !segment.isGap && writer.reserve(byteCount: byteCount)
        return AcceptedSegment(
            segment: isKept ? segment : segment.withoutMedia, mediaType: mediaType,
            discontinuityCount: discontinuityCount, reservedByteCount: isKept ? byteCount : nil,
            placement: ArchivePlacement(isKept ? .memory(segment) : .missing), isLost: !isKept && !segment.isGap)
    }

    func write(_ accepted: AcceptedSegment) {
        if inbox.send(.segment(accepted)) { return }
        accepted.placement.resolve(nil)
        if let byteCount = accepted.reservedByteCount { writer.release(byteCount: byteCount) }
    }

    func end(epoch: String) { inbox.send(.end(epoch: epoch, now: writer.clock.now())) }

    // MARK: Recording

    /// From the next finished segment on. Without effect while one is being made.
    func startRecording() {
        recorder.announceRecording()
        writer.queue.async { [recorder] in recorder.startRecording() }
    }

    /// What has been recorded becomes a title. Without effect while nothing is recorded.
    ///
    /// Returns when it has.
    func stopRecording() async {
        await withCheckedContinuation { continuation in
            writer.queue.async { [recorder] in
                recorder.stopRecording()
                continuation.resume()
            }
        }
    }
}

/// A segment on its way to the archive.
struct AcceptedSegment: Sendable {
    /// Without media if it is lost.
    var segment: LiveSegment
    var mediaType: MediaType
    /// The channel's, before the segment, where that is one of the leading rendition.
    var discontinuityCount: Int
    /// Once it is listed.
    var first = FirstMediaSequences()
    /// `nil` if it takes no room: a gap, or a segment that there was no room for.
    var reservedByteCount: Int?
    var placement: ArchivePlacement
    /// There was no room for it.
    var isLost: Bool
}
