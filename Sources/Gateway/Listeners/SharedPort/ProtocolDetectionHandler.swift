import NIOCore

/// Holds a connection's first bytes until they identify its protocol, then installs that protocol's handlers and
/// removes itself.
final class ProtocolDetectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let decided: EventLoopPromise<SpokenProtocol>
    private let install: (SpokenProtocol, any Channel) throws -> Void
    private var buffer = ByteBuffer()
    private var timeout: Scheduled<Void>?
    private var isDecided = false
    private var hasReadComplete = false

    /// Time for the first bytes; the same as for an RTSP connection's first request.
    static let timeout = Duration.seconds(10)

    /// The connection ended, or timed out, before its protocol was identified, or it speaks neither protocol.
    struct Undecided: Error {}

    /// - Parameters:
    ///   - decided: succeeds once the protocol's handlers are installed, fails if neither protocol is spoken.
    ///   - install: adds those handlers after this one.
    init(
        decided: EventLoopPromise<SpokenProtocol>,
        install: @escaping (SpokenProtocol, any Channel) throws -> Void
    ) {
        self.decided = decided
        self.install = install
    }

    func channelActive(context: ChannelHandlerContext) {
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(Self.timeout)) { [self] in
            giveUp(context)
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        guard !isDecided else { return context.fireChannelRead(wrapInboundOut(data)) }
        buffer.writeBuffer(&data)
        switch ProtocolDetector.detect(buffer.readableBytesView) {
        case .undecided: break
        case .unknown: giveUp(context)
        case .speaks(let spoken): handOver(spoken, context)
        }
    }

    private func handOver(_ spoken: SpokenProtocol, _ context: ChannelHandlerContext) {
        isDecided = true
        timeout?.cancel()
        do {
            try install(spoken, context.channel)
        } catch {
            decided.fail(error)
            return context.close(promise: nil)
        }
        decided.succeed(spoken)
        let first = buffer
        buffer = ByteBuffer()
        context.fireChannelRead(wrapInboundOut(first))
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    private func giveUp(_ context: ChannelHandlerContext) {
        guard !isDecided else { return }
        isDecided = true
        decided.fail(Undecided())
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // There is no request yet, so a stopping server, or a peer that has closed its sending side, ends the
        // connection.
        if event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed { giveUp(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timeout?.cancel()
        giveUp(context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeout?.cancel()
        if !isDecided {
            isDecided = true
            decided.fail(Undecided())
        }
    }
}
