import Logging
import LogMetadata
import NIOCore
import NIOTLS

/// Closes connections whose handshake fails or times out, and logs the reason. It follows the TLS handler and removes
/// itself after the handshake.
final class TLSHandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let timeout: Duration
    private let logger: Logger
    private var timer: Scheduled<Void>?
    private var isOver = false

    init(timeout: Duration, logger: Logger) {
        self.timeout = timeout
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) { [self] in
            fail(context, "the handshake timed out")
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if case .handshakeCompleted = event as? TLSUserEvent {
            isOver = true
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } else if event is PlainHTTPRefusalHandler.Refused {
            // That handler closes the connection.
            end(context, "the client speaks plain HTTP")
        } else if event is ChannelShouldQuiesceEvent {
            fail(context, "the server is stopping")
        }
    }

    /// Handles errors such as a version below TLS 1.2, no common cipher, or bytes that are not TLS.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isOver { context.fireErrorCaught(error) } else { fail(context, "\(error)") }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(context, "the client disconnected")
        context.fireChannelInactive()
    }

    private func fail(_ context: ChannelHandlerContext, _ reason: String) {
        guard !isOver else { return }
        end(context, reason)
        context.close(promise: nil)
    }

    private func end(_ context: ChannelHandlerContext, _ reason: String) {
        isOver = true
        timer?.cancel()
        logger.debug(
            "TLS handshake failed",
            metadata: [.peerAddress: "\(context.remoteAddress?.description ?? "")", .reason: "\(reason)"])
    }
}
