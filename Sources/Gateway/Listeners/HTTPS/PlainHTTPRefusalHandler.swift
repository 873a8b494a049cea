import NIOCore

/// Answers clients that send plain HTTP to the HTTPS port with the right URL scheme. It precedes the TLS handler, which
/// handles everything else.
final class PlainHTTPRefusalHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var hasRefused = false

    /// An event that lets `TLSHandshakeHandler` log the reason.
    struct Refused: Sendable {}

    private static let answer: ByteBuffer = {
        let text = "This port speaks HTTPS; use a URL that starts with https://\n"
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
        // Ignores the rest of a request that has been answered.
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
        // Bypasses TLS, which would wait for the peer's close alert.
        context.close(promise: nil)
    }
}
