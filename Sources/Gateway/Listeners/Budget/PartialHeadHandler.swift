import NIOCore

/// Counts the bytes of heads that are not complete, which a decoder after it keeps (`RequestBudget`). It precedes the
/// decoder of HTTP/1.1, and that of the frames of HTTP/2.
///
/// What the decoder keeps is not visible from outside. With HTTP/1.1, everything counts that has come since a read in
/// which something was decoded; with HTTP/2, what `HeldFrameBytes` says.
final class PartialHeadHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let account: () -> RequestAccount
    /// The frames of HTTP/2; `nil` with HTTP/1.1.
    private var frames: HeldFrameBytes?
    private var byteCount = 0
    private var countedByteCount = 0
    private var isRefused = false

    /// Bytes that are not counted: a head of this size is nearly always complete in one read.
    static let freeByteCount = 1 << 10

    /// The memory for a byte of an unfinished head: the buffers of the socket, of TLS and of the decoder grow in powers
    /// of two. Measured with heads of 24 KB over TLS, which took 125 KB each.
    static let bufferFactor = 4

    /// Size of the pieces in which bytes of HTTP/2 are passed on while memory is short: the decoder keeps a buffer as
    /// large as the largest piece that it has got, and bodies that wait keep the piece that they came with. Otherwise
    /// they are passed on as they come, because an upload in such pieces takes twice the processor time.
    static let pieceByteCount = 4 << 10

    /// - Parameters:
    ///   - isHTTP2: whether the decoder is that of HTTP/2.
    ///   - account: the account of the connection, asked when something has to be counted.
    init(isHTTP2: Bool, account: @escaping () -> RequestAccount) {
        frames = isHTTP2 ? HeldFrameBytes() : nil
        self.account = account
    }

    /// Notes that something of HTTP/1.1 was decoded, so that the decoder keeps at most the end of the current read.
    func noteDecoded() { byteCount = 0 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        let bytes = unwrapInboundIn(data)
        if frames == nil {
            byteCount += bytes.readableBytes
        } else {
            frames?.receive(bytes.readableBytesView)
            byteCount = frames?.byteCount ?? 0
        }
        guard frames != nil, bytes.readableBytes > Self.pieceByteCount, account().isMemoryShort else {
            return context.fireChannelRead(data)
        }
        var rest = bytes
        while rest.readableBytes > 0,
            let piece = rest.readSlice(length: min(rest.readableBytes, Self.pieceByteCount))
        {
            context.fireChannelRead(wrapInboundOut(context.channel.allocator.buffer(buffer: piece)))
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        let kept = byteCount > Self.freeByteCount ? byteCount * Self.bufferFactor : 0
        guard kept != countedByteCount else { return }
        let before = countedByteCount
        countedByteCount = kept
        if kept < before {
            account().give(before - kept, isProgress: true)
        } else if !account().take(kept - before) {
            countedByteCount = before
            isRefused = true
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        if countedByteCount > 0 { account().give(countedByteCount) }
        (byteCount, countedByteCount) = (0, 0)
    }
}
