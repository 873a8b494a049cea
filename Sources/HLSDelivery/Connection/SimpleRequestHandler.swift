import NIOCore
import NIOHTTP1

/// Answers requests for media before the HTTP/1.1 decoder, which takes longer to decode them than they take to answer:
/// a request that is identical to the previous one, as a live player's next request for its playlist is, and every
/// other request that ``SimpleRequest`` understands.
///
/// All other requests go to the decoder, and so does everything after a request of which this handler cannot say with
/// certainty where it ends.
final class SimpleRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let delivery: MediaDeliveryHandler
    /// The bytes of the last request, if it may be answered again without parsing; otherwise `nil`.
    private var last: ByteBuffer?
    /// True if the decoder has only seen whole requests, each in one piece, so that it holds no partial request. Once
    /// this is not certain, all requests on the connection are decoded.
    private var isAtBoundary = true
    /// True if the handlers after this one have got something since they last learned of the end of a read.
    private var hasPassedOn = false

    init(delivery: MediaDeliveryHandler) { self.delivery = delivery }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isAtBoundary else { return passOn(data, context) }
        let bytes = unwrapInboundIn(data)
        if let last, bytes == last, delivery.repeatRequest() { return }
        last = nil
        let request = bytes.withUnsafeReadableBytes { SimpleRequest.parse($0) }
        if let request, delivery.answer(request) {
            // Copied, because the receive buffer is larger.
            if delivery.isLastRequestRepeatable { last = ByteBuffer(bytes: bytes.readableBytesView) }
            return
        }
        let before = delivery.received
        passOn(data, context)
        let after = delivery.received
        isAtBoundary =
            request != nil && after.headCount == before.headCount &+ 1 && after.endCount == before.endCount &+ 1
            && after.bodyCount == before.bodyCount
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The way through all handlers takes longer than a request for a playlist.
        guard hasPassedOn else { return delivery.readCompleted() }
        hasPassedOn = false
        context.fireChannelReadComplete()
    }

    private func passOn(_ data: NIOAny, _ context: ChannelHandlerContext) {
        hasPassedOn = true
        context.fireChannelRead(data)
    }
}
