import Codecs
import Glibc
import LiveChannels
import MediaCore
import NIOCore
import RTPTransport
import RTSPProtocol

/// The media of one publisher, from its accepted announcement to its end. Confined to its connection's event loop.
final class PublishingSession {
    enum TrackTransport {
        case interleaved(RTSPChannelPair)
        case udp(UDPTrackSockets, SenderFilter)
    }

    let accepted: AcceptedAnnouncement
    private let eventLoop: any EventLoop
    /// Transports by position in the announcement; `nil` if the track is not set up.
    private var transports: [TrackTransport?]
    private var recording: Recording?
    private var isPaused = false
    /// The round trip of the connection; `nil` until it has been measured.
    private var roundTrip: Duration?
    /// Kept between packets to avoid allocations.
    private var events: [RTPReceptionEvent] = []
    /// Packets that could not be used since the tally was last taken.
    var tally = PacketTally()

    /// A class, so that access for each event does not copy anything.
    private final class Recording {
        var reception: RTPReception
        let epoch: PublishingEpoch
        /// Receiver indices by position in the announcement; `nil` if the track's packets are ignored.
        let receiverIndices: [Int?]
        /// Announced track IDs, indexed by receiver.
        let trackIDs: [UInt32]
        var hasSaidBye: [Bool]
        /// Faults reported since the last receiver report, so that a fault in every packet does not fill the log.
        var reportedFaults: Set<ReportedFault> = []

        init(reception: RTPReception, epoch: PublishingEpoch, receiverIndices: [Int?], trackIDs: [UInt32]) {
            self.reception = reception
            self.epoch = epoch
            self.receiverIndices = receiverIndices
            self.trackIDs = trackIDs
            hasSaidBye = Array(repeating: false, count: trackIDs.count)
        }
    }

    /// A kind of fault of a track, which is reported once per reporting interval.
    private struct ReportedFault: Hashable {
        var kind: RTPFault.Kind
        var trackIndex: Int
    }

    init(accepted: AcceptedAnnouncement, eventLoop: any EventLoop) {
        self.accepted = accepted
        self.eventLoop = eventLoop
        transports = Array(repeating: nil, count: accepted.formats.count)
    }

    var usesUDP: Bool { transports.contains { if case .udp = $0 { true } else { false } } }

    // MARK: Setting up

    /// The channel numbers for an offer: the requested ones, or free ones; `nil` if another track uses them.
    func channels(for offer: RTSPTransport) -> RTSPChannelPair? {
        let taken = transports.flatMap { transport -> [UInt8] in
            if case .interleaved(let pair) = transport { [pair.rtp, pair.rtcp] } else { [] }
        }
        if let wanted = offer.interleavedChannels {
            return taken.contains(wanted.rtp) || taken.contains(wanted.rtcp) ? nil : wanted
        }
        return stride(from: 0, to: UInt8.max, by: 2).lazy.map { RTSPChannelPair(rtp: $0, rtcp: $0 + 1) }
            .first { !taken.contains($0.rtp) && !taken.contains($0.rtcp) }
    }

    func setUp(_ trackIndex: Int, _ transport: TrackTransport) {
        release(trackIndex)
        transports[trackIndex] = transport
    }

    /// Releases a track's transport; its packets are ignored from now on.
    func release(_ trackIndex: Int) {
        guard transports.indices.contains(trackIndex) else { return }
        if case .udp(let sockets, _)? = transports[trackIndex] { sockets.close() }
        transports[trackIndex] = nil
    }

    // MARK: Recording

    /// Pauses the session (RFC 2326 §10.6): packets are ignored, and the channel remains occupied.
    func pause() { isPaused = true }

    /// Resumes a paused session.
    ///
    /// - Returns: whether there was a session to resume.
    func resume() -> Bool {
        defer { isPaused = false }
        return recording != nil
    }

    /// Occupies the channel.
    func start(
        publisher: Publisher, source: UInt32, onHurry: @escaping () -> Void,
        onKick: @escaping @Sendable (String) -> Void
    ) throws(PublishingError) {
        var formats: [RTPTrackFormat] = []
        var reorderings: [JitterBuffer.Reordering] = []
        var tracks: [PublishedTrack] = []
        var receiverIndices: [Int?] = []
        for (index, format) in accepted.formats.enumerated() {
            guard case .usable(let format, let mediaType) = format, let transport = transports[index] else {
                receiverIndices.append(nil)
                continue
            }
            receiverIndices.append(formats.count)
            formats.append(format)
            if case .udp = transport { reorderings.append(.udp) } else { reorderings.append(.passThrough) }
            let track = Track(id: UInt32(index), mediaType: mediaType, timescale: Timescale(format.clockRate))
            tracks.append(
                PublishedTrack(
                    track: track, configuration: format.configuration, foreignCodec: format.foreignCodec))
        }
        let epoch = try accepted.channel.beginPublishing(publisher, tracks: tracks, on: eventLoop, onKick: onKick)
        epoch.onHurry = onHurry
        recording = Recording(
            reception: RTPReception(formats: formats, reorderings: reorderings, source: source),
            epoch: epoch, receiverIndices: receiverIndices, trackIDs: tracks.map(\.track.id))
    }

    var hasUsableTrack: Bool { MediaType.allCases.contains(where: hasTrack(of:)) }

    private func hasTrack(of mediaType: MediaType) -> Bool {
        zip(accepted.formats, transports).contains { $0.mediaType == mediaType && $1 != nil }
    }

