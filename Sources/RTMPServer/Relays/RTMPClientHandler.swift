import ChannelPublishing
import LiveChannels
import MediaCore
import NIOCore
import RTMPProtocol

/// The client's side of a connection: fetches a stream for a channel, or copies a channel to another server.
final class RTMPClientHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Time from the connection to the first media.
    private static let setUpTime = TimeAmount.seconds(15)
    /// Time without a byte after which a stream that is fetched counts as gone.
    private static let silence = TimeAmount.seconds(20)
    private static let silenceInterval = TimeAmount.seconds(5)

    private enum Use {
        case nothing
        case fetching(RTMPPublication)
        case copying(RTMPPlayer)
    }

    private let purpose: RTMPClientSession.Purpose
    private let channel: LiveChannel
    private let address: RelayAddress
    private let progress: RelayProgress
    private let ended: EventLoopPromise<Void>
    private let eventLoop: any EventLoop
    private var session: RTMPClientSession
    private var use = Use.nothing
    private var context: ChannelHandlerContext?
    private var isOver = false
    private var timer: RepeatedTask?
    private var heardAt: NIODeadline

    init(
        _ purpose: RTMPClientSession.Purpose, of channel: LiveChannel, _ address: RelayAddress,
        _ progress: RelayProgress, on eventLoop: any EventLoop, ended: EventLoopPromise<Void>
    ) {
        (self.purpose, self.channel, self.address, self.progress) = (purpose, channel, address, progress)
        (self.eventLoop, self.ended) = (eventLoop, ended)
        heardAt = eventLoop.now
        var random = ByteBuffer()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<RTMPHandshake.randomByteCount / 8 { random.writeInteger(generator.next()) }
        let place = RTMPPlace(address)
        session = RTMPClientSession(
            purpose, application: place.application, name: place.name, address: place.address, random: random)
    }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { flush() }
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleRepeatedTask(
            initialDelay: Self.silenceInterval, delay: Self.silenceInterval
        ) { _ in handler.value.checkTime() }
    }

    func channelActive(context: ChannelHandlerContext) {
        flush()
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end("the connection was closed")
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        heardAt = eventLoop.now
        let bytes = unwrapInboundIn(data)
        if purpose == .playing { progress.add(byteCount: bytes.readableBytes) }
        do {
            for event in try session.receive(bytes) { try take(event) }
        } catch {
            let words = (error as? PushRefusal)?.reason ?? "\(error)"
            return end(words)
        }
        flush()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .fetching(let publication) = use { publication.unitsArrived() }
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .copying(let player) = use { player.isWritable = context.channel.isWritable }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end("the connection was closed")
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end("\(error)") }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ClientConnectionStop { return end("stopped", isIntended: true) }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: The stream

    private func take(_ event: RTMPClientEvent) throws {
        switch event {
        case .started: start()
        case .refused(let words): end("refused: \(words)")
        case .ended(let words): end("the server has ended the stream: \(words)")
        case .content(.media(let media)):
            guard case .fetching(let publication) = use else { return }
            try publication.receive(media)
            if publication.hasBegun { progress.started() }
        case .content(.data(let name, let values, _)):
            guard case .fetching(let publication) = use else { return }
            publication.receive(data: name, values)
        case .content: break
        }
    }

    private func start() {
        switch purpose {
        case .playing:
            let handler = NIOLoopBound(self, eventLoop: eventLoop)
            let loop = eventLoop
            let publisher = Publisher(
                remoteAddress: address.endpoint, userAgent: nil, transport: address.scheme.rawValue.uppercased(),
                presetName: nil)
            use = .fetching(
                RTMPPublication(to: channel, by: publisher, on: eventLoop, limits: RTMPServerLimits()) { reason in
                    loop.execute { handler.value.end(reason, isIntended: true) }
                })
        case .publishing:
            let player = RTMPPlayer(channel.restreamed, on: eventLoop)
            player.isWritable = context?.channel.isWritable ?? false
            player.onMedia = { [unowned self] media in
                session.send(media)
                flush()
            }
            player.onEnd = { [weak self] in self?.end("the channel is off the air", isIntended: true) }
            use = .copying(player)
            progress.started()
            player.begin()
        }
    }

    private func checkTime() {
        if case .nothing = use, eventLoop.now - heardAt > Self.setUpTime { end("the server does not answer") }
        switch use {
        case .fetching: if eventLoop.now - heardAt > Self.silence { end("nothing has come for too long") }
        case .copying(let player): progress.set(droppedUnitCount: player.droppedCount)
        case .nothing: break
        }
    }

    private func flush() {
        let output = session.takeOutput()
        guard output.readableBytes > 0, let context else { return }
        if purpose == .publishing { progress.add(byteCount: output.readableBytes) }
        context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }

    /// Ends the connection. Has no effect after the first call.
    private func end(_ reason: String, isIntended: Bool = false) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        timer = nil
        session.end()
        flush()
        switch use {
        case .fetching(let publication): publication.end(reason: reason, isIntended: isIntended)
        case .copying(let player):
            progress.set(droppedUnitCount: player.droppedCount)
            player.end()
        case .nothing: break
        }
        use = .nothing
        ended.fail(RelayFailure(reason))
        context?.close(promise: nil)
    }
}
