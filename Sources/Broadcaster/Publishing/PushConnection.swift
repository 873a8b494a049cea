import Foundation
import MediaCore
import NIOCore
import RTPTransport
import RTSPProtocol
import SessionDescription

/// One publishing session over one connection, from connecting to its end: carries out what
/// ``PushConnectionStateMachine`` decides. Belongs to its event loop.
final class PushConnection {
    /// The events of a connection.
    enum Event {
        /// The server accepts media from now on.
        case recording(RTSPPublishingStateMachine.Session)
        /// ``isWritable`` has become true.
        case writable
        /// The last event; the error is `nil` after an orderly end. `isTemporary` tells whether a retry may succeed.
        case ended(BroadcastError?, isTemporary: Bool)
    }

    private let target: PushTarget
    private let eventLoop: any EventLoop
    private let onEvent: (Event) -> Void
    private var tracks: [PushTrack]
    private let canonicalName: String
    /// The capture's start, for sender reports.
    private let startOfCapture: WallClockTime
    /// The time at which the connection was created, and what the event loop's clock showed then.
    private let creation = (time: WallClock.system.now(), deadline: NIODeadline.now())
    private let bitRate: Int

    private var machine: PushConnectionStateMachine
    /// `nil` before the connection, and after the end.
    private var path: PushMediaPath?
    private var timer: Scheduled<Void>?
    private(set) var statistics = PushStatistics()

    /// Creates a connection; ``connect()`` starts it.
    ///
    /// - Parameters:
    ///   - tracks: The tracks in the order in which they are announced.
    ///   - bitRate: The total of all tracks in bits per second.
    ///   - isProbe: True to end as soon as the server has accepted the announcement.
    init(
        _ target: PushTarget, tracks: [PushTrack], bitRate: Int, startOfCapture: WallClockTime, canonicalName: String,
        eventLoop: any EventLoop, isProbe: Bool = false, onEvent: @escaping (Event) -> Void
    ) {
        self.target = target
        machine = PushConnectionStateMachine(target, trackCount: tracks.count, isProbe: isProbe)
        self.tracks = tracks
        self.bitRate = bitRate
        self.startOfCapture = startOfCapture
        self.canonicalName = canonicalName
        self.eventLoop = eventLoop
        self.onEvent = onEvent
    }

    var isRecording: Bool { machine.isRecording }

    // MARK: Connecting

