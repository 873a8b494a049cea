import LiveChannels
import MediaCore
import NIOCore
import Packaging
import RTPTransport
import RTSPProtocol
import SessionDescription

/// One reader of a title, from DESCRIBE (or the first SETUP) to its end. Confined to its connection's event loop.
///
/// Samples are sent when their time comes, a little ahead. A reader that takes them more slowly is waited for: nothing
/// is kept for it but one read of the file for each track.
final class TitleReadingSession: ReadingSession {
    private let title: PackagedTitle
    private let eventLoop: any EventLoop
    private let reading: TitleFileReading
    private let wallClock: WallClock
    private let described: ReadingDescription
    private var tracks: [TitleTrackReader]
    let delivery: PacketDelivery
    private var phase = Phase.ready
    private var timer: Scheduled<Void>?
    private var reportTask: Scheduled<Void>?
    private var isReading = false
    /// Counts seeks and pauses, so that a read that was under way is known to be of before.
    private var generation = 0
    /// The session's timeline, which goes on over seeks as RFC 2326 appendix B has it, is the title's and this.
    private var shift = MediaTime.zero(.microseconds)
    /// The furthest that was sent, on the title's timeline.
    private var sentUntil = MediaTime.zero(.microseconds)
    /// Where the range that was asked for ends; `nil` for the end of the title.
    private var endTime: MediaTime?
    private var hasPlayed = false

    private enum Phase {
        /// Described, or paused.
        case ready
        /// The answer to PLAY is not written yet.
        case starting(MediaTime)
        /// - Parameter anchor: which time of the title is due.
        case playing(anchor: MediaClockAnchor)
        /// The last words are being flushed.
        case ending
        case ended
    }

    /// Players start at once and have something to smooth a busy disk or network with.
    static let lead = TimeAmount.seconds(1)
    static let reportInterval = LiveReaderGroup.reportInterval
    /// More audio tracks than that are left out of the description.
    static let maximumTrackCount = 8

    /// - Returns: `nil` where no track has a payload format here.
    init?(
        title: PackagedTitle, name: String, isIPv6: Bool, output: any ReadingOutput, eventLoop: any EventLoop,
        reading: TitleFileReading, wallClock: WallClock = .system
    ) {
        var described: [ReadingDescription.DescribedTrack] = []
        var tracks: [TitleTrackReader] = []
        for rendition in title.renditions.prefix(Self.maximumTrackCount) {
            guard let format = RTPPayloadFormat(configuration: rendition.configuration, foreignCodec: nil) else {
                continue
            }
            described.append(
                ReadingDescription.DescribedTrack(
                    trackIndex: tracks.count, format: format,
                    payloadType: format.payloadType(trackIndex: tracks.count), clock: format.clock,
                    language: rendition.track.language))
            tracks.append(TitleTrackReader(rendition: rendition, format: format, trackIndex: tracks.count))
        }
        guard !tracks.isEmpty else { return nil }
        self.title = title
        self.eventLoop = eventLoop
        self.reading = reading
        self.wallClock = wallClock
        self.tracks = tracks
        self.described = ReadingDescription(
            name: name, identifier: UInt64(clamping: title.instance),
            range: "npt=0-\(RTSPRange.normalPlayTime(TimeAmount(title.duration)))",
            isIPv6: isIPv6, tracks: described)
        delivery = PacketDelivery(output: output, trackCount: tracks.count)
    }

    var description: SDPSession { described.session }
    var isPlaying: Bool { if case .playing = phase { true } else { false } }

    // MARK: Requests

    /// From the key frame at or before `start`.
    func play(from start: MediaTime?, to end: MediaTime?) throws(ReadingError) -> RTSPPlayback {
        let setUpTracks = delivery.setUpTracks
        guard !setUpTracks.isEmpty else { throw .nothingSetUp }
        if isOver { throw .gone }
        let zero = MediaTime.zero(.microseconds)
        if let start, start < zero || start >= title.duration { throw .invalidRange }
        if let end, end <= start ?? zero { throw .invalidRange }
        stopSending()
        let resumeTime = hasPlayed ? setUpTracks.compactMap { tracks[$0].resumeTime }.min() : zero
        let position: MediaTime
        if start != nil || !hasPlayed {
            position = seek(to: start ?? zero)
        } else if let resumeTime {
            position = resumeTime
        } else {
            throw .invalidRange
        }
        endTime = end
        hasPlayed = true
        phase = .starting(position)
        return RTSPPlayback(
            range: RTSPRange(from: position, to: end ?? title.duration),
            streams: setUpTracks.map { index in
                let stream = tracks[index].packetizer.stream
                return RTPStreamInfo(
                    trackIndex: index, sequenceNumber: stream.nextSequenceNumber,
                    rtpTimestamp: stream.rtpTimestamp(of: position + shift))
            })
    }

    func startSending() {
        guard case .starting(let position) = phase else { return }
        let anchor = MediaClockAnchor(
            mediaTime: position, deadline: eventLoop.now, wallClockTime: wallClock.now())
        phase = .playing(anchor: anchor)
        sendReports()
        pump()
    }

    private var isOver: Bool {
        switch phase {
        case .ending, .ended: true
        case .ready, .starting, .playing: false
        }
    }

    func pause() {
        if isOver { return }
        stopSending()
        phase = .ready
    }

    func end() {
        stopSending()
        phase = .ended
    }

