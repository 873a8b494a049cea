import NIOCore
import NIOEmbedded
import TestSupport
import Testing
import TransportSecurity

@testable import Gateway

struct PacedWriteHandlerTests {
    private let channel = EmbeddedChannel(handler: PacedWriteHandler())

    /// Sizes of the pieces passed to TLS since the last call.
    private func written() throws -> [Int] {
        var counts: [Int] = []
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { counts.append(bytes.readableBytes) }
        return counts
    }

    private func setWritable(_ isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    @Test func aWritableChannelGetsEverythingInPieces() throws {
        let piece = PacedWriteHandler.pieceByteCount
        channel.write(ByteBuffer(string: "head"), promise: nil)
        channel.write(ByteBuffer(repeating: 1, count: 2 * piece), promise: nil)
        channel.write(ByteBuffer(), promise: nil)
        #expect(try written().isEmpty)
        channel.flush()
        #expect(try written() == [4, piece - 4, piece, 4, 0])
        // This write is not flushed.
        channel.write(ByteBuffer(string: "next"), promise: nil)
        setWritable(true)
        #expect(try written().isEmpty)
        _ = try channel.finish()
    }

    @Test func aSlowClientGetsTheNextPieceWhenItHasTakenTheLast() throws {
        let slow = SlowSocket()
        try channel.pipeline.syncOperations.addHandler(slow, position: .first)
        let piece = PacedWriteHandler.pieceByteCount
        let isWritten = Flag()
        let promise = channel.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { isWritten.isSet = true }
        channel.writeAndFlush(ByteBuffer(repeating: 1, count: 2 * piece + 1), promise: promise)
        #expect(try written() == [piece])
        setWritable(true)
        #expect(try written() == [piece] && !isWritten.isSet)
        setWritable(true)
        #expect(try written() == [1] && isWritten.isSet)
        _ = try channel.finish()
    }

    @Test(arguments: [CloseMode.output, .all]) func theEndComesBehindWhatWaits(_ mode: CloseMode) throws {
        let slow = SlowSocket()
        try channel.pipeline.syncOperations.addHandler(slow, position: .first)
        setWritable(false)
        channel.writeAndFlush(ByteBuffer(string: "answer"), promise: nil)
        channel.close(mode: mode, promise: nil)
        #expect(try written().isEmpty && slow.closes.isEmpty)
        channel.close(mode: .output, promise: nil)
        #expect(slow.closes.isEmpty)
        setWritable(true)
        #expect(try written() == [6])
        #expect(slow.closes == ["\(mode)"])
    }

    /// This happens if two handlers both time out.
    @Test func aSecondCloseDoesNotWait() throws {
        let slow = SlowSocket()
        try channel.pipeline.syncOperations.addHandler(slow, position: .first)
        setWritable(false)
        channel.writeAndFlush(ByteBuffer(string: "answer"), promise: nil)
        for mode in [CloseMode.output, .all] { channel.close(mode: mode, promise: nil) }
        #expect(slow.closes.isEmpty)
        channel.close(mode: .all, promise: nil)
        #expect(slow.closes == ["all"])
    }

    @Test func aClientThatTakesNothingIsClosed() throws {
        let slow = SlowSocket()
        try channel.pipeline.syncOperations.addHandler(slow, position: .first)
        setWritable(false)
        let promise = channel.eventLoop.makePromise(of: Void.self)
        channel.writeAndFlush(ByteBuffer(string: "answer"), promise: promise)
        channel.close(mode: .all, promise: nil)
        channel.embeddedEventLoop.advanceTime(by: TimeAmount(PacedWriteHandler.closingTimeout - .nanoseconds(1)))
        #expect(slow.closes.isEmpty)
        channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(slow.closes == ["all"])
        #expect(throws: ChannelError.ioOnClosedChannel) { try promise.futureResult.wait() }
    }

    @Test func abandoningFailsWhatWaits() throws {
        setWritable(false)
        let promises = (0..<3).map { _ in channel.eventLoop.makePromise(of: Void.self) }
        channel.writeAndFlush(ByteBuffer(string: "flushed"), promise: promises[0])
        channel.write(ByteBuffer(string: "not flushed"), promise: promises[1])
        channel.close(mode: .output, promise: promises[2])
        channel.closeAtOnce()
        for promise in promises {
            #expect(throws: ChannelError.ioOnClosedChannel) { try promise.futureResult.wait() }
        }
        #expect(!channel.isActive)
    }

    private final class Flag {
        var isSet = false
    }

    /// Takes one piece at a time; it is not writable after each piece.
    private final class SlowSocket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private(set) var closes: [String] = []

        func flush(context: ChannelHandlerContext) {
            context.flush()
            (context.channel as? EmbeddedChannel)?.isWritable = false
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            closes.append("\(mode)")
            if mode == .all { context.close(mode: mode, promise: promise) } else { promise?.succeed() }
        }
    }
}
