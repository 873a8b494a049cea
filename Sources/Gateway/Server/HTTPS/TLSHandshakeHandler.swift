import Logging
import NIOCore
import NIOTLS

/// Behind TLS: closes connections whose handshake fails or takes too long, says so in the log, and goes when it is done.
final class TLSHandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let timeout: TimeAmount
    private let logger: Logger
    private var timer: Scheduled<Void>?
    private var isOver = false

    init(timeout: TimeAmount, logger: Logger) {
        self.timeout = timeout
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { [self] in
            fail(context, "it takes too long")
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if case .handshakeCompleted = event as? TLSUserEvent {
            isOver = true
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } else if event is PlainHTTPRefusalHandler.Refused {
            // Closed by that handler, past TLS.
            end(context, "the client speaks plain HTTP")
        } else if event is ChannelShouldQuiesceEvent {
            fail(context, "the server stops")
        }
    }

    /// Such as a version below TLS 1.2, no cipher in common, or bytes that are no TLS.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isOver { context.fireErrorCaught(error) } else { fail(context, "\(error)") }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(context, "the client has gone")
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
            metadata: ["peer": "\(context.remoteAddress?.description ?? "")", "reason": "\(reason)"])
    }
}