    private func stopSending() {
        generation += 1
        isReading = false
        timer?.cancel()
        timer = nil
        reportTask?.cancel()
        reportTask = nil
    }

    /// - Returns: where playing starts.
    private func seek(to time: MediaTime) -> MediaTime {
        let before = sentUntil + shift
        var position = time
        let setUpTracks = delivery.setUpTracks
        if let video = setUpTracks.first(where: { tracks[$0].isVideo }) {
            // Pictures may begin later than sound, and decoding earlier than the title.
            let keyFrame = tracks[video].seek(atOrBefore: time) ?? time
            position = max(min(keyFrame, time), MediaTime.zero(.microseconds))
            for index in setUpTracks where index != video { _ = tracks[index].seek(atOrBefore: position) }
        } else {
            for index in setUpTracks { _ = tracks[index].seek(atOrBefore: time) }
        }
        shift = before - position
        sentUntil = position
        return position
    }

    func outputBecameWritable() { pump() }

    // MARK: Sending

    /// Sends what is due, and sees to it that this is called again.
    private func pump() {
        guard case .playing(let anchor) = phase, !isReading else { return }
        timer?.cancel()
        timer = nil
        defer { delivery.flush() }
        while true {
            let setUpTracks = delivery.setUpTracks
            if let index = setUpTracks.first(where: { tracks[$0].needsRead }) {
                guard read(trackIndex: index) else { return }
                continue
            }
            let pending = setUpTracks.compactMap { index in tracks[index].nextTime.map { (index: index, time: $0) } }
            guard let next = pending.min(by: { $0.time < $1.time }), endTime.map({ next.time < $0 }) ?? true else {
                return finishWhenOver(anchor)
            }
            let now = eventLoop.now
            let delay = anchor.delay(until: next.time, from: now) - Self.lead
            guard delay <= .zero else { return wake(in: delay) }
            switch delivery.readiness(of: next.index, now: now) {
            case .ready: send(next.index, now: now)
            case .blocked: return
            case .notBefore(let time): return wake(in: time - now)
            }
        }
    }

    private func send(_ trackIndex: Int, now: NIODeadline) {
        guard let (packets, end) = tracks[trackIndex].packetizeNext(shift: shift) else { return }
        sentUntil = max(sentUntil, end)
        delivery.send(packets, trackIndex: trackIndex, now: now)
    }

    private func wake(in delay: TimeAmount) {
        timer = eventLoop.assumeIsolated().scheduleTask(in: delay) { [weak self] in self?.pump() }
    }

    /// Players that are told of the end before it is due would show the last second in a hurry.
    private func finishWhenOver(_ anchor: MediaClockAnchor) {
        let delay = anchor.delay(until: endTime.map { min(sentUntil, $0) } ?? sentUntil, from: eventLoop.now)
        guard delay <= .zero else { return wake(in: delay) }
        for index in delivery.setUpTracks {
            let stream = tracks[index].packetizer.stream
            let goodbye = RTPPacketBatch(
                compound: stream.goodbye(canonicalName: LiveReaderGroup.canonicalName), channel: stream.channel + 1)
            delivery.send(goodbye, trackIndex: index, isRTCP: true, now: eventLoop.now)
        }
        finish(.endOfTitle)
    }

    private func finish(_ reason: ReadingEndReason) {
        if isOver { return }
        stopSending()
        phase = .ending
        delivery.flush()
        // The connection may have ended with it.
        guard case .ending = phase else { return }
        phase = .ended
        delivery.end(reason)
    }

    private func sendReports() {
        guard case .playing(let anchor) = phase else { return }
        let now = eventLoop.now
        for index in delivery.setUpTracks where delivery.readiness(of: index, now: now) == .ready {
            let stream = tracks[index].packetizer.stream
            let report = stream.senderReport(
                time: anchor.mediaTime(at: now) + shift, wallClockTime: anchor.wallClockTime(at: now),
                canonicalName: LiveReaderGroup.canonicalName)
            delivery.send(
                RTPPacketBatch(compound: report, channel: stream.channel + 1), trackIndex: index, isRTCP: true,
                now: now)
        }
        delivery.flush()
        reportTask = eventLoop.assumeIsolated().scheduleTask(in: Self.reportInterval) { [weak self] in
            self?.sendReports()
        }
    }

    // MARK: Reading the file

    /// - Returns: false where the disk is waited for, or the session is over.
    private func read(trackIndex: Int) -> Bool {
        guard let batch = tracks[trackIndex].nextBatch() else { return true }
        guard TitleTrackReader.isReadable(batch) else {
            tracks[trackIndex].append(batch, bytes: nil)
            return true
        }
        do {
            if let bytes = try reading.readCached(title.file, batch.ranges) {
                tracks[trackIndex].append(batch, bytes: bytes)
                return true
            }
        } catch {
            finish(.fileUnreadable("\(error)"))
            return false
        }
        readFromDisk(batch, trackIndex: trackIndex)
        return false
    }

    private func readFromDisk(_ batch: TitleTrackReader.Batch, trackIndex: Int) {
        isReading = true
        let generation = generation
        reading.read(title.file, batch.ranges, eventLoop).assumeIsolated().whenComplete { [self] result in
            // A seek, a pause or the end came first.
            guard generation == self.generation else { return }
            isReading = false
            switch result {
            case .success(let buffer):
                tracks[trackIndex].append(batch, bytes: buffer)
                pump()
            case .failure(let error): finish(.fileUnreadable("\(error)"))
            }
        }
    }
}
