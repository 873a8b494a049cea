import Transcoding
import MediaCore
import NIOCore

/// Splits a worker's output into answers and parses them.
///
/// `@unchecked Sendable`: confined to the channel's event loop.
final class LiveWorkerHandler: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer

    enum Event {
        case answer(LiveWorkerAnswer, byteCount: Int)
        case writable
        case damaged(String)
        case closed
    }

    private weak var transcoder: LiveWorkerTranscoder?
    private let generation: Int
    private var received = ByteBuffer()
    private var timescale: Timescale?
    private var isDamaged = false

    init(transcoder: LiveWorkerTranscoder?, generation: Int) {
        self.transcoder = transcoder
        self.generation = generation
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let transcoder, !isDamaged else { return }
        var piece = unwrapInboundIn(data)
        received.writeBuffer(&piece)
        do throws(LiveWorkerMessage.Damage) {
            while let message = try LiveWorkerMessage.next(from: &received) {
                let answer = try LiveWorkerAnswer(
                    type: message.type, body: message.body, expecting: transcoder.expectation, timescale: timescale)
                switch answer {
                case .output(.configuration(_, let timescale)), .rung(_, .configuration(_, let timescale)):
                    self.timescale = timescale
                default: break
                }
                transcoder.handler(.answer(answer, byteCount: message.body.readableBytes + 5), of: generation)
            }
        } catch {
            isDamaged = true
            transcoder.handler(.damaged(error.description), of: generation)
        }
        // Start with a new buffer, because units that were passed on share the old one.
        if received.readableBytes == 0 { received = ByteBuffer() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        transcoder?.handler(.writable, of: generation)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        transcoder?.handler(.closed, of: generation)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
