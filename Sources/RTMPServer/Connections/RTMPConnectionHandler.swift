import ChannelPublishing
import LiveChannels
import LogMetadata
import Logging
import MediaCore
import NIOCore
import PacedSockets
import RTMPProtocol
import StreamConnections

/// A connection: passes its bytes to ``RTMPServerSession``, and carries out what the peer wants.
final class RTMPConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The use of the connection.
    enum Use {
        case nothing
        case publishing(RTMPPublication, stream: UInt32)
        case playing(RTMPPlayer, stream: UInt32)
    }

    let environment: RTMPServerEnvironment
    let eventLoop: any EventLoop
    let isSecure: Bool
    let logger: Logger
    var session: RTMPServerSession
    var use = Use.nothing
    /// The application that was granted, and the address and program of the peer.
    var connect: RTMPConnect?
    /// The stream whose permission is being found out; `nil` if none is.
    var awaitedStream: UInt32?
    private(set) var context: ChannelHandlerContext?
    private var isOpen = true
    private var setUpTimer: Scheduled<Void>?
    private var silenceTimer: RepeatedTask?
    private var hasHeard = true
    private var hasHeldRead = false
    /// Paces reads while something is published; otherwise `nil`.
    private var pacedReads: ConnectionPacing?

    init(environment: RTMPServerEnvironment, channel: any Channel, isSecure: Bool) {
        self.environment = environment
        self.isSecure = isSecure
        eventLoop = channel.eventLoop
        var random = ByteBuffer()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<RTMPHandshake.randomByteCount / 8 { random.writeInteger(generator.next()) }
        session = RTMPServerSession(random: random)
        var logger = environment.logger
        logger[.peerAddress] = "\(channel.remoteAddress.map(\.displayed) ?? "")"
        self.logger = logger
    }

    var limits: RTMPServerLimits { environment.configuration.limits }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let limit = TimeAmount(limits.setUpTime)
        setUpTimer = eventLoop.assumeIsolated().scheduleTask(in: limit) { [self] in close(.setUpTimeout) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(.peerClosed)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isOpen else { return }
        hasHeard = true
        do {
            try session.append(unwrapInboundIn(data))
        } catch {
            fail(error)
        }
        takeEvents()
    }

    /// Carries out what has arrived, up to what has to be found out first.
    private func takeEvents() {
        do {
            while isOpen, let event = try session.next() { try handle(event) }
        } catch {
            fail(error)
        }
        flush()
    }

    /// Goes on with what has arrived while a permission was being found out.
    func resume() {
        awaitedStream = nil
        guard isOpen else { return }
        takeEvents()
        takeHeldRead()
    }

    /// Reads nothing while a permission is being found out, so that no more than a read has to be kept.
    func read(context: ChannelHandlerContext) {
        if awaitedStream == nil { context.read() } else { hasHeldRead = true }
    }

    private func takeHeldRead() {
        guard hasHeldRead, awaitedStream == nil else { return }
        hasHeldRead = false
        context?.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .publishing(let publication, _) = use { publication.unitsArrived() }
        pacedReads?.handled()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .playing(let player, _) = use { player.isWritable = context.channel.isWritable }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.peerClosed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.ioError, detail: "\(error)")
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ServerShutdownEvent, is ChannelShouldQuiesceEvent: close(.shutdown)
        case is ConnectionEvictedEvent: close(.evicted)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: What the peer wants

    private func handle(_ event: RTMPEvent) throws {
        switch event {
        case .connect(let connect): accept(connect)
        case .publish(let stream, let name): publish(name, in: stream)
        case .play(let stream, let name): play(name, in: stream)
        case .media(let media):
            guard case .publishing(let publication, _) = use else { return }
            let hadBegun = publication.hasBegun
            try publication.receive(media)
            if !hadBegun, publication.hasBegun { logger.info("push started", metadata: started(publication)) }
        case .data(let name, let values, _):
            guard case .publishing(let publication, _) = use else { return }
            publication.receive(data: name, values)
        case .end(let stream):
            if awaitedStream == stream { awaitedStream = nil }
            switch use {
            case .publishing(_, stream): close(.unpublished)
            case .playing(_, stream): close(.peerClosed)
            default: break
            }
        }
    }

    private func started(_ publication: RTMPPublication) -> LogValues {
        [
            .channelName: "\(publication.channel.name)", .transport: "rtmp",
            .userAgent: "\(connect?.program?.prefix(100) ?? "")",
        ]
    }

    /// Grants the application. What is to be published is not known yet, so nobody is refused here but those that ask
    /// for a challenge, and those that have to be asked for a password.
    private func accept(_ connect: RTMPConnect) {
        let address = RTMPStreamAddress(application: connect.application, name: "", address: connect.address)
        if let answer = address.challenge {
            guard answer.response != nil else {
                return refuse(nil, environment.challenge.question(for: answer.user, now: eventLoop.now))
            }
        } else if address.credential == nil, environment.takeInvitation(addressKey, now: eventLoop.now) {
            return refuse(nil, AdobeChallenge.invitation)
        }
        self.connect = connect
        session.accept()
    }

    /// Starts what was granted: the connection stays for as long as something comes.
    func begin(_ use: Use, as purpose: ConnectionUse) {
        self.use = use
        setUpTimer?.cancel()
        setUpTimer = nil
        if let context { _ = environment.registry.use(context.channel, for: purpose, now: eventLoop.now) }
        guard case .publishing(let publication, _) = use else {
            environment.counters.update { $0.playerCount += 1 }
            return
        }
        environment.counters.update { $0.publisherCount += 1 }
        pace(publication)
        let silence = TimeAmount(limits.silence)
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        silenceTimer = eventLoop.scheduleRepeatedTask(initialDelay: silence, delay: silence) { _ in
            connection.value.listen()
        }
    }

    /// Reads the push at ticks from now on.
    private func pace(_ publication: RTMPPublication) {
        guard let channel = context?.channel else { return }
        let pacing = environment.pacings.pacing(of: eventLoop).makePublisherPacing()
        publication.onHurry = { pacing.hurry() }
        pacedReads = ConnectionPacing(
            channel, connection: self, pacing: pacing, settlingTime: limits.settlingTime)
    }

    /// Ends a push from which nothing has come since the last call.
    private func listen() {
        guard hasHeard else { return close(.silence) }
        hasHeard = false
    }

    /// Refuses, in words for the encoder, and ends the connection when it has had time to read them.
    func refuse(_ stream: UInt32?, _ reason: String, channel: String? = nil) {
        session.refuse(stream, reason)
        flush()
        var values: LogValues = [.reason: "\(reason.prefix(200))"]
        if let channel { values[.channelName] = "\(channel)" }
        // The beginning of a login is no fault.
        logger.log(level: stream == nil ? .debug : .notice, "RTMP push or player refused", metadata: values)
        finish(.refused, detail: reason)
        linger()
    }

    /// Ends a push whose media cannot go on.
    private func fail(_ error: any Error) {
        let reason =
            switch error {
            case let refusal as PushRefusal: refusal.reason
            case let error as PublishingError: Self.words(for: error)
            default: "\(error)"
            }
        if case .publishing(let publication, let stream) = use {
            session.refusePublished(stream, reason)
            flush()
            logger.notice(
                "RTMP push refused",
                metadata: [.channelName: "\(publication.channel.name)", .reason: "\(reason.prefix(200))"])
            finish(error is RTMPError ? .protocolError : .refused, detail: reason)
            return linger()
        }
        close(.protocolError, detail: reason)
    }

    /// The words for a publisher that a channel does not take. The address of another one is not disclosed.
    static func words(for error: PublishingError) -> String {
        switch error {
        case .channelBusy: "the channel already has a publisher"
        case .unknownPreset, .closed: "\(error)"
        }
    }

    /// The address group of the peer, which usually belongs to one subscriber.
    var addressKey: String { AddressGroup(context?.channel.remoteAddress).description }

    // MARK: Output

    /// Sends what the session has to say.
    func flush() {
        let output = session.takeOutput()
        guard output.readableBytes > 0, let context else { return }
        context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }

    // MARK: Ends

    /// Ends the connection.
    func close(_ reason: RTMPCloseReason, detail: String? = nil) {
        finish(reason, detail: detail)
        context?.close(promise: nil)
    }

    private func linger() {
        guard let context else { return }
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.lingerTime)) { context.close(promise: nil) }
    }

    /// Counts and logs the end of the connection, once.
    private func finish(_ reason: RTMPCloseReason, detail: String? = nil) {
        guard isOpen else { return }
        isOpen = false
        setUpTimer?.cancel()
        silenceTimer?.cancel()
        pacedReads?.close()
        pacedReads = nil
        (setUpTimer, silenceTimer, awaitedStream) = (nil, nil, nil)
        switch use {
        case .publishing(let publication, let stream):
            session.end(stream, reason.explained)
            flush()
            publication.end(reason: detail ?? reason.explained, isIntended: reason.isIntended)
            environment.counters.update { $0.publisherCount -= 1 }
        case .playing(let player, let stream):
            session.end(stream, reason.explained)
            flush()
            player.end()
            environment.counters.update {
                $0.playerCount -= 1
                $0.droppedUnitCount += player.droppedCount
            }
        case .nothing: break
        }
        use = .nothing
        environment.counters.update { $0.closedConnectionCounts[reason, default: 0] += 1 }
        logger.info("RTMP connection closed", metadata: [.reason: "\(reason.rawValue)", .detail: "\(detail ?? "")"])
    }
}

extension RTMPConnectionHandler: PacedConnection {
    var takesMedia: Bool { isOpen && awaitedStream == nil }

    func promptTime(now: NIODeadline) -> NIODeadline? {
        guard case .publishing(let publication, _) = use, publication.hasBegun else { return now }
        return publication.promptTime(now: now)
    }
}
