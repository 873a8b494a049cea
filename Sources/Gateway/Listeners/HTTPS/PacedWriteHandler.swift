import NIOCore
import NIOSSL

/// Passes responses to TLS in pieces, as fast as the socket takes them. TLS would encrypt everything at once, so that
/// each slow viewer would hold its own copy of a segment; what waits here is the segment that all viewers share.
final class PacedWriteHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// An event to trigger before a close that must not wait: drops all pending writes, and closes the socket.
    struct Abandon: Sendable {}

    private var writes = MarkedCircularBuffer<PendingWrite>(initialCapacity: 4)
    /// A close requested while writes were pending; it is carried out after them.
    private var heldClose: HeldClose?
    private var timer: Scheduled<Void>?
    /// Guards against re-entrancy, because a write may change the channel's writability synchronously.
    private var isSending = false

    private struct PendingWrite {
        var bytes: ByteBuffer
        var promise: EventLoopPromise<Void>?
    }

    private struct HeldClose {
        var mode: CloseMode
        var promise: EventLoopPromise<Void>?
    }

    /// Size of a piece: two TLS records with their overhead. NIOSSL keeps a buffer per connection as large as the
    /// largest piece, rounded up to a power of two, and starts with 32 KB.
    static let pieceByteCount = 32_000
    /// Time for a slow client to receive the last response before its connection is closed; the same as for requests in
    /// flight when the server stops.
    static let closingTimeout = ShutdownDeadline.graceful

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        writes.append(PendingWrite(bytes: unwrapOutboundIn(data), promise: promise))
    }

    func flush(context: ChannelHandlerContext) {
        writes.mark()
        send(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        send(context)
        context.fireChannelWritabilityChanged()
    }

    private func send(_ context: ChannelHandlerContext) {
        guard !isSending else { return }
        isSending = true
        while writes.hasMark, context.channel.isWritable {
            writePiece(context)
            context.flush()
        }
        isSending = false
        if !writes.hasMark { endHold(context) }
    }

    private func endHold(_ context: ChannelHandlerContext) {
        guard let close = heldClose else { return }
        heldClose = nil
        timer?.cancel()
        context.close(mode: close.mode, promise: close.promise)
    }

    private func writePiece(_ context: ChannelHandlerContext) {
        var budget = Self.pieceByteCount
        while budget > 0, writes.hasMark, var write = writes.first {
            guard write.bytes.readableBytes > budget, let piece = write.bytes.readSlice(length: budget) else {
                budget -= write.bytes.readableBytes
                _ = writes.removeFirst()
                context.write(wrapOutboundOut(write.bytes), promise: write.promise)
                continue
            }
            budget = 0
            writes[writes.startIndex] = write
            context.write(wrapOutboundOut(piece), promise: nil)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // A second close request means not to wait any longer.
        let isUrgent = heldClose?.mode == .all && mode == .all
        guard writes.hasMark, mode != .input, !isUrgent else { return context.close(mode: mode, promise: promise) }
        var held = heldClose ?? HeldClose(mode: mode)
        held.promise.setOrCascade(to: promise)
        if mode == .all {
            held.mode = .all
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(Self.closingTimeout)) { [self] in
                endHold(context)
            }
        }
        heldClose = held
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        if event is Abandon {
            failAll()
            // Bypasses TLS, which would wait for the peer's close alert, and hold everything until then.
            let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            tls?.close(promise: nil)
            promise?.succeed()
        } else {
            context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        failAll()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { failAll() }

    private func failAll() {
        timer?.cancel()
        let failed = writes
        writes = MarkedCircularBuffer(initialCapacity: 0)
        for write in failed { write.promise?.fail(ChannelError.ioOnClosedChannel) }
        heldClose?.promise?.fail(ChannelError.ioOnClosedChannel)
        heldClose = nil
    }
}

extension Channel {
    /// Closes at once; responses that a slow client has not received yet are dropped.
    func closeAtOnce() {
        triggerUserOutboundEvent(PacedWriteHandler.Abandon(), promise: nil)
        close(promise: nil)
    }
}
