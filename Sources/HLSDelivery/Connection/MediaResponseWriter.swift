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
    private let isSecure: Bool
    /// False for the channels of tests and for the streams of HTTP/2.
    private let hasSocket: Bool

    /// - Parameter context: the context of the delivery handler.
    init(_ context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        encoder = try? pipeline.context(handlerType: HTTPResponseEncoder.self)
        let socket: Void? = try? pipeline.withUnsafeTransportIfAvailable { (_: NIOBSDSocket.Handle) in }
        hasSocket = socket != nil
        isSecure = (try? pipeline.context(handlerType: NIOSSLServerHandler.self)) != nil
    }

    /// True if there is no handler between HTTP and the socket, and bodies need no framing.
    var isDirect: Bool { encoder != nil && !isSecure }

    /// Returns whether bytes that go to the socket now come after everything that was written before.
    func hasEmptyPipeline(_ context: ChannelHandlerContext) -> Bool {
        isDirect && hasSocket && (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0
    }

    func writeHead(_ head: HTTPResponse, _ context: ChannelHandlerContext) {
        if let encoder {
            encoder.write(NIOAny(IOData.byteBuffer(head.http1())), promise: nil)
        } else {
            context.write(NIOAny(HTTPResponsePart.head(head)), promise: nil)
        }
    }

    func writeBody(_ piece: ByteBuffer, _ context: ChannelHandlerContext) {
        if let encoder {
            encoder.write(NIOAny(IOData.byteBuffer(piece)), promise: nil)
        } else {
            context.write(NIOAny(HTTPResponsePart.body(piece)), promise: nil)
        }
    }

    /// Ends the response and flushes.
    ///
    /// - Parameter holding: objects kept alive until the client has received the response.
    func finish(_ context: ChannelHandlerContext, holding: [any AnyObject & Sendable]) {
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
