import Codecs
import LiveChannels
import MediaCore
import NIOCore
import RTPTransport
import RTSPProtocol

/// All who read a channel on one event loop. A unit is made into packets once for all of them; its bytes are copied
/// then, into the one buffer that every reader's connection is given.
final class LiveReaderGroup: LiveFanOutReceiver {
    let fanOut: LiveFanOut
    let eventLoop: any EventLoop
    private let wallClock: WallClock
    private var subscription: Int?
    private var broadcast: LiveBroadcast?
    /// By position in the broadcast; `nil` while the track's parameters are not known.
    private var tracks: [OutgoingTrack?] = []
    private var kept = KeptPackets()
    private var anchor: MediaClockAnchor?
    /// Of the key frame that ``kept`` starts with.
    private var keptStart: MediaTime?
    private var readers: [LiveReadingSession] = []
    private var reportTask: Scheduled<Void>?
    private var isFlushScheduled = false

    private struct OutgoingTrack {
        var packetizer: RTPPacketizer
        let track: Track

        var isVideo: Bool { packetizer.format.mediaType == .video }
    }

    /// RFC 3550 §6.2 recommends 5 s as the least.
    static let reportInterval = TimeAmount.seconds(5)
    static let canonicalName = "antena"

    init(fanOut: LiveFanOut, eventLoop: any EventLoop, wallClock: WallClock = .system) {
        self.fanOut = fanOut
        self.eventLoop = eventLoop
        self.wallClock = wallClock
    }

    var readerCount: Int { readers.count }

    // MARK: Readers

    /// - Returns: where the reader's media starts, and what it gets at once.
    func join(
        _ reader: LiveReadingSession, broadcast identifier: Int
    ) throws(ReadingError) -> (playback: RTSPPlayback, entries: [ReaderQueue.Entry]) {
        if readers.isEmpty { subscribe() }
        guard let broadcast, broadcast.identifier == identifier else {
            if readers.isEmpty { unsubscribe() }
            throw .gone
        }
        readers.append(reader)
        if reportTask == nil { scheduleReports() }
        return (playback(for: reader), kept.entries)
    }

    func leave(_ reader: LiveReadingSession) {
        guard let index = readers.firstIndex(where: { $0 === reader }) else { return }
        readers.remove(at: index)
        guard readers.isEmpty else { return }
        unsubscribe()
        reportTask?.cancel()
        reportTask = nil
    }

    /// With what was kept since the last key frame.
    private func subscribe() {
        let new = fanOut.subscribe(self, on: eventLoop)
        subscription = new.identifier
        follow(new.broadcast)
        for unit in new.units { _ = packetize(unit) }
        // What is kept has come over some time; its last unit has just come.
        if let last = new.units.last, let track = track(of: last) { follow(last.unit, of: track) }
    }

    private func unsubscribe() {
        fanOut.unsubscribe(on: eventLoop)
        subscription = nil
        clearKept()
    }

    /// RFC 2326 §12.33: the timestamps stand for one instant, so that players have sound and pictures together from
    /// the first packet on.
    private func playback(for reader: LiveReadingSession) -> RTSPPlayback {
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

    // MARK: What the publisher sends

    func receive(_ event: LiveFanOutEvent, subscription: Int) {
        eventLoop.preconditionInEventLoop()
        guard subscription == self.subscription else { return }
        switch event {
        // A push that begins ends the one before.
        case .began, .ended: endAll(.publisherLeft)
        case .configured(let configuration, let index): configure(configuration, trackIndex: index)
        case .unit(let unit): send(unit)
        }
    }

    /// Streams of a push that has been read before go on, with their numbers.
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

    /// `nil` while its parameters are not known.
    private func track(of unit: LiveUnit) -> Track? {
        tracks.indices.contains(unit.trackIndex) ? tracks[unit.trackIndex]?.track : nil
    }

    /// Once for all readers, those included that are still to come.
    private func packetize(_ unit: LiveUnit) -> ReaderQueue.Entry? {
        let index = unit.trackIndex
        guard tracks.indices.contains(index), let batch = tracks[index]?.packetizer.packetize(unit.unit),
            !batch.isEmpty, let track = tracks[index]
        else { return nil }
        let entry = ReaderQueue.Entry(
            trackIndex: index, batch: batch, isPicture: track.isVideo,
            isRandomAccessPoint: unit.unit.isRandomAccessPoint)
        keep(entry, unit.unit, track)
        return entry
    }

    /// The wall clock that goes with the publisher's. Readers are told at once: before the first packets, because
    /// those who only know where each track started would put late pictures to early sound (ffmpeg).
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

    /// Units that arrive in one turn of the loop go out by one system call for each reader.
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
        reportTask = eventLoop.assumeIsolated().scheduleTask(in: Self.reportInterval) { [weak self] in
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

    /// `nil` while the track has sent nothing.
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

    private func endAll(_ reason: ReadingEndReason) {
        for reader in readers { end(reader, reason) }
    }

    private func end(_ reader: LiveReadingSession, _ reason: ReadingEndReason) {
        for (_, index) in reader.setUpTracks {
            if let goodbye = goodbye(trackIndex: index) { reader.deliverReport(goodbye, trackIndex: index) }
        }
        reader.finish(reason)
    }
}

extension RTPPayloadFormat {
    /// AAC keeps the publisher's clock: for HE-AAC some count the core coder's samples, others the output's.
    func liveClock(of track: Track) -> Timescale {
        if case .aac = self { track.timescale } else { clock }
    }
}
