import Codecs
import LiveChannels
import MediaCore
import NIOCore
import RTPTransport
import RTSPProtocol

/// All readers of a channel on one event loop. Each unit is packetized once for all of them; this copies its bytes
/// into a single buffer that is given to each reader's connection.
final class LiveReaderGroup: LiveFanOutReceiver {
    let fanOut: LiveFanOut
    let eventLoop: any EventLoop
    private let wallClock: WallClock
    private var subscription: Int?
    private var broadcast: LiveBroadcast?
    /// Tracks by position in the broadcast; `nil` while the track's parameters are not known.
    private var tracks: [OutgoingTrack?] = []
    private var kept = KeptPackets()
    private var anchor: MediaClockAnchor?
    /// Presentation time of the key frame that ``kept`` starts with; `nil` if it is empty.
    private var keptStart: MediaTime?
    private var readers: [LivePlaybackSession] = []
    private var reportTask: Scheduled<Void>?
    private var isFlushScheduled = false

    private struct OutgoingTrack {
        var packetizer: RTPPacketizer
        let track: Track

        var isVideo: Bool { packetizer.format.mediaType == .video }
    }

    /// Interval of sender reports; RFC 3550 §6.2 recommends at least 5 s.
    static let reportInterval = Duration.seconds(5)
    static let canonicalName = "antena"

    init(fanOut: LiveFanOut, eventLoop: any EventLoop, wallClock: WallClock = .system) {
        self.fanOut = fanOut
        self.eventLoop = eventLoop
        self.wallClock = wallClock
    }

    var readerCount: Int { readers.count }

    // MARK: Readers

    /// Adds a reader.
    ///
    /// - Returns: the start of the reader's media, and the packets that it gets immediately.
    func join(
        _ reader: LivePlaybackSession, broadcast identifier: Int
    ) throws(PlaybackError) -> (playback: RTSPPlayback, entries: [ReaderQueue.Entry]) {
        if readers.isEmpty { subscribe() }
        guard let broadcast, broadcast.identifier == identifier else {
            if readers.isEmpty { unsubscribe() }
            throw .gone
        }
        readers.append(reader)
        if reportTask == nil { scheduleReports() }
        return (playback(for: reader), kept.entries)
    }

    func leave(_ reader: LivePlaybackSession) {
        guard let index = readers.firstIndex(where: { $0 === reader }) else { return }
        readers.remove(at: index)
        guard readers.isEmpty else { return }
        unsubscribe()
        reportTask?.cancel()
        reportTask = nil
    }

    /// Subscribes to the channel and packetizes the units since the last key frame.
    private func subscribe() {
        let new = fanOut.subscribe(self, on: eventLoop)
        subscription = new.identifier
        follow(new.broadcast)
        for unit in new.units { _ = packetize(unit) }
        // The kept units arrived over some time; the last one has just arrived.
        if let last = new.units.last, let track = track(of: last) { follow(last.unit, of: track) }
    }

    private func unsubscribe() {
        if let subscription { fanOut.unsubscribe(subscription) }
        subscription = nil
        clearKept()
    }

    /// The start positions for RTP-Info (RFC 2326 §12.33). All timestamps denote the same instant, so that players
    /// synchronize audio and video from the first packet.
    private func playback(for reader: LivePlaybackSession) -> RTSPPlayback {
        let time = keptStart ?? anchor?.mediaTime(at: eventLoop.now)
        let streams = reader.setUpTracks.compactMap { position, index -> RTPStreamInfo? in
            guard tracks.indices.contains(index), let track = tracks[index] else { return nil }
            let stream = track.packetizer.stream
            let first = kept.entries.first { $0.trackIndex == index }?.batch.firstSequenceNumber
            return RTPStreamInfo(
                trackIndex: position, sequenceNumber: first ?? (track.isVideo ? nil : stream.nextSequenceNumber),
                rtpTimestamp: time.map(stream.rtpTimestamp))
        }
        return RTSPPlayback(range: RTSPRange(start: .now), streams: streams)
    }

    // MARK: Events of the publisher

    func receive(_ event: LiveFanOutEvent, subscription: Int) {
        eventLoop.preconditionInEventLoop()
        guard subscription == self.subscription else { return }
        switch event {
        // A new push ends the previous one.
        case .began, .ended: endAll(.publisherLeft)
        case .configured(let configuration, let index): configure(configuration, trackIndex: index)
        case .unit(let unit): send(unit)
        }
    }

    /// Follows another push. If it has been followed before, its streams continue with their numbers.
    private func follow(_ new: LiveBroadcast?) {
        if new?.identifier != broadcast?.identifier {
            tracks = []
            anchor = nil
        }
        clearKept()
        broadcast = new
        for (index, track) in (new?.tracks ?? []).enumerated() { makeTrack(track, index: index) }
    }

    private func makeTrack(_ track: LiveReaderTrack, index: Int) {
        if !tracks.indices.contains(index) { tracks.append(nil) }
        guard let format = RTPPayloadFormat(configuration: track.configuration, foreignCodec: track.foreignCodec) else {
            return
        }
        if let current = tracks[index], current.packetizer.format.isContinued(by: format) {
            tracks[index]?.packetizer.update(format)
            return
        }
        var generator = SystemRandomNumberGenerator()
        let stream = RTPPacketStream(
            payloadType: format.payloadType(trackIndex: index), clock: format.liveClock(of: track.track),
            channel: UInt8(clamping: 2 * min(index, 126)), using: &generator)
        tracks[index] = OutgoingTrack(
            packetizer: RTPPacketizer(format: format, timescale: track.track.timescale, stream: stream),
            track: track.track)
    }

