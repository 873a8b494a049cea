import NIOCore
import Transcoding

/// Splits the output of a worker that makes pictures into answers and parses them.
///
/// `@unchecked Sendable`: confined to the channel's event loop.
final class PictureWorkerHandler: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer

    enum Event {
        case answer(PictureWorkerMessage.Answer)
        case damaged(String)
        case closed
    }

    private var received = ByteBuffer()
    private var isDamaged = false
    private let onEvent: (Event) -> Void

    /// - Parameter onEvent: called on the channel's event loop.
    init(onEvent: @escaping (Event) -> Void) { self.onEvent = onEvent }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDamaged else { return }
        var piece = unwrapInboundIn(data)
        received.writeBuffer(&piece)
        do throws(LiveWorkerMessage.Damage) {
            while let message = try LiveWorkerMessage.next(from: &received) {
                onEvent(.answer(try PictureWorkerMessage.Answer(type: message.type, body: message.body)))
            }
        } catch {
            isDamaged = true
            onEvent(.damaged(error.description))
        }
        if received.readableBytes == 0 { received = ByteBuffer() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        onEvent(.closed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
