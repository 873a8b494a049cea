import LiveChannels
import MediaCore
import NIOCore
import Packaging
import RTPTransport
import RTSPProtocol
import SessionDescription

/// One reader of a title, from DESCRIBE (or the first SETUP) to its end. Confined to its connection's event loop.
///
/// Samples are sent when they are due, slightly ahead of time. If the reader accepts them more slowly, sending waits;
/// only one read of the file per track is held for it.
final class TitlePlaybackSession: PlaybackSession {
    private let title: PackagedTitle
    private let eventLoop: any EventLoop
    private let fileReading: TitleFileReading
    private let wallClock: WallClock
    private let described: PlaybackDescription
    private var tracks: [TitleTrackReader]
    let delivery: PacketDelivery
    /// From the position that PLAY has decided to the relation between the title's timeline and the clock.
    var phase = PlaybackPhase<MediaTime, MediaClockAnchor>.ready
    private var timer: Scheduled<Void>?
    private var reportTask: Scheduled<Void>?
    private var isReading = false
    /// Number of seeks and pauses so far, which identifies reads that were started before the last one.
    private var generation = 0
    /// Offset from the title's timeline to the session's, which continues across seeks (RFC 2326 appendix B).
    private var shift = MediaTime.zero(.microseconds)
    /// End of the last sample that was sent, on the title's timeline.
    private var sentUntil = MediaTime.zero(.microseconds)
    /// End of the requested range; `nil` for the end of the title.
    private var endTime: MediaTime?
    private var hasPlayed = false

    /// Time by which samples are sent early, so that players start immediately and have a reserve if the disk or the
    /// network is busy.
    static let lead = Duration.seconds(1)
    static let reportInterval = LiveReaderGroup.reportInterval
    /// Limit on tracks in the description; further audio tracks are omitted.
    static let maximumTrackCount = 8

    /// - Returns: `nil` if no track has a payload format.
    init?(
        title: PackagedTitle, name: String, isIPv6: Bool, output: any PlaybackOutput, eventLoop: any EventLoop,
        fileReading: TitleFileReading, wallClock: WallClock = .system
    ) {
        var described: [PlaybackDescription.DescribedTrack] = []
        var tracks: [TitleTrackReader] = []
        for rendition in title.renditions.prefix(Self.maximumTrackCount) {
            guard let format = RTPPayloadFormat(configuration: rendition.configuration, foreignCodec: nil) else {
                continue
            }
            described.append(
                PlaybackDescription.DescribedTrack(
                    trackIndex: tracks.count, format: format,
                    payloadType: format.payloadType(trackIndex: tracks.count), clock: format.clock,
                    language: rendition.track.language))
            tracks.append(TitleTrackReader(rendition: rendition, format: format, trackIndex: tracks.count))
        }
        guard !tracks.isEmpty else { return nil }
        self.title = title
        self.eventLoop = eventLoop
        self.fileReading = fileReading
        self.wallClock = wallClock
        self.tracks = tracks
        self.described = PlaybackDescription(
            name: name, identifier: UInt64(clamping: title.instance),
            range: "npt=0-\(RTSPRange.normalPlayTime(TimeAmount(title.duration)))",
            isIPv6: isIPv6, tracks: described)
        delivery = PacketDelivery(output: output, trackCount: tracks.count)
    }

    var description: SDPSession { described.session }

    // MARK: Requests

    /// Prepares playback from the key frame at or before `start`.
    func play(from start: MediaTime?, to end: MediaTime?) throws(PlaybackError) -> RTSPPlayback {
        try requirePlayable()
        let setUpTracks = delivery.setUpTracks
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
        phase = .playing(anchor)
        sendReports()
        pump()
    }

    func stopSending() {
        generation += 1
        isReading = false
        timer?.cancel()
        timer = nil
        reportTask?.cancel()
        reportTask = nil
    }

    /// - Returns: the position at which playback starts.
    private func seek(to time: MediaTime) -> MediaTime {
        let before = sentUntil + shift
        var position = time
        let setUpTracks = delivery.setUpTracks
        if let video = setUpTracks.first(where: { tracks[$0].isVideo }) {
            // Video may begin later than audio, and decoding earlier than the title.
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

    /// Sends the samples that are due, and schedules the next call.
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
            let delay = anchor.delay(until: next.time, from: now) - TimeAmount(Self.lead)
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

    /// Ends the session when the last sample is due. Players that learn of the end earlier would rush through the
    /// last second.
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
        reportTask = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(Self.reportInterval)) { [weak self] in
            self?.sendReports()
        }
    }

    // MARK: Reading the file

    /// Reads the next samples of a track.
    ///
    /// - Returns: false if the disk must be waited for, or if the session has ended.
    private func read(trackIndex: Int) -> Bool {
        guard let batch = tracks[trackIndex].nextBatch() else { return true }
        guard TitleTrackReader.isReadable(batch) else {
            tracks[trackIndex].append(batch, bytes: nil)
            return true
        }
        do {
            if let bytes = try fileReading.readCached(title.file, batch.ranges) {
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
        fileReading.read(title.file, batch.ranges, eventLoop).assumeIsolated().whenComplete { [self] result in
            // A seek, a pause or the end of the session came first.
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
