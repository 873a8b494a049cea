import NIOCore
import RTPTransport

/// What one reader may be behind.
struct ReaderQueueLimits: Hashable, Sendable {
    /// Shared with all who wait for the same packets, so it bounds how long the oldest live rather than the sum. Holds
    /// a start (``KeptPackets/maximumByteCount``) and two seconds of 16 Mbit/s behind it.
    var maximumByteCount = 8 << 20
    /// Who is later than this shows something else than the others do.
    var maximumDelay = TimeAmount.seconds(4)
    /// A reader that has been losing pictures for this long will not get better: its line is too slow.
    var maximumTimeBehind = TimeAmount.seconds(30)
    /// Without a loss for this long, a reader keeps up again.
    var recoveryTime = TimeAmount.seconds(10)

    static let standard = ReaderQueueLimits()
}

/// One reader's packets that the connection did not take yet. When they get too many or too old, whole pictures go,
/// up to the next key frame.
struct ReaderQueue {
    struct Entry {
        var trackIndex: Int
        var batch: RTPPacketBatch
        /// Of video: depends on those before it, unless decoding can start here.
        var isPicture: Bool
        var isRandomAccessPoint: Bool
    }

    private struct QueuedEntry {
        var entry: Entry
        var since: NIODeadline
    }

    private let limits: ReaderQueueLimits
    private let videoTracks: Set<Int>
    private var entries = CircularBuffer<QueuedEntry>()
    private var waitingTracks: Set<Int>
    private var behindSince: NIODeadline?
    private var lastLoss: NIODeadline?
    private(set) var byteCount = 0
    /// Pictures and sounds that the reader did not get because it was too slow.
    private(set) var droppedUnitCount = 0

    /// - Parameter videoTracks: those that the reader has set up; each starts with a key frame.
    init(videoTracks: Set<Int>, limits: ReaderQueueLimits = .standard) {
        self.videoTracks = videoTracks
        self.limits = limits
        waitingTracks = videoTracks
    }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    /// `nil` where the queue is empty.
    var nextTrackIndex: Int? { entries.first?.entry.trackIndex }

    /// Not even dropping pictures helped.
    func isHopeless(now: NIODeadline) -> Bool {
        behindSince.map { now - $0 >= limits.maximumTimeBehind } ?? false
    }

    mutating func append(_ entry: Entry, now: NIODeadline) {
        if entry.isPicture, waitingTracks.contains(entry.trackIndex) {
            guard entry.isRandomAccessPoint else {
                // A reader that has just come lost nothing.
                if behindSince != nil { droppedUnitCount += 1 }
                return
            }
            waitingTracks.remove(entry.trackIndex)
        }
        entries.append(QueuedEntry(entry: entry, since: now))
        byteCount += entry.batch.byteCount
        while isOverfull(now: now) { dropToNextStart(now: now) }
    }

    mutating func popFirst() -> Entry? {
        guard let first = entries.popFirst() else { return nil }
        byteCount -= first.entry.batch.byteCount
        return first.entry
    }

    private func isOverfull(now: NIODeadline) -> Bool {
        guard let first = entries.first else { return false }
        return byteCount > limits.maximumByteCount || now - first.since > limits.maximumDelay
    }

    private mutating func dropToNextStart(now: NIODeadline) {
        noteLoss(now: now)
        dropFirst()
        while let next = entries.first, !isStart(next.entry) { dropFirst() }
        if entries.isEmpty { waitingTracks = videoTracks }
    }

    private mutating func dropFirst() {
        guard popFirst() != nil else { return }
        droppedUnitCount += 1
    }

    /// Where a reader without pictures before it may go on.
    private func isStart(_ entry: Entry) -> Bool {
        entry.isRandomAccessPoint && (entry.isPicture || videoTracks.isEmpty)
    }

    private mutating func noteLoss(now: NIODeadline) {
        if lastLoss.map({ now - $0 >= limits.recoveryTime }) ?? true { behindSince = now }
        lastLoss = now
    }
}
