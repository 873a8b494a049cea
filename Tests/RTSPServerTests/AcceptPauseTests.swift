import Glibc
import NIOCore
import NIOEmbedded
import NIOPosix
@testable import StreamConnections
import Testing

@testable import RTSPServer

struct AcceptPauseTests {
    private final class Errors: ChannelInboundHandler {
        typealias InboundIn = any Channel
        var count = 0
        func errorCaught(context: ChannelHandlerContext, error: any Error) { count += 1 }
    }

    @Test func acceptingPausesAndIsReportedOnce() throws {
        let (channel, errors) = (EmbeddedChannel(), Errors())
        var reports = 0
        try channel.pipeline.syncOperations.addHandlers([AcceptPauseHandler { _ in reports += 1 }, errors])
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        for _ in 0..<5 {
            channel.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
            channel.embeddedEventLoop.advanceTime(by: AcceptPauseHandler.pause)
        }
        #expect(reports == 1 && errors.count == 0)
        channel.embeddedEventLoop.advanceTime(by: AcceptPauseHandler.reportInterval)
        channel.pipeline.fireErrorCaught(IOError(errnoCode: ENFILE, reason: "accept"))
        #expect(reports == 2)
        // One connection that is lost does not end the listener.
        channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNABORTED, reason: "accept"))
        #expect(errors.count == 0 && channel.isActive)
    }

    @Test func aListenerHasTheQueueThatTheSystemAllows() async throws {
        #expect(ListenQueue.length >= 128)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .listening { _ in }
            .childChannelInitializer { $0.eventLoop.makeSucceededVoidFuture() }
            .bind(host: "127.0.0.1", port: 0).get()
        #expect(try await listener.getOption(.backlog).get() == ListenQueue.length)
        #expect(try await listener.getOption(.maxMessagesPerRead).get() == ListenQueue.acceptedCount)
        try await listener.close()
    }
}