    /// The time from which packets have to be handled as they arrive; `nil` while that does not matter to anybody.
    ///
    /// - Parameters:
    ///   - trackIndex: the track's position in the announcement; `nil` for packets of all tracks.
    ///   - now: the time on the event loop's clock.
    func promptTime(trackIndex: Int?, now: NIODeadline) -> NIODeadline? {
        let own = trackIndex.flatMap { accepted.formats[$0].mediaType }
        if trackIndex != nil, own == nil { return nil }
        return MediaType.allCases.lazy
            // A track that the push does not have is filled when packets of the others arrive.
            .filter { own == nil || $0 == own || !self.hasTrack(of: $0) }
            .compactMap { self.accepted.channel.promptTime($0, now: now) }.min()
    }

    /// - Returns: whether the frame belongs to a track that is set up, which counts as a sign of life.
    func receive(_ frame: InterleavedFrame, arrival: NIODeadline) -> Bool {
        for index in transports.indices {
            guard case .interleaved(let pair) = transports[index] else { continue }
            if pair.rtp == frame.channel || pair.rtcp == frame.channel {
                receive(frame.payload, trackIndex: index, isRTCP: pair.rtcp == frame.channel, arrival: arrival)
                return true
            }
        }
        tally.ignored += 1
        return false
    }

    /// - Returns: whether the datagram came from the publisher.
    func receiveDatagram(
        _ data: ByteBuffer, from sender: SocketAddress, trackIndex: Int, isRTCP: Bool, arrival: NIODeadline
    ) -> Bool {
        guard case .udp(_, let filter)? = transports[trackIndex], filter.accepts(sender) else {
            tally.foreign += 1
            return false
        }
        receive(data, trackIndex: trackIndex, isRTCP: isRTCP, arrival: arrival)
        return true
    }

    private func receive(_ data: ByteBuffer, trackIndex: Int, isRTCP: Bool, arrival: NIODeadline) {
        guard !isPaused, let recording, let index = recording.receiverIndices[trackIndex] else {
            tally.ignored += 1
            return
        }
        if isRTCP {
            recording.reception.receiveRTCP(data, trackIndex: index, arrival: arrival, into: &events)
        } else {
            recording.epoch.countReceived(
                byteCount: data.readableBytes, packetCount: 1, trackID: recording.trackIDs[index])
            recording.reception.receiveRTP(data, trackIndex: index, arrival: arrival, into: &events)
        }
        if !events.isEmpty { handleEvents() }
    }

    private func handleEvents() {
        for index in events.indices { handle(events[index]) }
        recording?.epoch.unitsArrived()
        // Releases the units' bytes, which are in a part now.
        events.removeAll(keepingCapacity: true)
    }

    private func handle(_ event: RTPReceptionEvent) {
        guard let recording else { return }
        switch event {
        case .unit(let unit, let index): recording.epoch.append(unit, trackID: recording.trackIDs[index])
        case .configuration(let configuration, let index):
            recording.epoch.updateConfiguration(configuration, trackID: recording.trackIDs[index])
        case .lost(let count, _):
            tally.lost += count
            recording.epoch.countLost(packetCount: count)
        case .fault(let fault): handle(fault, recording)
        case .wallClock(let nanoseconds, let mediaTime, let index, let arrival):
            recording.epoch.setWallClock(
                nanosecondsSince1970: nanoseconds, mediaTime: mediaTime, trackID: recording.trackIDs[index],
                age: Duration(eventLoop.now - arrival), roundTrip: roundTrip)
        case .bye(let index): receiveBye(index)
        }
    }

    private func handle(_ fault: RTPFault, _ recording: Recording) {
        switch fault.kind {
        case .malformed: tally.malformed += 1
        case .payloadType: tally.ignored += 1
        case .restart, .clock: break
        }
        let reported = ReportedFault(kind: fault.kind, trackIndex: fault.trackIndex)
        guard recording.reportedFaults.insert(reported).inserted else { return }
        recording.epoch.reportError("\(fault)", metadata: fault.logValues)
    }

    /// Handles BYE (RFC 3550 §6.6). The push ends when all tracks have ended, even if its connection remains open.
    private func receiveBye(_ index: Int) {
        guard let recording else { return }
        recording.hasSaidBye[index] = true
        guard recording.hasSaidBye.allSatisfy({ $0 }) else { return }
        recording.epoch.end(reason: "the publisher sent an RTCP BYE", isIntended: true)
    }

    // MARK: Reports

    /// Asks the kernel for the round trip of the session's connection, with which sender reports are read.
    func measureRoundTrip(of connection: any Channel) {
        guard let socket = connection as? any SocketOptionProvider else { return }
        socket.getTCPInfo().assumeIsolated().whenSuccess { [weak self] in
            self?.roundTrip = .microseconds(Int64($0.tcpi_rtt))
        }
    }

    /// Makes receiver reports. Reports over UDP are sent here; those for the RTSP connection are returned.
    func makeReports(now: NIODeadline) -> [InterleavedFrame] {
        guard let recording else { return [] }
        recording.reportedFaults.removeAll(keepingCapacity: true)
        recording.reception.flushOverdue(now: now, into: &events)
        if !events.isEmpty { handleEvents() }
        var frames: [InterleavedFrame] = []
        for (trackIndex, transport) in transports.enumerated() {
            guard let index = recording.receiverIndices[trackIndex],
                let report = recording.reception.makeReceiverReport(trackIndex: index, now: now)
            else { continue }
            switch transport {
            case .interleaved(let pair): frames.append(InterleavedFrame(channel: pair.rtcp, payload: report))
            case .udp(let sockets, _): sockets.send(report)
            case nil: break
            }
        }
        return frames
    }

    // MARK: Ending

    func end(reason: String, isIntended: Bool) {
        recording?.epoch.end(reason: reason, isIntended: isIntended)
        recording = nil
        for case .udp(let sockets, _) in transports.compactMap({ $0 }) { sockets.close() }
        transports = transports.map { _ in nil }
    }
}
