import NIOCore
import NIOHTTP1

/// Recognizes, before HTTP/1.1's decoder, a request for a playlist that equals the one before it byte for byte. A live
/// player requests the same playlist again and again, and decoding the request takes longer than answering it.
final class RepeatedRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let delivery: MediaDeliveryHandler
    /// The bytes of the last request, if they may be answered again.
    private var last: ByteBuffer?
    /// The decoder has seen whole requests only, each in one piece, so that it holds nothing of another one. Once this is
    /// in doubt, everything on the connection is decoded.
    private var isAtBoundary = true

    /// Larger requests are always decoded; those of players have a few hundred bytes.
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
        // A copy: the buffer that was read into is larger.
        if isAtBoundary, delivery.isLastRequestRepeatable { last = ByteBuffer(bytes: bytes.readableBytesView) }
    }

    private static func isEnd(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        bytes[index] == UInt8(ascii: "\n") && bytes[index - 1] == UInt8(ascii: "\r")
            && bytes[index - 2] == UInt8(ascii: "\n") && bytes[index - 3] == UInt8(ascii: "\r")
    }

    /// Whether `bytes` are one request without a body, from its first byte to its last.
    private static func isOneRequest(_ bytes: ByteBuffer) -> Bool {
        guard bytes.readableBytes <= maximumByteCount else { return false }
        return bytes.withUnsafeReadableBytes { bytes in
            // The empty line that ends a request, in its last four bytes and nowhere else.
            guard let end = bytes.indices.dropFirst(3).first(where: { isEnd(bytes, at: $0) }) else { return false }
            return end == bytes.count - 1
        }
    }
}
