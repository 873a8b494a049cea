import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import MediaCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Lets a connection in the reserve (`HTTPConnectionPlaces`) through if its first request has the credential of an
/// operator, and answers 503 otherwise. It removes itself from connections with an ordinary place.
///
/// It follows the HTTP codec in the pipeline, before everything that answers requests. While the credential is looked
/// up, nothing more is read from the connection, so that it holds no more than one read.
final class OperatorReserveHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Whether a request is from an operator.
    typealias Check = @Sendable (_ fields: HTTPFields, _ peer: SocketAddress?) async -> Bool

    private enum Phase {
        case awaitingHead
        /// The credential is looked up.
        case asking(held: [HTTPRequestPart], isReadHeld: Bool)
        case refused
    }

    private let registry: HTTPConnectionRegistry
    private let isOperator: Check
    /// Answers requests for media; it follows this handler, but takes simple requests before the decoder.
    private let delivery: MediaDeliveryHandler
    private var phase = Phase.awaitingHead

    /// The value of Retry-After in seconds.
    private static let retryDelay = 10

    private init(registry: HTTPConnectionRegistry, delivery: MediaDeliveryHandler, isOperator: @escaping Check) {
        (self.registry, self.delivery, self.isOperator) = (registry, delivery, isOperator)
    }

    /// The handler, and the media handler after it.
    ///
    /// - Parameters:
    ///   - registry: knows which connections are in the reserve.
    ///   - delivery: the media of the server.
    ///   - isOperator: finds out who sends a request.
    static func handlers(
        registry: HTTPConnectionRegistry, delivery: MediaDelivery, isOperator: @escaping Check
    ) -> [any RemovableChannelHandler] {
        let media = MediaDeliveryHandler(delivery: delivery)
        return [OperatorReserveHandler(registry: registry, delivery: media, isOperator: isOperator), media]
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard registry.isUnproven(context.channel) else { return remove(context) }
        delivery.answersUndecodedRequests = false
    }

    private func remove(_ context: ChannelHandlerContext) {
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch phase {
        case .awaitingHead:
            guard case .head(let request) = part else { return context.fireChannelRead(data) }
            phase = .asking(held: [part], isReadHeld: false)
            ask(request, context)
        case .asking(var held, let isReadHeld):
            held.append(part)
            phase = .asking(held: held, isReadHeld: isReadHeld)
        case .refused: return
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .asking = phase { return }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        guard case .asking(let held, _) = phase else { return context.read() }
        phase = .asking(held: held, isReadHeld: true)
    }

    private func ask(_ request: HTTPRequest, _ context: ChannelHandlerContext) {
        let peer = context.channel.clientAddress
        let answer = context.eventLoop.makeFutureWithTask { [isOperator] in
            await isOperator(request.headerFields, peer)
        }
        answer.assumeIsolated().whenComplete { [self] result in
            // The connection may have been closed meanwhile.
            guard context.channel.isActive, case .asking(let held, let isReadHeld) = phase else { return }
            if case .success(true) = result {
                registry.prove(context.channel)
                delivery.answersUndecodedRequests = true
                for part in held { context.fireChannelRead(wrapInboundOut(part)) }
                context.fireChannelReadComplete()
                if isReadHeld { context.read() }
                remove(context)
            } else {
                phase = .refused
                refuse(request, context, peer)
                if isReadHeld { context.read() }
            }
        }
    }

    private func refuse(_ request: HTTPRequest, _ context: ChannelHandlerContext, _ peer: SocketAddress?) {
        registry.logRefusal(of: AddressGroup(peer), because: .tooManyConnections)
        var problem = ProblemDetails(
            .serviceUnavailable, "the server has reached its connection limit; try again")
        problem.headers[.retryAfter] = String(Self.retryDelay)
        let body = problem.body(instance: nil)
        var fields = problem.fields
        fields[.contentLength] = "\(body.readableBytes)"
        fields.append(contentsOf: delivery.crossOriginFields(for: request))
        // HTTP/2 streams do not have this decoder.
        let decoder = try? context.pipeline.syncOperations.context(
            handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
        let isStream = decoder == nil
        if !isStream { fields[.connection] = "close" }
        context.write(
            wrapOutboundOut(.head(HTTPResponse(status: problem.status, headerFields: fields))), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        // What the client is still sending must not reset the connection before the response has arrived: the client
        // closes it, or the registry at the end of its patience, or for the next connection.
        if !isStream { context.close(mode: .output, promise: nil) }
    }
}
