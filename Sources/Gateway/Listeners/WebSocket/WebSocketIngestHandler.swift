import NIOCore
import NIOWebSocket
import StreamConnections
import WebIngest

/// The connection of a browser that publishes: puts messages together from frames (RFC 6455 §5), and passes them on.
final class WebSocketIngestHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Bytes of the reason in a close frame (RFC 6455 §5.5).
    private static let maximumReasonByteCount = 123
    /// Time between two questions whether the browser is still there.
    private static let pingInterval = TimeAmount.seconds(10)
    /// Bytes that may wait for a browser that reads nothing: reports of an hour.
    private static let maximumUnsentByteCount = 256 << 10
    /// Time for the browser's answer to a close frame.
    private static let farewell = TimeAmount.seconds(2)

    private let server: IngestServer
    private let channelName: String
    private let browser: IngestSession.Browser
    private var session: IngestSession?
    private var message: ByteBuffer?
    private var isText = false
    private var pings: RepeatedTask?
    private var isClosing = false

    init(_ server: IngestServer, _ channelName: String, _ browser: IngestSession.Browser) {
        (self.server, self.channelName, self.browser) = (server, channelName, browser)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        try? channel.syncOptions?.setOption(
            .writeBufferWaterMark,
            value: .init(low: Self.maximumUnsentByteCount / 2, high: Self.maximumUnsentByteCount))
        try? channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        session = IngestSession(server, channel: channelName, browser: browser, on: context.eventLoop) { output in
            handler.value.send(output, bound.value)
        }
        guard let session else { return context.close(promise: nil) }
        session.begin()
        pings = context.eventLoop.scheduleRepeatedTask(
            initialDelay: Self.pingInterval, delay: Self.pingInterval
        ) { _ in
            guard bound.value.channel.isWritable else { return }
            bound.value.writeAndFlush(
                handler.value.wrapOutboundOut(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())),
                promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        pings?.cancel()
        pings = nil
        session?.finish("the connection was closed", isIntended: false, IngestCloseCode.goingAway)
        session = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        session?.finish("the connection was closed", isIntended: false, IngestCloseCode.goingAway)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        session?.finish("the connection broke: \(error)", isIntended: false, IngestCloseCode.policy)
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ServerShutdownEvent, is ChannelShouldQuiesceEvent:
            session?.finish("the server is shutting down", isIntended: true, IngestCloseCode.goingAway)
        case let event as ChannelEvent where event == .inputClosed:
            session?.finish("the connection was closed", isIntended: false, IngestCloseCode.goingAway)
            context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Frames

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        let frame = unwrapInboundIn(data)
        // Browsers mask every frame (RFC 6455 §5.1).
        guard frame.maskKey != nil else { return fail("a frame is not masked") }
        switch frame.opcode {
        case .text, .binary:
            guard message == nil else { return fail("a message begins in another") }
            isText = frame.opcode == .text
            take(frame.unmaskedData, isLast: frame.fin)
        case .continuation:
            guard message != nil else { return fail("a message has no beginning") }
            take(frame.unmaskedData, isLast: frame.fin)
        case .ping:
            guard context.channel.isWritable else { return }
            context.writeAndFlush(
                wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)), promise: nil)
        case .connectionClose:
            session?.finish("the browser closed the connection", isIntended: false, IngestCloseCode.normal)
        default: break
        }
    }

    private func take(_ bytes: ByteBuffer, isLast: Bool) {
        var whole = message ?? ByteBuffer()
        if message == nil { whole = bytes } else { whole.writeImmutableBuffer(bytes) }
        guard whole.readableBytes <= IngestServer.maximumMessageByteCount else {
            session?.finish("a message is too large", isIntended: false, IngestCloseCode.tooLarge)
            return
        }
        guard isLast else {
            message = whole
            return
        }
        message = nil
        if isText { session?.receive(text: String(buffer: whole)) } else { session?.receive(binary: whole) }
    }

    private func fail(_ reason: String) {
        session?.finish(reason, isIntended: false, IngestCloseCode.policy)
    }

    // MARK: Output

    private func send(_ output: IngestOutput, _ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        switch output {
        case .text(let text):
            // A browser that reads nothing learns nothing.
            guard context.channel.isWritable else { return }
            let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        case .close(let code, let reason):
            isClosing = true
            var data = ByteBuffer(integer: code)
            data.writeBytes(Self.shortened(reason).utf8)
            let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: Self.farewell) { bound.value.close(promise: nil) }
        }
    }

    /// A text of at most so many bytes as a close frame holds.
    private static func shortened(_ text: String) -> String {
        var text = text
        while text.utf8.count > maximumReasonByteCount { text.removeLast() }
        return text
    }
}
