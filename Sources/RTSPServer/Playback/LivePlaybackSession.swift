import LiveChannels
import MediaCore
import NIOCore
import RTPTransport
import RTSPProtocol
import SessionDescription

/// One reader of a live channel, from DESCRIBE (or the first SETUP) to its end. Confined to its connection's event
/// loop.
///
/// When the push ends, the reader gets a BYE and the session ends: the next push may use other codecs, and a player
/// that reconnects gets a new description.
final class LivePlaybackSession: PlaybackSession {
    private let group: LiveReaderGroup
    private let broadcast: LiveBroadcast
    private let described: PlaybackDescription
    /// Position in the broadcast, indexed by position in the description.
    private let indices: [Int]
    /// Position in the description, indexed by position in the broadcast; `nil` if the track is not described.
    private let positions: [Int?]
    let delivery: PacketDelivery
    var phase = PlaybackPhase<Void, Void>.ready
    private var queue: ReaderQueue
    private let queueLimits: ReaderQueueLimits
    private var refillTask: Scheduled<Void>?
    private var earlierDroppedUnitCount = 0

    /// - Parameters:
    ///   - group: the channel's readers on the event loop.
    ///   - title: human-readable title of the channel.
    ///   - isIPv6: whether the connection uses IPv6.
    ///   - output: output to the reader.
    ///   - queueLimits: limits on the packets that are held for the reader.
    /// - Returns: `nil` if nobody publishes, or if the parameters of a video track are not known yet.
    init?(
        group: LiveReaderGroup, title: String, isIPv6: Bool, output: any PlaybackOutput,
        queueLimits: ReaderQueueLimits = .standard
    ) {
        guard let broadcast = group.fanOut.broadcast else { return nil }
        var tracks: [PlaybackDescription.DescribedTrack] = []
        var indices: [Int] = []
        for (index, track) in broadcast.tracks.enumerated() {
            guard
                let format = RTPPayloadFormat(configuration: track.configuration, foreignCodec: track.foreignCodec)
            else {
                // Without video parameters, this reader would get audio only, for the whole session.
                if track.track.mediaType == .video { return nil }
                continue
            }
            tracks.append(
                PlaybackDescription.DescribedTrack(
                    trackIndex: tracks.count, format: format, payloadType: format.payloadType(trackIndex: index),
                    clock: format.liveClock(of: track.track), language: track.track.language))
            indices.append(index)
        }
        guard !tracks.isEmpty else { return nil }
        self.group = group
        self.broadcast = broadcast
        self.indices = indices
        positions = broadcast.tracks.indices.map { indices.firstIndex(of: $0) }
        described = PlaybackDescription(
            name: title, identifier: UInt64(clamping: broadcast.identifier), range: "npt=now-", isIPv6: isIPv6,
            tracks: tracks)
        delivery = PacketDelivery(output: output, trackCount: tracks.count)
        self.queueLimits = queueLimits
        queue = ReaderQueue(videoTracks: [], limits: queueLimits)
    }

    var description: SDPSession { described.session }
    /// Number of frames, video and audio, that were dropped because the reader was too slow.
    var droppedUnitCount: Int { earlierDroppedUnitCount + queue.droppedUnitCount }

    // MARK: Requests

    /// Starts playback at the last key frame. The range is ignored, because a live channel can only be played at its
    /// live edge.
    func play(from start: MediaTime? = nil, to end: MediaTime? = nil) throws(PlaybackError) -> RTSPPlayback {
        try requirePlayable()
        group.leave(self)
        let (playback, entries) = try group.join(self, broadcast: broadcast.identifier)
        resetQueue()
        phase = .starting(())
        let now = group.eventLoop.now
        for entry in entries { enqueue(entry, now: now) }
        return playback
    }

    func startSending() {
        guard case .starting = phase else { return }
        phase = .playing(())
        for (_, index) in setUpTracks {
            if let report = group.report(trackIndex: index) { deliverReport(report, trackIndex: index) }
        }
        drain(now: group.eventLoop.now)
        flush()
    }

    /// Stops sending. Packets are not kept in the meantime: PLAY continues at the live edge.
    func stopSending() {
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

    // MARK: Called by the group, with positions in the broadcast

    /// Tracks that are set up, with their positions in the description and in the broadcast.
    var setUpTracks: [(position: Int, index: Int)] { delivery.setUpTracks.map { ($0, indices[$0]) } }

    func reads(_ index: Int) -> Bool { position(of: index) != nil }

    func isHopeless(now: NIODeadline) -> Bool { queue.isHopeless(now: now) }

    func deliver(_ entry: ReaderQueue.Entry, now: NIODeadline) {
        enqueue(entry, now: now)
        if case .playing = phase { drain(now: now) }
    }

    /// Sends a report; drops it if the connection is full, because the next report replaces it.
    func deliverReport(_ report: RTPPacketBatch, trackIndex index: Int) {
        guard case .playing = phase, let position = position(of: index) else { return }
        let now = group.eventLoop.now
        guard delivery.readiness(of: position, now: now) == .ready else { return }
        delivery.send(report, trackIndex: position, isRTCP: true, now: now)
    }

    func flush() { delivery.flush() }

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

    /// Sends as many queued packets as the connection accepts.
    private func drain(now: NIODeadline) {
        while let trackIndex = queue.nextTrackIndex {
            guard let position = position(of: trackIndex) else {
                // The track was released in the meantime.
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
