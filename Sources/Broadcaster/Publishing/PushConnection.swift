import Foundation
import MediaCore
import NIOCore
import NIOPosix
import NIOSSL
import RTPTransport
import RTSPProtocol
import SessionDescription

/// One publishing session over one connection, from connecting to its end. Belongs to its event loop.
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

    private static let connectTimeout = TimeAmount.seconds(5)
    /// The time from the connection to the answer to RECORD, and for each later answer: a request waits behind the
    /// media sent before it.
    private static let answerTimeout = TimeAmount.seconds(15)
    /// The interval of sender reports and round-trip measurements.
    private static let reportInterval = TimeAmount.seconds(5)
    /// The bytes that the connection buffers beyond the system's buffer; above this, media waits in the backlog, where
    /// it can be dropped.
    private static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 16 << 10, high: 64 << 10)
    /// The system's send buffer in seconds of the preset: small enough that it cannot hide a slow uplink.
    private static let sendBufferSeconds = 0.5
    private static let minimumSendBufferByteCount = 64 << 10
    private static let tearDownTimeout = TimeAmount.seconds(2)

    private let target: PushTarget
    private let eventLoop: any EventLoop
    private let onEvent: (Event) -> Void
    private var tracks: [PushTrack]
    private let canonicalName: String
    /// The capture's start in nanoseconds since 1970, for sender reports.
    private let startOfCapture: Int64
    private let bitRate: Int
    /// True to end as soon as the server has accepted the announcement.
    private let isProbe: Bool

    private var channel: (any Channel)?
    private var machine: RTSPPublishingStateMachine?
    private var sockets: [PushSockets] = []
    private var datagramTargets: [PushSockets.Target] = []
    private var session: RTSPPublishingStateMachine.Session?
    private var requestSent: NIODeadline?
    private var reports: Scheduled<Void>?
    private var deadline: Scheduled<Void>?
    private var hasEnded = false
    private var isDetached = false
    private(set) var isRecording = false
    private(set) var statistics = PushStatistics()

    /// Creates a connection; ``connect()`` starts it.
    ///
    /// - Parameters:
    ///   - tracks: The tracks in the order in which they are announced.
    ///   - bitRate: The total of all tracks in bits per second.
    init(
        _ target: PushTarget, tracks: [PushTrack], bitRate: Int, startOfCapture: Int64, canonicalName: String,
        eventLoop: any EventLoop, isProbe: Bool = false, onEvent: @escaping (Event) -> Void
    ) {
        self.target = target
        self.isProbe = isProbe
        self.tracks = tracks
        self.bitRate = bitRate
        self.startOfCapture = startOfCapture
        self.canonicalName = canonicalName
        self.eventLoop = eventLoop
        self.onEvent = onEvent
    }

    // MARK: Connecting

    /// Starts connecting; the result arrives as an event.
    func connect() {
        let sendBuffer = max(
            Self.minimumSendBufferByteCount, Int(Double(bitRate) / 8 * Self.sendBufferSeconds))
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let target = target
        let tls: NIOSSLContext?
        do {
            tls = target.isSecure ? try Self.tlsContext(target) : nil
        } catch {
            return end(
                BroadcastError(
                    .certificate,
                    "\(target.trustedCertificates ?? "the system's store") cannot be read, or contains no certificates: "
                        + "--certificates needs a PEM file"), isTemporary: false)
        }
        ClientBootstrap(group: eventLoop)
            .connectTimeout(Self.connectTimeout)
            .channelOption(.socketOption(.so_sndbuf), value: .init(clamping: sendBuffer))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.writeBufferWaterMark, value: Self.waterMark)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        // SNI carries names, not addresses (RFC 6066 §3).
                        let name = (try? SocketAddress(ipAddress: target.host, port: 0)) == nil ? target.host : nil
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: name))
                    }
                    try channel.pipeline.syncOperations.addHandler(bound.value.makeHandler())
                }
            }
            .connect(host: target.host, port: target.port)
            .hop(to: eventLoop)
            .assumeIsolated()
            .whenComplete { [self] result in
                switch result {
                case .success(let channel): connected(channel)
                case .failure(let error): end(BroadcastError(connecting: error, to: target), isTemporary: true)
                }
            }
    }

    private func makeHandler() -> PushConnectionHandler {
        PushConnectionHandler(
            onElement: { [weak self] in self?.receive($0) },
            onWritable: { [weak self] in self?.onEvent(.writable) },
            onClosed: { [weak self] error in
                guard let self else { return }
                let isTemporary = isRecording || !(error is PushConnectionHandler.ForeignProtocol)
                end(BroadcastError(closing: error, target: target), isTemporary: isTemporary)
            })
    }

    private static func tlsContext(_ target: PushTarget) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if target.acceptsAnyCertificate { configuration.certificateVerification = .none }
        if let file = target.trustedCertificates { configuration.trustRoots = .file(file) }
        return try NIOSSLContext(configuration: configuration)
    }

    private func connected(_ channel: any Channel) {
        guard !hasEnded else { return channel.close(promise: nil) }
        self.channel = channel
        waitForAnswer()
        guard target.transport == .udp else { return begin() }
        guard let host = channel.localAddress?.ipAddress else {
            return end(BroadcastError(.unreachable, "the connection has no address"), isTemporary: true)
        }
        bindSockets(host: host)
    }

    private func bindSockets(host: String) {
        let index = sockets.count
        guard index < tracks.count else { return begin() }
        let onReport: (ByteBuffer) -> Void = { [weak self] in self?.receiveReport($0, track: index) }
        PushSockets.bind(host: host, on: eventLoop, onReport: NIOLoopBound(onReport, eventLoop: eventLoop))
            .assumeIsolated()
            .whenComplete { [self] result in
                switch result {
                case .success(let bound):
                    guard !hasEnded else { return bound.close() }
                    sockets.append(bound)
                    bindSockets(host: host)
                case .failure(let error):
                    end(BroadcastError(.unreachable, "cannot open UDP ports: \(error)"), isTemporary: true)
                }
            }
    }

    private func begin() {
        var machine = RTSPPublishingStateMachine(
            RTSPPublishingStateMachine.Announcement(
                url: target.url, description: description, transports: tracks.indices.map(transport)),
            authenticator: target.credentials.map {
                RTSPClientAuthenticator(username: $0.username, password: $0.password)
            })
        let request = machine.start()
        self.machine = machine
        send(request)
    }

    private func transport(ofTrack index: Int) -> RTSPTransport {
        var transport = RTSPTransport(lowerTransport: target.transport == .tcp ? .tcp : .udp)
        switch target.transport {
        case .tcp:
            let channel = UInt8(clamping: 2 * index)
            transport.interleavedChannels = RTSPChannelPair(rtp: channel, rtcp: channel + 1)
        case .udp: transport.clientPorts = sockets[index].ports
        }
        transport.mode = "record"
        return transport
    }

    private var description: SDPSession {
        let isIPv6 = channel?.localAddress?.protocol == .inet6
        let address = channel?.localAddress?.ipAddress ?? "127.0.0.1"
        return SDPSession(
            origin: "- \(UInt64(clamping: startOfCapture / 1_000_000_000)) 1 IN \(isIPv6 ? "IP6" : "IP4") \(address)",
            name: "Antena", connection: isIPv6 ? "IN IP6 ::" : "IN IP4 0.0.0.0",
            attributes: [SDPAttribute("tool", "Antena"), SDPAttribute("control", "*")],
            media: tracks.enumerated().map { $0.element.mediaDescription(index: $0.offset) })
    }

    // MARK: Requests and answers

    private func send(_ request: RTSPRequest) {
        guard let channel else { return }
        var buffer = channel.allocator.buffer(capacity: 1_024)
        request.write(into: &buffer)
        requestSent = .now()
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
        guard let channel, channel.isWritable else { return }
        let isQuestion = request.method == .options || request.method == .getParameter
        var buffer = channel.allocator.buffer(capacity: 256)
        RTSPResponse(to: request, isQuestion ? .ok : .notImplemented).write(into: &buffer)
        channel.writeAndFlush(buffer, promise: nil)
    }

    private func receive(_ response: RTSPResponse) {
        guard let step = machine?.receive(response) else { return }
        switch step {
        case .none: break
        case .send(let request) where isProbe && request.method == .setup: end(nil, isTemporary: false)
        case .send(let request): send(request)
        case .alive: noteRoundTrip()
        case .recording(let session): recording(session)
        case .ended: end(nil, isTemporary: false)
        case .failed(let failure):
            end(BroadcastError(failure, target: target), isTemporary: failure.isTemporary)
        }
    }

    private func noteRoundTrip() {
        deadline?.cancel()
        deadline = nil
        guard let requestSent else { return }
        statistics.roundTrip = Double((NIODeadline.now() - requestSent).nanoseconds) / 1e9
    }

    private func recording(_ session: RTSPPublishingStateMachine.Session) {
        noteRoundTrip()
        self.session = session
        if target.transport == .udp, let host = channel?.remoteAddress {
            datagramTargets = session.transports.compactMap { transport in
                transport.serverPorts.map { PushSockets.Target(host: host, ports: $0) }
            }
        }
        isRecording = true
        report(every: min(Self.reportInterval, .seconds(Int64(max(1, session.timeout / 3)))))
        onEvent(.recording(session))
    }

    /// Sends sender reports, and a request that keeps the session alive and measures the round trip.
    private func report(every interval: TimeAmount) {
        guard isRecording else { return }
        reports = eventLoop.assumeIsolated().scheduleTask(in: interval) { [weak self] in self?.report(every: interval) }
        let now = NTPTimestamp(nanosecondsSince1970: Self.now())
        let elapsed = MediaTime(value: (Self.now() - startOfCapture) / 1_000, timescale: .microseconds)
        for index in tracks.indices {
            let packets = tracks[index].packetizer.stream.senderReport(
                time: elapsed, wallClockTime: now, canonicalName: canonicalName)
            deliver(
                RTPPacketBatch(compound: packets, channel: tracks[index].reportChannel), track: index, isReport: true)
        }
        if let request = machine?.keepAlive() {
            send(request)
            waitForAnswer()
        }
        channel?.flush()
    }

    private static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1e9) }

    private func waitForAnswer() {
        deadline?.cancel()
        deadline = eventLoop.assumeIsolated().scheduleTask(in: Self.answerTimeout) { [weak self] in
            guard let self else { return }
            let seconds = Self.answerTimeout.nanoseconds / 1_000_000_000
            end(
                BroadcastError(
                    isRecording ? .connectionLost : .unreachable,
                    "\(target.endpoint) has not given an answer for \(seconds) s"), isTemporary: true)
        }
    }

    // MARK: Reports of the receiver

    private func receiveReport(_ buffer: ByteBuffer, track: Int) {
        var buffer = buffer
        guard let packets = try? RTCPPacket.parseCompound(&buffer) else { return }
        let source = tracks[track].packetizer.stream.source
        for case .receiverReport(let report) in packets {
            for block in report.blocks where block.source == source { take(block) }
        }
    }

    private func take(_ block: RTCPReportBlock) {
        statistics.loss = max(statistics.loss ?? 0, Double(block.fractionLost) / 256)
        statistics.lostPacketCount = max(statistics.lostPacketCount, Int(block.cumulativeLost))
        guard block.lastSenderReport != 0 else { return }
        // The round trip is the time since the sender report, less the time for which the receiver held it (RFC 3550
        // §6.4.1).
        let arrival = NTPTimestamp(nanosecondsSince1970: Self.now()).middle
        let ticks = arrival &- block.lastSenderReport &- block.delaySinceLastSenderReport
        guard ticks < 1 << 31 else { return }
        statistics.roundTrip = Double(ticks) / 65_536
    }

    /// Returns the newest loss and clears it; `nil` if none was reported since.
    func takeLoss() -> Double? {
        defer { statistics.loss = nil }
        return statistics.loss
    }

    // MARK: Media

    /// True if the connection accepts more media; what is sent anyway is buffered.
    var isWritable: Bool {
        guard isRecording, let channel, channel.isWritable else { return false }
        return sockets.allSatisfy(\.isWritable)
    }

    /// Sends a unit.
    ///
    /// - Parameter unit: A unit of the track of that kind; decoding can start with the first one.
    func send(_ unit: AccessUnit, of mediaType: MediaType) {
        guard isRecording, let index = tracks.firstIndex(where: { $0.mediaType == mediaType }) else { return }
        let batch = tracks[index].packetize(unit)
        guard !batch.isEmpty else { return }
        if mediaType == .video { statistics.pictureCount += 1 }
        statistics.byteCount += batch.byteCount
        deliver(batch, track: index, isReport: false)
    }

    /// Sends what has been passed to ``send(_:of:)``.
    func flush() {
        channel?.flush()
        for pair in sockets { pair.flush() }
    }

    /// Adopts a changed configuration of a track.
    func update(_ format: RTPPayloadFormat) {
        guard let index = tracks.firstIndex(where: { $0.mediaType == format.mediaType }) else { return }
        tracks[index].update(format)
    }

    private func deliver(_ batch: RTPPacketBatch, track index: Int, isReport: Bool) {
        switch target.transport {
        case .tcp:
            guard let channels = session?.transports[index].interleavedChannels else { return }
            channel?.write(batch.framed(channel: isReport ? channels.rtcp : channels.rtp), promise: nil)
        case .udp:
            guard index < datagramTargets.count else { return }
            if isReport {
                sockets[index].sendReports(batch.packets, to: datagramTargets[index])
            } else {
                sockets[index].send(batch.packets, to: datagramTargets[index])
            }
        }
    }

    // MARK: The end

    /// Ends the session without an event: its owner has released it.
    func detach() {
        isDetached = true
        tearDown()
    }

    /// Sends TEARDOWN, and waits briefly for the answer.
    func tearDown() {
        guard !hasEnded else { return }
        guard isRecording, let request = machine?.teardown() else { return end(nil, isTemporary: false) }
        for index in tracks.indices {
            let packets = tracks[index].packetizer.stream.goodbye(canonicalName: canonicalName)
            deliver(
                RTPPacketBatch(compound: packets, channel: tracks[index].reportChannel), track: index, isReport: true)
        }
        isRecording = false
        send(request)
        deadline?.cancel()
        // After ``detach()`` nobody else holds this object.
        deadline = eventLoop.assumeIsolated().scheduleTask(in: Self.tearDownTimeout) { [self] in
            end(nil, isTemporary: false)
        }
    }

    private func end(_ error: BroadcastError?, isTemporary: Bool) {
        guard !hasEnded else { return }
        hasEnded = true
        isRecording = false
        reports?.cancel()
        deadline?.cancel()
        channel?.close(promise: nil)
        for pair in sockets { pair.close() }
        if !isDetached { onEvent(.ended(error, isTemporary: isTemporary)) }
    }
}