    private func configure(_ configuration: CodecConfiguration, trackIndex: Int) {
        guard let tracks = broadcast?.tracks, tracks.indices.contains(trackIndex) else { return }
        var track = tracks[trackIndex]
        track.configuration = configuration
        broadcast?.tracks[trackIndex] = track
        let before = self.tracks[trackIndex]?.packetizer.format
        let after = RTPPayloadFormat(configuration: configuration, foreignCodec: track.foreignCodec)
        if let before, after.map(before.isContinued) != true {
            for reader in readers where reader.reads(trackIndex) { end(reader, .codecChanged) }
            self.tracks[trackIndex] = nil
            clearKept()
        }
        makeTrack(track, index: trackIndex)
    }

    private func send(_ unit: LiveUnit) {
        guard let track = track(of: unit) else { return }
        let now = eventLoop.now
        follow(unit.unit, of: track)
        guard let entry = packetize(unit) else { return }
        for reader in readers { reader.deliver(entry, now: now) }
        for reader in readers where reader.isHopeless(now: now) { end(reader, .tooSlow) }
        scheduleFlush()
    }

    /// The track of a unit; `nil` while its parameters are not known.
    private func track(of unit: LiveUnit) -> Track? {
        tracks.indices.contains(unit.trackIndex) ? tracks[unit.trackIndex]?.track : nil
    }

    /// Packetizes a unit once for all current readers, and for readers that will join.
    private func packetize(_ unit: LiveUnit) -> ReaderQueue.Entry? {
        let index = unit.trackIndex
        guard tracks.indices.contains(index), let batch = tracks[index]?.packetizer.packetize(unit.unit),
            !batch.isEmpty, let track = tracks[index]
        else { return nil }
        let entry = ReaderQueue.Entry(
            trackIndex: index, batch: batch, isVideo: track.isVideo,
            isRandomAccessPoint: unit.unit.isRandomAccessPoint)
        keep(entry, unit.unit, track)
        return entry
    }

    /// Updates the relation between the publisher's clock and the wall clock. If it has changed, readers get a report
    /// immediately, before the next packets: a player that only knows where each track started (ffmpeg) would
    /// otherwise combine late video with early audio.
    private func follow(_ unit: AccessUnit, of track: Track) {
        let now = eventLoop.now
        let time = MediaTime(value: unit.decodeTime, timescale: track.timescale)
        if let anchor, !anchor.isFar(from: time, at: now) { return }
        anchor = MediaClockAnchor(mediaTime: time, deadline: now, wallClockTime: wallClock.now())
        sendReports()
    }

    private func keep(_ entry: ReaderQueue.Entry, _ unit: AccessUnit, _ track: OutgoingTrack) {
        let isLeading = entry.trackIndex == tracks.firstIndex { $0?.isVideo == true }
        if isLeading, unit.isRandomAccessPoint {
            keptStart = MediaTime(value: unit.presentationTime, timescale: track.track.timescale)
        }
        kept.append(entry, isLeading: isLeading)
        if kept.entries.isEmpty { keptStart = nil }
    }

    private func clearKept() {
        kept.clear()
        keptStart = nil
    }

    /// Schedules a flush, so that units that arrive in one iteration of the loop need one system call per reader.
    private func scheduleFlush() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        eventLoop.assumeIsolated().execute { [self] in
            isFlushScheduled = false
            for reader in readers { reader.flush() }
        }
    }

    // MARK: Reports

    private func scheduleReports() {
        reportTask = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(Self.reportInterval)) { [weak self] in
            guard let self, !readers.isEmpty else { return }
            sendReports()
            scheduleReports()
        }
    }

    private func sendReports() {
        let reports = tracks.indices.map { report(trackIndex: $0) }
        for reader in readers {
            for (index, report) in reports.enumerated() {
                if let report { reader.deliverReport(report, trackIndex: index) }
            }
            reader.flush()
        }
    }

    /// A sender report of a track; `nil` while the track has sent nothing.
    func report(trackIndex: Int) -> RTPPacketBatch? {
        guard let anchor, tracks.indices.contains(trackIndex), let stream = tracks[trackIndex]?.packetizer.stream
        else { return nil }
        let now = eventLoop.now
        let packets = stream.senderReport(
            time: anchor.mediaTime(at: now), wallClockTime: anchor.wallClockTime(at: now),
            canonicalName: Self.canonicalName)
        return RTPPacketBatch(compound: packets, channel: stream.channel + 1)
    }

    private func goodbye(trackIndex: Int) -> RTPPacketBatch? {
        guard tracks.indices.contains(trackIndex), let stream = tracks[trackIndex]?.packetizer.stream else {
            return nil
        }
        return RTPPacketBatch(
            compound: stream.goodbye(canonicalName: Self.canonicalName), channel: stream.channel + 1)
    }

    // MARK: Ends

    private func endAll(_ reason: PlaybackEndReason) {
        for reader in readers { end(reader, reason) }
    }

    private func end(_ reader: LivePlaybackSession, _ reason: PlaybackEndReason) {
        for (_, index) in reader.setUpTracks {
            if let goodbye = goodbye(trackIndex: index) { reader.deliverReport(goodbye, trackIndex: index) }
        }
        reader.finish(reason)
    }
}

extension RTPPayloadFormat {
    /// The RTP clock of a live track. AAC keeps the publisher's clock: for HE-AAC, some publishers count the core
    /// coder's samples and others the output's.
    func liveClock(of track: Track) -> Timescale {
        if case .aac = self { track.timescale } else { clock }
    }
}