    /// Starts connecting; the result arrives as an event.
    func connect() {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let connected: EventLoopFuture<any Channel>
        do throws(BroadcastError) {
            connected = try PushBootstrap(target: target, bitRate: bitRate).connect(on: eventLoop) {
                bound.value.makeHandler()
            }
        } catch {
            return end(machine.fail(error, isTemporary: false))
        }
        connected.assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let channel): self.connected(channel)
            case .failure(let error):
                end(machine.fail(BroadcastError(connecting: error, to: target), isTemporary: true))
            }
        }
    }

    private func makeHandler() -> PushConnectionHandler {
        PushConnectionHandler(
            onElement: { [weak self] in self?.receive($0) },
            onWritable: { [weak self] in self?.onEvent(.writable) },
            onClosed: { [weak self] error in
                guard let self else { return }
                end(machine.closed(error))
            })
    }

    private func connected(_ channel: any Channel) {
        let action = machine.connected(now: .now())
        if case .discard = action { return channel.close(promise: nil) }
        path = PushMediaPath(channel: channel)
        scheduleTimer()
        prepare(action)
    }

    private func prepare(_ action: PushConnectionStateMachine.PreparationAction) {
        switch action {
        case .bindSockets(let track): bindSockets(track: track)
        case .announce: announce()
        case .discard: break
        }
    }

    private func bindSockets(track index: Int) {
        guard let host = path?.channel.localAddress?.ipAddress else {
            return end(
                machine.fail(BroadcastError(.unreachable, "the connection has no address"), isTemporary: true))
        }
        let onReport: (ByteBuffer) -> Void = { [weak self] in self?.receiveReport($0, track: index) }
        PushSockets.bind(host: host, on: eventLoop, onReport: NIOLoopBound(onReport, eventLoop: eventLoop))
            .assumeIsolated()
            .whenComplete { [self] result in
                switch result {
                case .success(let bound):
                    let action = machine.socketsBound()
                    if case .discard = action { return bound.close() }
                    path?.add(bound)
                    prepare(action)
                case .failure(let error):
                    let reason = "cannot open UDP ports: \(error)"
                    end(machine.fail(BroadcastError(.unreachable, reason), isTemporary: true))
                }
            }
    }

    private func announce() {
        let request = machine.announce(
            RTSPPublishingStateMachine.Announcement(
                url: target.url, description: description, transports: tracks.indices.map(transport)),
            authenticator: target.credentials.map {
                RTSPClientAuthenticator(username: $0.username, password: $0.password)
            }, now: .now())
        if let request { send(request) }
    }

    private func transport(ofTrack index: Int) -> RTSPTransport {
        var transport = RTSPTransport(lowerTransport: target.transport == .tcp ? .tcp : .udp)
        switch target.transport {
        case .tcp:
            let channel = UInt8(clamping: 2 * index)
            transport.interleavedChannels = RTSPChannelPair(rtp: channel, rtcp: channel + 1)
        case .udp: transport.clientPorts = path?.sockets[index].ports
        }
        transport.mode = "record"
        return transport
    }

    private var description: SDPSession {
        let local = path?.channel.localAddress
        let isIPv6 = local?.protocol == .inet6
        let address = local?.ipAddress ?? "127.0.0.1"
        return SDPSession(
            origin: "- \(UInt64(clamping: startOfCapture.secondsSince1970)) 1 IN \(isIPv6 ? "IP6" : "IP4") \(address)",
            name: "Antena", connection: isIPv6 ? "IN IP6 ::" : "IN IP4 0.0.0.0",
            attributes: [SDPAttribute("tool", "Antena"), SDPAttribute("control", "*")],
            media: tracks.enumerated().map { $0.element.mediaDescription(index: $0.offset) })
    }

    // MARK: Requests and answers

    private func send(_ request: RTSPRequest) {
        guard let channel = path?.channel else { return }
        var buffer = channel.allocator.buffer(capacity: 1_024)
        request.write(into: &buffer)
        channel.writeAndFlush(buffer, promise: nil)
    }

    private func receive(_ element: RTSPElement) {
        switch element {
        case .response(let response): receive(response)
        case .interleavedFrame(let frame):
            guard let track = tracks.firstIndex(where: { $0.reportChannel == frame.channel }) else { return }
            receiveReport(frame.payload, track: track)
        // A server may check whether the client is alive (RFC 2326 §10.8).
        case .request(let request): answer(request)
        }
    }

    private func answer(_ request: RTSPRequest) {
        // Unread answers must not pile up; media on a full connection also proves that the client is alive.
        guard let channel = path?.channel, channel.isWritable else { return }
        let isQuestion = request.method == .options || request.method == .getParameter
        var buffer = channel.allocator.buffer(capacity: 256)
        RTSPResponse(to: request, isQuestion ? .ok : .notImplemented).write(into: &buffer)
        channel.writeAndFlush(buffer, promise: nil)
    }

    private func receive(_ response: RTSPResponse) {
        switch machine.receive(response, now: .now()) {
        case .none: break
        case .send(let request): send(request)
        case .noteRoundTrip(let time): noteRoundTrip(time)
        case .record(let session, let roundTrip):
            noteRoundTrip(roundTrip)
            path?.open(session.transports)
            checkTime()
            onEvent(.recording(session))
        case .end(let ending): end(ending)
        }
    }

    private func noteRoundTrip(_ time: TimeAmount?) {
        scheduleTimer()
        if let time { statistics.roundTrip = Double(time.nanoseconds) / 1e9 }
    }

    // MARK: Time

    /// Schedules a single timer for all deadlines. It keeps this object until its end, also after ``detach()``, when
    /// nobody else holds it.
    private func scheduleTimer() {
        timer?.cancel()
        timer = machine.deadline.map { deadline in
            eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in checkTime() }
        }
    }

    private func checkTime() {
        switch machine.timerFired(now: .now()) {
        case .none: scheduleTimer()
        case .report(let request):
            scheduleTimer()
            sendReports()
            if let request { send(request) }
            path?.flush()
        case .end(let ending): end(ending)
        }
    }

    private func sendReports() {
        let now = nanosecondsSince1970()
        let elapsed = MediaTime(
            value: (now - startOfCapture.millisecondsSince1970 * 1_000_000) / 1_000, timescale: .microseconds)
        for index in tracks.indices {
            let packets = tracks[index].packetizer.stream.senderReport(
                time: elapsed, wallClockTime: NTPTimestamp(nanosecondsSince1970: now), canonicalName: canonicalName)
            sendReport(packets, track: index)
        }
    }

    private func sendReport(_ compound: [RTCPPacket], track index: Int) {
        let batch = RTPPacketBatch(compound: compound, channel: tracks[index].reportChannel)
        path?.send(batch, track: index, isReport: true)
    }

    /// The current time in nanoseconds, which round trips in a local network need.
    private func nanosecondsSince1970() -> Int64 {
        creation.time.millisecondsSince1970 * 1_000_000 + (NIODeadline.now() - creation.deadline).nanoseconds
    }

    // MARK: Reports of the receiver

    private func receiveReport(_ buffer: ByteBuffer, track: Int) {
        var buffer = buffer
        guard let packets = try? RTCPPacket.parseCompound(&buffer) else { return }
        let source = tracks[track].packetizer.stream.source
        for case .receiverReport(let report) in packets {
            for block in report.blocks where block.source == source {
                statistics.receive(block, arrival: NTPTimestamp(nanosecondsSince1970: nanosecondsSince1970()))
            }
        }
    }

    /// Returns the newest loss and clears it; `nil` if none was reported since.
    func takeLoss() -> Double? {
        defer { statistics.loss = nil }
        return statistics.loss
    }

    // MARK: Media

    /// True if the connection accepts more media; what is sent anyway is buffered.
    var isWritable: Bool {
        machine.isRecording && path?.isWritable == true
    }

    /// Sends a unit.
    ///
    /// - Parameter unit: A unit of the track of that kind; decoding can start with the first one.
    func send(_ unit: AccessUnit, of mediaType: MediaType) {
        guard machine.isRecording, let index = tracks.firstIndex(where: { $0.mediaType == mediaType }) else { return }
        let batch = tracks[index].packetize(unit)
        guard !batch.isEmpty else { return }
        if mediaType == .video { statistics.frameCount += 1 }
        statistics.byteCount += batch.byteCount
        path?.send(batch, track: index, isReport: false)
    }

    /// Sends what has been passed to ``send(_:of:)``.
    func flush() { path?.flush() }

    /// Adopts a changed configuration of a track.
    func update(_ format: RTPPayloadFormat) {
        guard let index = tracks.firstIndex(where: { $0.mediaType == format.mediaType }) else { return }
        tracks[index].update(format)
    }

    // MARK: The end

    /// Ends the session without an event: its owner has released it.
    func detach() {
        machine.detach()
        tearDown()
    }

    /// Sends TEARDOWN, and waits briefly for the answer.
    func tearDown() {
        switch machine.tearDown(now: .now()) {
        case .none: break
        case .send(let request):
            for index in tracks.indices {
                sendReport(tracks[index].packetizer.stream.goodbye(canonicalName: canonicalName), track: index)
            }
            send(request)
            scheduleTimer()
        case .end(let ending): end(ending)
        }
    }

    /// - Parameter ending: `nil` if the session has ended before.
    private func end(_ ending: PushConnectionStateMachine.Ending?) {
        guard let ending else { return }
        timer?.cancel()
        timer = nil
        let ended = path
        path = nil
        ended?.close()
        if ending.isReported { onEvent(.ended(ending.error, isTemporary: ending.isTemporary)) }
    }
}
