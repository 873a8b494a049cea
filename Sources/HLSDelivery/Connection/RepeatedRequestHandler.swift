import NIOCore
import NIOHTTP1

/// Recognizes, before the HTTP/1.1 decoder, a playlist request that is identical to the previous one. A live player
/// sends the same playlist request repeatedly, and decoding it takes longer than answering it.
final class RepeatedRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let delivery: MediaDeliveryHandler
    /// The bytes of the last request, if it may be answered again without decoding; otherwise `nil`.
    private var last: ByteBuffer?
    /// True if the decoder has only seen whole requests, each in one piece, so that it holds no partial request. Once
    /// this is not certain, all requests on the connection are decoded.
    private var isAtBoundary = true

    /// Limit of recognized requests; players' requests have a few hundred bytes.
    private static let maximumByteCount = 4_096

    init(delivery: MediaDeliveryHandler) { self.delivery = delivery }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isAtBoundary else { return context.fireChannelRead(data) }
        let bytes = unwrapInboundIn(data)
        if let last, bytes == last, delivery.repeatRequest() { return }
        last = nil
        let before = delivery.received
        let isWhole = Self.isOneRequest(bytes)
        context.fireChannelRead(data)
        let after = delivery.received
        isAtBoundary =
            isWhole && after.headCount == before.headCount &+ 1 && after.endCount == before.endCount &+ 1
            && after.bodyCount == before.bodyCount
        // Copied, because the receive buffer is larger.
        if isAtBoundary, delivery.isLastRequestRepeatable { last = ByteBuffer(bytes: bytes.readableBytesView) }
    }

    private static func isEnd(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        bytes[index] == UInt8(ascii: "\n") && bytes[index - 1] == UInt8(ascii: "\r")
            && bytes[index - 2] == UInt8(ascii: "\n") && bytes[index - 3] == UInt8(ascii: "\r")
    }

    /// Returns whether `bytes` are exactly one request without a body.
    private static func isOneRequest(_ bytes: ByteBuffer) -> Bool {
        guard bytes.readableBytes <= maximumByteCount else { return false }
        return bytes.withUnsafeReadableBytes { bytes in
            // A request ends with an empty line, which must be its last four bytes and must not occur earlier.
            guard let end = bytes.indices.dropFirst(3).first(where: { isEnd(bytes, at: $0) }) else { return false }
            return end == bytes.count - 1
        }
    }
}
