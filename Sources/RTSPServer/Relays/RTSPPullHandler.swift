import ChannelPublishing
import LiveChannels
import MediaCore
import NIOCore
import RTSPProtocol
import SessionDescription
import StreamConnections

/// The connection of ``RTSPPull``: carries out what ``RTSPPlayingStateMachine`` decides, and feeds the channel as a
/// publisher's connection does.
final class RTSPPullHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Time from the connection to the first media, and without media later.
    private static let patience = TimeAmount.seconds(15)
    private static let interval = TimeAmount.seconds(2)
    /// Time for the answer to TEARDOWN.
    private static let farewell = TimeAmount.milliseconds(300)

    let eventLoop: any EventLoop
    private let address: RelayAddress
    private let channel: LiveChannel
    private let usesUDP: Bool
    private let environment: RTSPServerEnvironment
    private let progress: RelayProgress
    private let connection: any Channel
    private let ended: EventLoopPromise<Void>
    private var machine: RTSPPlayingStateMachine
    private var parser = RTSPMessageParser()
    private var rest = ByteBuffer()
    private(set) var session: PublishingSession?
    private var sockets: [Int: UDPTrackSockets] = [:]
    private var timer: RepeatedTask?
    private var heardAt: NIODeadline
    private var keptAliveAt: NIODeadline
    private var isOver = false

    init(
        _ address: RelayAddress, of channel: LiveChannel, usesUDP: Bool, _ environment: RTSPServerEnvironment,
        _ progress: RelayProgress, _ connection: any Channel, ended: EventLoopPromise<Void>
    ) {
        (self.address, self.channel, self.usesUDP) = (address, channel, usesUDP)
        (self.environment, self.progress, self.connection, self.ended) = (environment, progress, connection, ended)
        eventLoop = connection.eventLoop
        (heardAt, keptAliveAt) = (eventLoop.now, eventLoop.now)
        machine = RTSPPlayingStateMachine(
            url: address.url,
            authenticator: address.username.map {
                RTSPClientAuthenticator(username: $0, password: address.password ?? "")
            })
    }

    // MARK: Channel events

    func channelActive(context: ChannelHandlerContext) {
        send(machine.start())
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in
            handler.value.checkTime()
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        var bytes = unwrapInboundIn(data)
        progress.add(byteCount: bytes.readableBytes)
        rest.writeBuffer(&bytes)
        do throws(RTSPParsingError) {
            while !isOver, let element = try parser.next(from: &rest) { take(element) }
        } catch {
            return end("the server does not speak RTSP: \(error)")
        }
        rest.discardReadBytes()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end("the connection was closed")
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end("the connection was closed") }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end("\(error)") }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ClientConnectionStop { return end("stopped", isIntended: true) }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: Requests and answers

    private func send(_ request: RTSPRequest) {
        var buffer = ByteBuffer()
        request.write(into: &buffer)
        connection.writeAndFlush(buffer, promise: nil)
    }

    private func take(_ element: RTSPElement) {
        switch element {
        case .response(let response): take(machine.receive(response))
        case .interleavedFrame(let frame): mediaReceived(session?.receive(frame, arrival: eventLoop.now) ?? false)
        case .request(let request):
            // A server may check whether the client is alive (RFC 2326 §10.8).
            guard connection.isWritable else { return }
            let isQuestion = request.method == .options || request.method == .getParameter
            var buffer = ByteBuffer()
            RTSPResponse(to: request, isQuestion ? .ok : .notImplemented).write(into: &buffer)
            connection.writeAndFlush(buffer, promise: nil)
        }
    }

    private func take(_ step: RTSPPlayingStateMachine.Step) {
        switch step {
        case .send(let request): send(request)
        case .described(let description): choose(description)
        case .prepared(let track, let transport, let next): prepare(track, transport, next)
        case .playing: play()
        case .failed(let failure): end(failure.reason)
        case .ended: end("the server has ended the session")
        case .alive, .none: break
        }
    }

    // MARK: Tracks

    /// Chooses the first track of video and the first of audio that can be shown. Cameras describe tracks of events,
    /// and of codecs that nobody plays, beside them.
    private func choose(_ description: SDPSession) {
        let limit = environment.configuration.limits.maximumTrackCount
        let formats = description.media.prefix(limit).map { (try? PublishedTrackFormat($0)) ?? .ignored }
        var seen: Set<MediaType> = []
        let wanted = formats.indices.filter { index in
            formats[index].mediaType.map { seen.insert($0).inserted } ?? false
        }
        guard !wanted.isEmpty else { return end("the stream has no track of a codec that can be shown") }
        session = PublishingSession(
            accepted: AcceptedAnnouncement(channel: channel, formats: formats, presetName: nil, userAgent: nil),
            eventLoop: eventLoop)
        guard usesUDP else {
            return setUp(
                wanted.enumerated().map { position, index in
                    var transport = RTSPTransport(lowerTransport: .tcp)
                    let number = UInt8(clamping: 2 * position)
                    transport.interleavedChannels = RTSPChannelPair(rtp: number, rtcp: number + 1)
                    return .init(index: index, transport: transport)
                })
        }
        bind(wanted[...], [])
    }

    private func setUp(_ tracks: [RTSPPlayingStateMachine.WantedTrack]) {
        guard let request = machine.setUp(tracks) else { return end("the tracks cannot be set up") }
        send(request)
    }

    /// Binds sockets for one track after the other.
    private func bind(_ rest: ArraySlice<Int>, _ tracks: [RTSPPlayingStateMachine.WantedTrack]) {
        guard let index = rest.first else { return setUp(tracks) }
        guard let peer = connection.remoteAddress, let host = connection.localAddress?.ipAddress else {
            return end("the connection has no address")
        }
        let receiver = RTSPPullReceiver(handler: self, trackIndex: index)
        let request = UDPTrackSockets.Request(
            eventLoop: eventLoop,
            borrower: UDPPortAllocator.Borrower(
                purpose: .publishing, group: AddressGroup(peer), connection: ObjectIdentifier(connection)),
            localHost: host, remoteRTP: peer, remoteRTCP: peer,
            receiveBufferByteCount: environment.configuration.limits.udpReceiveBufferByteCount,
            receiver: NIOLoopBound(receiver, eventLoop: eventLoop), pacing: nil)
        UDPTrackSockets.bind(
            request, ports: environment.ports,
            attemptCount: environment.configuration.limits.maximumPortAttemptCount
        ).assumeIsolated().whenComplete { [self] result in
            guard case .success(let bound) = result else { return end("there are no UDP ports") }
            guard !isOver else { return bound.close() }
            sockets[index] = bound
            var transport = RTSPTransport(lowerTransport: .udp)
            transport.clientPorts = RTSPPortPair(rtp: bound.rtpPort, rtcp: bound.rtcpPort)
            bind(rest.dropFirst(), tracks + [.init(index: index, transport: transport)])
        }
    }

    private func prepare(_ track: Int, _ transport: RTSPTransport, _ next: RTSPRequest) {
        if let channels = transport.interleavedChannels, !usesUDP {
            session?.setUp(track, .interleaved(channels))
        } else if var bound = sockets.removeValue(forKey: track), let peer = connection.remoteAddress,
            let ports = transport.serverPorts
        {
            bound.setRemotePorts(of: peer, rtp: ports.rtp, rtcp: ports.rtcp)
            // The first datagrams open the way through a router.
            bound.open()
            session?.setUp(track, .udp(bound, SenderFilter(peer: peer)))
        }
        send(next)
    }

    private func play() {
        guard let session, session.hasUsableTrack else { return end("no track could be set up") }
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        let loop = eventLoop
        session.measureRoundTrip(of: connection)
        let publisher = Publisher(
            remoteAddress: address.endpoint, userAgent: nil,
            transport: "\(address.scheme.rawValue.uppercased())/\(usesUDP ? "UDP" : "TCP")", presetName: nil)
        do {
            try session.start(publisher: publisher, source: UInt32.random(in: .min ... .max)) {
            } onKick: { reason in
                loop.execute { handler.value.end(reason, isIntended: true) }
            }
        } catch {
            return end("\(error)")
        }
        heardAt = eventLoop.now
    }

    func mediaReceived(_ isOwn: Bool) {
        guard isOwn else { return }
        heardAt = eventLoop.now
        progress.started()
    }

    private func checkTime() {
        guard !isOver else { return }
        if eventLoop.now - heardAt > Self.patience { return end("nothing has come for too long") }
        for report in session?.makeReports(now: eventLoop.now) ?? [] where connection.isWritable {
            var buffer = ByteBuffer()
            report.write(into: &buffer)
            connection.writeAndFlush(buffer, promise: nil)
        }
        let half = TimeAmount.seconds(Int64(max(2, machine.timeoutSeconds / 2)))
        if eventLoop.now - keptAliveAt >= half, let request = machine.keepAlive() {
            keptAliveAt = eventLoop.now
            send(request)
        }
    }

    // MARK: Ends

    /// Ends the session and the connection. Has no effect after the first call.
    func end(_ reason: String, isIntended: Bool = false) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        timer = nil
        for bound in sockets.values { bound.close() }
        sockets = [:]
        session?.end(reason: reason, isIntended: isIntended)
        session = nil
        if connection.isActive, let request = machine.teardown() { send(request) }
        ended.fail(RelayFailure(reason))
        let connection = connection
        eventLoop.assumeIsolated().scheduleTask(in: Self.farewell) { connection.close(promise: nil) }
    }
}
