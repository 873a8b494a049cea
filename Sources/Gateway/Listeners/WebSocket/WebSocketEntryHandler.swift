import HLSDelivery
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket
import WebIngest

/// Stands before the router in the pipeline of a connection of HTTP/1.1. A request that wants to publish by WebSocket
/// takes the connection out of HTTP.
final class WebSocketEntryHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private enum State {
        case waiting
        /// The request's end follows.
        case deciding(WebSocketUpgrade.Decision)
        case over
    }

    private let upgrade: WebSocketUpgrade
    private let isSecure: Bool
    private var state = State.waiting

    /// - Parameters:
    ///   - upgrade: decides about requests.
    ///   - isSecure: whether the connection uses TLS.
    init(upgrade: WebSocketUpgrade, isSecure: Bool) { (self.upgrade, self.isSecure) = (upgrade, isSecure) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (state, unwrapInboundIn(data)) {
        case (.waiting, .head(let head)):
            let decision = upgrade.decide(head, from: context.channel.remoteAddress, isSecure: isSecure)
            if case .other = decision { return context.fireChannelRead(data) }
            state = .deciding(decision)
        case (.waiting, _): context.fireChannelRead(data)
        case (.deciding(let decision), .end):
            state = .over
            carryOut(decision, context)
        case (.deciding, _), (.over, _): break
        }
    }

    private func carryOut(_ decision: WebSocketUpgrade.Decision, _ context: ChannelHandlerContext) {
        switch decision {
        case .other: break
        case .refused(let status):
            var response = HTTPResponse(status: status, headerFields: [.contentLength: "0", .connection: "close"])
            if status == .upgradeRequired { response.headerFields[.upgrade] = "websocket" }
            context.write(wrapOutboundOut(.head(response)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            context.close(promise: nil)
        case .accepted(let response, let channel, let browser):
            context.write(wrapOutboundOut(.head(response)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            leaveHTTP(context, channel, browser)
        }
    }

    /// Removes what speaks HTTP, and adds what speaks WebSocket.
    private func leaveHTTP(_ context: ChannelHandlerContext, _ channel: String, _ browser: IngestSession.Browser) {
        let pipeline = context.pipeline.syncOperations
        do {
            try pipeline.addHandlers([
                WebSocketFrameEncoder(),
                ByteToMessageHandler(
                    WebSocketFrameDecoder(maxFrameSize: IngestServer.maximumMessageByteCount),
                    maximumBufferSize: 2 * IngestServer.maximumMessageByteCount),
                WebSocketIngestHandler(upgrade.ingest, channel, browser),
            ])
        } catch {
            return context.close(promise: nil)
        }
        // The connection's own end is that of the task that would serve it.
        remove(RouterEntryHandler.self, pipeline)
        remove(HTTPConnectionStateHandler.self, pipeline)
        remove(OperatorReserveHandler.self, pipeline)
        remove(MediaDeliveryHandler.self, pipeline)
        remove(RequestAccountHandler.self, pipeline)
        remove(RequestHeadErrorHandler.self, pipeline)
        remove(HTTP1ToHTTPServerCodec.self, pipeline)
        remove(ByteToMessageHandler<HTTPRequestDecoder>.self, pipeline)
        remove(HTTPResponseEncoder.self, pipeline)
        pipeline.removeHandler(context: context, promise: nil)
    }

    private func remove<Handler: RemovableChannelHandler>(
        _ type: Handler.Type, _ pipeline: ChannelPipeline.SynchronousOperations
    ) {
        guard let context = try? pipeline.context(handlerType: type) else { return }
        pipeline.removeHandler(context: context, promise: nil)
    }
}
