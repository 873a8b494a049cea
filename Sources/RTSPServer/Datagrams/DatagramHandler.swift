import NIOCore

/// Passes datagrams to the connection's session on its event loop.
final class DatagramHandler: ChannelDuplexHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let receiver: any DatagramReceiver
    private let isRTCP: Bool
    private var pacedReads: PacedReads?
    private var bursts = BurstMeter()
    private var context: ChannelHandlerContext?

    init(receiver: any DatagramReceiver, isRTCP: Bool) {
        self.receiver = receiver
        self.isRTCP = isRTCP
    }

    /// Enables paced reads; must be called before the handler is added.
    ///
    /// - Parameters:
    ///   - ticks: ticks of the event loop.
    ///   - maximumDatagramCount: the number of datagrams that one system call returns at most.
    func pace(by ticks: ReceptionTicks, maximumDatagramCount: Int) {
        pacedReads = PacedReads(ticks: ticks, maximumAmount: maximumDatagramCount) { [weak self] in
            self?.context?.read()
        }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        pacedReads?.close()
        self.context = nil
    }

    func read(context: ChannelHandlerContext) {
        if let pacedReads, !pacedReads.mayRead(isPrompt: !bursts.isCalm || receiver.wantsPromptDatagrams) { return }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        if let pacedReads {
            pacedReads.received(1)
            bursts.received(now: context.eventLoop.now)
        }
        receiver.receiveDatagram(envelope.data, from: envelope.remoteAddress, isRTCP: isRTCP)
    }

    func channelReadComplete(context: ChannelHandlerContext) { receiver.datagramsReceived() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A receiver report to a port on which nobody listens causes an error here; it can be ignored.
    }
}
