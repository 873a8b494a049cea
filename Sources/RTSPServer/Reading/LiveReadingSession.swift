import LiveChannels
import MediaCore
import NIOCore
import RTPTransport
import RTSPProtocol
import SessionDescription

/// One reader of a live channel, from DESCRIBE (or the first SETUP) to its end. Confined to its connection's event
/// loop.
///
/// When the push ends the reader is told (BYE) and the session is over: what comes next may be of other codecs, and
/// a player that connects again gets them described.
final class LiveReadingSession: ReadingSession {
    private let group: LiveReaderGroup
    private let broadcast: LiveBroadcast
    private let described: ReadingDescription
    /// From position in the description to position in the broadcast.
    private let indices: [Int]
    /// The other way; `nil` where the track is not described.
    private let positions: [Int?]
    let delivery: PacketDelivery
    private var phase = Phase.ready
    private var queue: ReaderQueue
    private let queueLimits: ReaderQueueLimits
    private var refillTask: Scheduled<Void>?
    private var earlierDroppedUnitCount = 0

    private enum Phase {
        /// Described, or paused.
        case ready
        /// Packets are kept until the answer to PLAY is written.
        case starting
        case playing
        /// The last words are being flushed.
        case ending
        case ended
    }

    /// - Parameter title: the channel's, for people.
    /// - Returns: `nil` while nothing is pushed, or while the parameters of a video track are still to come.
    init?(
        group: LiveReaderGroup, title: String, isIPv6: Bool, output: any ReadingOutput,
        queueLimits: ReaderQueueLimits = .standard
    ) {
        guard let broadcast = group.fanOut.broadcast else { return nil }
        var tracks: [ReadingDescription.DescribedTrack] = []
        var indices: [Int] = []
        for (index, track) in broadcast.tracks.enumerated() {
            guard
                let format = RTPPayloadFormat(configuration: track.configuration, foreignCodec: track.foreignCodec)
            else {
                // Sound alone would be all that this reader ever gets.
                if track.track.mediaType == .video { return nil }
                continue
            }
            tracks.append(
                ReadingDescription.DescribedTrack(
                    trackIndex: tracks.count, format: format, payloadType: format.payloadType(trackIndex: index),
                    clock: format.liveClock(of: track.track), language: track.track.language))
            indices.append(index)
        }
        guard !tracks.isEmpty else { return nil }
        self.group = group
        self.broadcast = broadcast
        self.indices = indices
        positions = broadcast.tracks.indices.map { indices.firstIndex(of: $0) }
        described = ReadingDescription(
            name: title, identifier: UInt64(clamping: broadcast.identifier), range: "npt=now-", isIPv6: isIPv6,
            tracks: tracks)
        delivery = PacketDelivery(output: output, trackCount: tracks.count)
        self.queueLimits = queueLimits
        queue = ReaderQueue(videoTracks: [], limits: queueLimits)
    }

    var description: SDPSession { described.session }
    /// Pictures and sounds that were left out because the reader was too slow.
    var droppedUnitCount: Int { earlierDroppedUnitCount + queue.droppedUnitCount }
    var isPlaying: Bool { if case .playing = phase { true } else { false } }

    // MARK: Requests

    /// The reader takes part from here on, from the last key frame. Live has one place to be: the range is not used.
    func play(from start: MediaTime? = nil, to end: MediaTime? = nil) throws(ReadingError) -> RTSPPlayback {
        guard !delivery.setUpTracks.isEmpty else { throw .nothingSetUp }
        if isOver { throw .gone }
        group.leave(self)
        let (playback, entries) = try group.join(self, broadcast: broadcast.identifier)
        resetQueue()
        phase = .starting
        let now = group.eventLoop.now
        for entry in entries { enqueue(entry, now: now) }
        return playback
    }

    func startSending() {
        guard case .starting = phase else { return }
        phase = .playing
        for (_, index) in setUpTracks {
            if let report = group.report(trackIndex: index) { deliverReport(report, trackIndex: index) }
        }
        drain(now: group.eventLoop.now)
        flush()
    }

    private var isOver: Bool {
        switch phase {
        case .ending, .ended: true
        case .ready, .starting, .playing: false
        }
    }

    /// What comes meanwhile is not kept: PLAY goes on with what is live then.
    func pause() {
        if isOver { return }
        leave()
        phase = .ready
    }

    func end() {
        leave()
        phase = .ended
    }

    private func leave() {
        group.leave(self)
        resetQueue()
    }

    private func resetQueue() {
        refillTask?.cancel()
        refillTask = nil
        earlierDroppedUnitCount += queue.droppedUnitCount
        let video = setUpTracks.filter { described.tracks[$0.position].format.mediaType == .video }
        queue = ReaderQueue(videoTracks: Set(video.map(\.index)), limits: queueLimits)
    }

    func outputBecameWritable() {
        guard case .playing = phase else { return }
        drain(now: group.eventLoop.now)
        flush()
    }

    // MARK: The group's side; tracks by their position in the broadcast

    /// Those that are set up.
    var setUpTracks: [(position: Int, index: Int)] { delivery.setUpTracks.map { ($0, indices[$0]) } }

    func reads(_ index: Int) -> Bool { position(of: index) != nil }

    func isHopeless(now: NIODeadline) -> Bool { queue.isHopeless(now: now) }

    func deliver(_ entry: ReaderQueue.Entry, now: NIODeadline) {
        enqueue(entry, now: now)
        if case .playing = phase { drain(now: now) }
    }

    /// A report that finds the connection full is left out; the next one says more.
    func deliverReport(_ report: RTPPacketBatch, trackIndex index: Int) {
        guard case .playing = phase, let position = position(of: index) else { return }
        let now = group.eventLoop.now
        guard delivery.readiness(of: position, now: now) == .ready else { return }
        delivery.send(report, trackIndex: position, isRTCP: true, now: now)
    }

    func flush() { delivery.flush() }

    /// The session ends by itself.
    func finish(_ reason: ReadingEndReason) {
        if isOver { return }
        leave()
        phase = .ending
        delivery.flush()
        // The connection may have ended with it.
        guard case .ending = phase else { return }
        phase = .ended
        delivery.end(reason)
    }

    private func position(of index: Int) -> Int? {
        guard positions.indices.contains(index), let position = positions[index], delivery.isSetUp(position) else {
            return nil
        }
        return position
    }

    private func enqueue(_ entry: ReaderQueue.Entry, now: NIODeadline) {
        guard position(of: entry.trackIndex) != nil else { return }
        let droppedBefore = queue.droppedUnitCount
        queue.append(entry, now: now)
        let dropped = queue.droppedUnitCount - droppedBefore
        if dropped > 0 { delivery.dropped(unitCount: dropped) }
    }

    /// As much as the connection takes.
    private func drain(now: NIODeadline) {
        while let trackIndex = queue.nextTrackIndex {
            guard let position = position(of: trackIndex) else {
                // Released meanwhile.
                _ = queue.popFirst()
                continue
            }
            switch delivery.readiness(of: position, now: now) {
            case .ready: break
            case .blocked: return
            case .notBefore(let time): return refill(at: time)
            }
            guard let entry = queue.popFirst() else { return }
            delivery.send(entry.batch, trackIndex: position, now: now)
        }
    }

    private func refill(at time: NIODeadline) {
        guard refillTask == nil else { return }
        refillTask = group.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [weak self] in
            guard let self else { return }
            refillTask = nil
            outputBecameWritable()
        }
    }
}
