import NIOCore
import NIOPosix
import Synchronization

/// A server on a loopback port that writes a fixed text when the first bytes of a connection arrive, and keeps the
/// connection open; then, if the test wants it, a byte now and then.
final class RawServer: Sendable {
    private let channel: any Channel
    private let received: Received

    private final class Received: Sendable {
        let text = Mutex("")
    }

    /// - Parameters:
    ///   - answer: what it writes; empty for nothing.
    ///   - interval: the interval of the bytes that follow; `nil` for none.
    init(answering answer: String, trickling interval: TimeAmount? = nil) async throws {
        let received = Received()
        self.received = received
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(answer, received, interval))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var address: SocketAddress? { channel.localAddress }
    /// All bytes of all connections.
    var text: String { received.text.withLock { $0 } }

    func close() async throws { try await channel.close().get() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: String
        private let received: Received
        private let interval: TimeAmount?
        private var hasAnswered = false
        private var trickle: RepeatedTask?

        init(_ answer: String, _ received: Received, _ interval: TimeAmount?) {
            (self.answer, self.received, self.interval) = (answer, received, interval)
        }

        func channelInactive(context: ChannelHandlerContext) { trickle?.cancel() }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = String(buffer: unwrapInboundIn(data))
            received.text.withLock { $0 += bytes }
            guard !hasAnswered, !answer.isEmpty else { return }
            hasAnswered = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            guard let interval else { return }
            let context = NIOLoopBound(context, eventLoop: context.eventLoop)
            trickle = context.value.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
                context.value.writeAndFlush(NIOAny(ByteBuffer(string: "x")), promise: nil)
            }
        }
    }
}
