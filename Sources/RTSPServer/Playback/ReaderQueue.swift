import NIOCore
import RTPTransport

/// The packets of one reader that its connection has not accepted yet. If they become too many or too old, whole
/// frames are dropped up to the next key frame.
struct ReaderQueue {
    struct Entry {
        var trackIndex: Int
        var batch: RTPPacketBatch
        /// Whether the entry is video, which depends on the entries before it unless decoding can start there.
        var isVideo: Bool
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
    /// Number of frames, video and audio, that the reader did not get because it was too slow.
    private(set) var droppedUnitCount = 0

    /// - Parameter videoTracks: the video tracks that the reader has set up; each starts with a key frame.
    init(videoTracks: Set<Int>, limits: ReaderQueueLimits = .standard) {
        self.videoTracks = videoTracks
        self.limits = limits
        waitingTracks = videoTracks
    }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    /// Track of the next entry; `nil` if the queue is empty.
    var nextTrackIndex: Int? { entries.first?.entry.trackIndex }

    /// Whether the reader must be dropped, because dropping frames did not help.
    func isHopeless(now: NIODeadline) -> Bool {
        behindSince.map { now - $0 >= limits.maximumTimeBehind } ?? false
    }

    mutating func append(_ entry: Entry, now: NIODeadline) {
        if entry.isVideo, waitingTracks.contains(entry.trackIndex) {
            guard entry.isRandomAccessPoint else {
                // A reader that has just joined has not lost anything.
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

    /// Whether a reader can continue at this entry without the frames before it.
    private func isStart(_ entry: Entry) -> Bool {
        entry.isRandomAccessPoint && (entry.isVideo || videoTracks.isEmpty)
    }

    private mutating func noteLoss(now: NIODeadline) {
        if lastLoss.map({ now - $0 >= limits.recoveryTime }) ?? true { behindSince = now }
        lastLoss = now
    }
}
