import NIOCore

/// Hands answers to TLS piece by piece, as the socket takes them. TLS would encrypt all that is written at once, and so
/// make each slow viewer hold a copy of a segment; what waits here is the segment that all viewers share.
final class PacedWriteHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// To be triggered before a close that must not wait: drops what waits.
    struct Abandon: Sendable {}

    private var writes = MarkedCircularBuffer<PendingWrite>(initialCapacity: 4)
    /// The end was asked for while something waited; it comes after that.
    private var heldClose: HeldClose?
    private var timer: Scheduled<Void>?
    /// Writing may make the channel writable again, or not, from within.
    private var isSending = false

    private struct PendingWrite {
        var bytes: ByteBuffer
        var promise: EventLoopPromise<Void>?
    }

    private struct HeldClose {
        var mode: CloseMode
        var promise: EventLoopPromise<Void>?
    }

    /// Two records of TLS, with their own bytes: NIOSSL keeps a buffer for each connection that is as large as the
    /// largest piece was, as a power of two, and begins with 32 KB.
    static let pieceByteCount = 32_000
    /// For a client that is slow to take the last answer before a connection is closed; as long as a server that stops
    /// waits for requests in flight.
    static let closingTimeout = TimeAmount(ShutdownDeadline.graceful)

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
        // Who asks a second time does not want to wait any longer.
        let isUrgent = heldClose?.mode == .all && mode == .all
        guard writes.hasMark, mode != .input, !isUrgent else { return context.close(mode: mode, promise: promise) }
        var held = heldClose ?? HeldClose(mode: mode)
        held.promise.setOrCascade(to: promise)
        if mode == .all {
            held.mode = .all
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.closingTimeout) { [self] in
                endHold(context)
            }
        }
        heldClose = held
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        if event is Abandon {
            failAll()
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
    /// Closes without regard to what a slow client has still to get.
    func closeAtOnce() {
        triggerUserOutboundEvent(PacedWriteHandler.Abandon(), promise: nil)
        close(promise: nil)
    }
}
