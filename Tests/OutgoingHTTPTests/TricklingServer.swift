import NIOCore
import NIOPosix

/// A server on a loopback port that answers with a head that promises a million bytes, and then sends one now and then.
final class TricklingServer: Sendable {
    private let channel: any Channel

    init(every interval: TimeAmount = .milliseconds(20)) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(interval))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/" }

    func close() async throws { try await channel.close().get() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let interval: TimeAmount
        private var trickle: RepeatedTask?

        init(_ interval: TimeAmount) { self.interval = interval }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard trickle == nil else { return }
            let head = "HTTP/1.1 201 Created\r\nContent-Length: 1000000\r\n\r\n"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head)), promise: nil)
            let context = NIOLoopBound(context, eventLoop: context.eventLoop)
            trickle = context.value.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
                let byte = NIOAny(ByteBuffer(string: "x"))
                context.value.writeAndFlush(byte, promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) { trickle?.cancel() }
    }
}
