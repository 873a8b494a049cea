import NIOCore

/// Before TLS: tells whoever speaks plain HTTP to the HTTPS port what to write instead. Everything else is TLS's to
/// judge.
final class PlainHTTPRefusalHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var hasRefused = false

    /// For ``TLSHandshakeHandler``, which knows what to log.
    struct Refused: Sendable {}

    private static let answer: ByteBuffer = {
        let text = "This port speaks HTTPS: begin the address with https://\n"
        return ByteBuffer(
            string: """
                HTTP/1.1 400 Bad Request\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Length: \(text.utf8.count)\r
                Connection: close\r
                \r
                \(text)
                """)
    }()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The rest of a request that has been answered.
        guard !hasRefused else { return }
        let bytes = unwrapInboundIn(data)
        guard let first = bytes.readableBytesView.first else { return }
        // A method begins with a letter (RFC 9110 §9.1), TLS's first record with 22 (RFC 8446 §5.1).
        guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
            context.fireChannelRead(data)
            return context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        }
        hasRefused = true
        context.fireUserInboundEventTriggered(Refused())
        context.writeAndFlush(wrapOutboundOut(Self.answer), promise: nil)
        // Past TLS, which would wait for an answer to its own farewell.
        context.close(promise: nil)
    }
}
