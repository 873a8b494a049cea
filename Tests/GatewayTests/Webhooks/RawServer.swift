import NIOCore
import NIOPosix
import Synchronization

/// A server on a loopback port that writes a fixed text when the first bytes of a connection arrive, and keeps the
/// connection open.
final class RawServer: Sendable {
    private let channel: any Channel
    private let received: Received

    private final class Received: Sendable {
        let text = Mutex("")
    }

    /// - Parameter answer: what it writes; empty for nothing.
    init(answering answer: String) async throws {
        let received = Received()
        self.received = received
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(answer, received))
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
        private var hasAnswered = false

        init(_ answer: String, _ received: Received) { (self.answer, self.received) = (answer, received) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = String(buffer: unwrapInboundIn(data))
            received.text.withLock { $0 += bytes }
            guard !hasAnswered, !answer.isEmpty else { return }
            hasAnswered = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        }
    }
}
