import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOSSL

/// Writes the responses of one connection. With HTTP/1.1 it bypasses the codec, which has nothing to add: heads of
/// media contain the body's length.
struct MediaResponseWriter {
    /// The context from which bytes bypass the HTTP/1.1 codec; `nil` with HTTP/2.
    let encoder: ChannelHandlerContext?
    /// The socket of the connection; `nil` with TLS and HTTP/2, and for the channels of tests.
    let socket: ResponseSocket?
    private let isSecure: Bool

    /// - Parameter context: the context of the delivery handler.
    init(_ context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        encoder = try? pipeline.context(handlerType: HTTPResponseEncoder.self)
        isSecure = (try? pipeline.context(handlerType: NIOSSLServerHandler.self)) != nil
        socket = encoder == nil || isSecure ? nil : ResponseSocket(context.channel)
    }

    /// True if there is no handler between HTTP and the socket, and bodies need no framing.
    var isDirect: Bool { encoder != nil && !isSecure }

    /// Whether a response that is encoded for HTTP/1.1 may be written as one piece. With TLS the completion of a piece
    /// is the only sign that the client receives something, so a large one is divided.
    func mayWriteAtOnce(_ response: ByteBuffer) -> Bool {
        encoder != nil && (!isSecure || response.readableBytes <= FileTransfer.pieceByteCount)
    }

    func writeHead(_ head: MediaResponseHead, _ context: ChannelHandlerContext) {
        socket?.noteChannelWrite()
        if let encoder {
            encoder.write(NIOAny(IOData.byteBuffer(head.http1())), promise: nil)
        } else {
            context.write(NIOAny(HTTPResponsePart.head(head.complete)), promise: nil)
        }
    }

    func writeBody(_ piece: ByteBuffer, _ context: ChannelHandlerContext) {
        socket?.noteChannelWrite()
        if let encoder {
            encoder.write(NIOAny(IOData.byteBuffer(piece)), promise: nil)
        } else {
            context.write(NIOAny(HTTPResponsePart.body(piece)), promise: nil)
        }
    }

    /// Writes and flushes a whole response that is encoded for HTTP/1.1; `encoder` must not be `nil`.
    func writeEncoded(_ response: ByteBuffer) {
        var rest = response
        socket?.send(&rest)
        guard rest.readableBytes > 0 else { return }
        socket?.noteChannelWrite()
        encoder?.writeAndFlush(NIOAny(IOData.byteBuffer(rest)), promise: nil)
    }

    /// Ends the response and flushes.
    ///
    /// - Parameter holding: objects kept alive until the client has received the response.
    func finish(_ context: ChannelHandlerContext, holding: [any AnyObject & Sendable]) {
        // Everything has gone to the socket.
        if socket?.isChannelEmpty == true { return }
        var written: EventLoopPromise<Void>?
        if !holding.isEmpty {
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.whenComplete { _ in withExtendedLifetime(holding) {} }
            written = promise
        }
        if let encoder {
            // The completion of an empty write shows that the previous writes are complete.
            if let written { encoder.write(NIOAny(IOData.byteBuffer(ByteBuffer())), promise: written) }
            encoder.flush()
        } else {
            context.writeAndFlush(NIOAny(HTTPResponsePart.end(nil)), promise: written)
        }
    }
}
