import Dispatch
import MediaCore
import NIOCore
import Packaging
import Synchronization

/// Delivers a channel's messages to its recorder, one after the other, on the writer's queue.
///
/// The memory that messages hold is bounded: the media of segments is bounded for all channels by
/// ``ArchiveWriter/reserve(byteCount:)``, and the number of messages by ``maximumMessageCount``. Messages beyond that
/// are dropped; when the queue has been worked off, the recorder is told which push is shown by then, and continues
/// after a hole.
final class RecorderInbox: Sendable {
    enum Message: Sendable {
        case begin(RecordedEpoch)
        case register(ByteBuffer, of: RenditionID, epoch: String, number: Int)
        case segment(AcceptedSegment)
        /// - Parameter now: the current time.
        case end(epoch: String, now: WallClockTime)
    }

    /// Limit on waiting messages: twice the number of segments that may wait with their media for all channels, which
    /// leaves room for headers of lost segments.
    static let maximumMessageCount = 2 * ArchiveWriter.maximumPendingSegmentCount

    private let queue: DispatchQueue
    private let recorder: ChannelRecorder
    private let state = Mutex(State())

    fileprivate struct State: Sendable {
        var messageCount = 0
        /// True if messages are dropped until those that wait have been worked off.
        var isOverrun = false
        /// The epoch after all messages, including the dropped ones; `nil` while nothing is shown.
        var epoch: RecordedEpoch?
    }

    init(queue: DispatchQueue, recorder: ChannelRecorder) {
        self.queue = queue
        self.recorder = recorder
    }

    /// Number of messages that have been accepted and not worked off yet.
    var count: Int { state.withLock(\.messageCount) }

    /// Queues a message.
    ///
    /// - Returns: whether the message will be worked off.
    @discardableResult
    func send(_ message: Message) -> Bool {
        let isTaken = state.withLock { state in
            state.note(message)
            if state.messageCount >= Self.maximumMessageCount { state.isOverrun = true }
            if !state.isOverrun { state.messageCount += 1 }
            return !state.isOverrun
        }
        if isTaken { queue.async { self.work(message) } }
        return isTaken
    }

    private func work(_ message: Message) {
        recorder.take(message)
        let missed = state.withLock { state -> RecordedEpoch?? in
            state.messageCount -= 1
            guard state.isOverrun, state.messageCount == 0 else { return nil }
            state.isOverrun = false
            return .some(state.epoch)
        }
        // Messages sent from now on follow this one on the queue.
        if let missed { recorder.catchUp(with: missed) }
    }
}

extension RecorderInbox.State {
    fileprivate mutating func note(_ message: RecorderInbox.Message) {
        switch message {
        case .begin(let epoch): self.epoch = epoch
        case .register(let bytes, let id, let identifier, let number):
            guard epoch?.identifier == identifier else { return }
            epoch?.sections[id] = RecordedEpoch.Section(number: number, bytes: bytes)
        case .segment: break
        case .end(let identifier, _): if epoch?.identifier == identifier { epoch = nil }
        }
    }
}
