import Dispatch
import MediaCore
import NIOCore
import Packaging
import Synchronization

/// A channel's access to its archive. Usable from any thread; nothing here waits for the disk, except
/// ``restore(before:targetDuration:)``.
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

    /// Number of messages to the recorder that wait for the disk.
    var pendingMessageCount: Int { inbox.count }

    var windowSeconds: Double { Double(policy.windowSeconds) }
    var recordingsDirectory: String { writer.recordingsDirectory }
    var storage: ArchiveStorage { writer.storage }

    /// The last problem since the previous call, in human-readable form; `nil` if there was none.
    func takeProblem() -> String? { recorder.problem.withLock { $0.take() } }

    var status: RecordingStatus { recorder.status.withLock { $0 } }

    /// Restores the time shift that the previous server left. Call it once, before anything is published. Reads the
    /// journals from disk.
    ///
    /// - Parameters:
    ///   - state: the channel's state before the next push; `nil` if it is not known.
    ///   - targetDuration: the playlists' target duration, in seconds.
    /// - Returns: `nil` if there is nothing to restore, or if it is too old; it is deleted then.
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
        let lifetime = max(.seconds(policy.windowSeconds), LiveChannel.retention)
        guard let restored, writer.clock.now() - restored.endDate < lifetime else {
            return nil
        }
        return restored
    }

    // MARK: What `channels.json` says

    /// Applies another policy or title from the next finished segment on.
    func reconfigure(_ configuration: ChannelConfiguration) {
        currentPolicy.withLock { $0 = configuration.archive }
        writer.queue.async { [recorder] in recorder.reconfigure(configuration) }
    }

    /// Ends the recording of a channel that has been removed.
    func retire(reason: String) {
        writer.queue.async { [recorder] in recorder.retire(reason: reason) }
    }

    /// Removes the recorder; the channel sends nothing any more.
    func discard() { writer.remove(recorder) }

    // MARK: What the channel publishes

    /// Tells the recorder that a push, or the slate, is shown from now on.
    func begin(epoch: String, renditions: Set<RenditionID>, isSlate: Bool) {
        inbox.send(.begin(RecordedEpoch(identifier: epoch, renditions: renditions, isSlate: isSlate)))
    }

    /// Tells the recorder the initialization section that the following segments need.
    func register(initializationSection: ByteBuffer, of id: RenditionID, epoch: String, number: Int) {
        inbox.send(.register(initializationSection, of: id, epoch: epoch, number: number))
    }

    /// Accepts a finished segment for the archive. Call it in the order of publication, and then ``write(_:)`` without
    /// the channel's lock.
    ///
    /// If there is no room for a segment, its media is lost: only its header goes on and becomes a hole in the archive.
    ///
    /// - Parameter discontinuityCount: the number of the channel's discontinuities before the segment.
    /// - Returns: `nil` if neither time shift nor recording needs the segment.
    func accept(_ segment: LiveSegment, of id: RenditionID, discontinuityCount: Int) -> AcceptedSegment? {
        let policy = policy
        guard
            policy.windowSeconds > 0 || policy.recordsAlways
                || recorder.wantsSegments.load(ordering: .relaxed)
        else { return nil }
        let byteCount = segment.byteCount
        let isKept = !segment.isGap && writer.reserve(byteCount: byteCount)
        return AcceptedSegment(
            segment: isKept ? segment : segment.withoutMedia, rendition: id,
            discontinuityCount: discontinuityCount, reservedByteCount: isKept ? byteCount : nil,
            placement: ArchivePlacement(isKept ? .memory(segment) : .missing), isLost: !isKept && !segment.isGap)
    }

    /// The place of a segment that is never written, but that playlists list as a gap for as long as the time shift
    /// reaches; `nil` without time shift.
    var placementOfGap: ArchivePlacement? { policy.windowSeconds > 0 ? ArchivePlacement(.missing) : nil }

    /// Hands an accepted segment to the recorder.
    func write(_ accepted: AcceptedSegment) {
        if inbox.send(.segment(accepted)) { return }
        accepted.placement.resolve(nil)
        if let byteCount = accepted.reservedByteCount { writer.release(byteCount: byteCount) }
    }

    /// Tells the recorder that a push, or the slate, has ended.
    func end(epoch: String) { inbox.send(.end(epoch: epoch, now: writer.clock.now())) }

    // MARK: Recording

    /// Starts a recording with the next finished segment. Has no effect while a recording is running.
    func startRecording() {
        recorder.announceRecording()
        writer.queue.async { [recorder] in recorder.startRecording() }
    }

    /// Stops the recording, which becomes a title. Has no effect while nothing is recorded.
    ///
    /// Returns when the recording has been closed.
    func stopRecording() async {
        await withCheckedContinuation { continuation in
            writer.queue.async { [recorder] in
                recorder.stopRecording()
                continuation.resume()
            }
        }
    }
}
