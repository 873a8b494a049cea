import NIOCore
import PacedSockets
import Packaging

/// Passes datagrams to the connection's session on its event loop.
final class DatagramHandler: ChannelDuplexHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let receiver: any DatagramReceiver
    private let isRTCP: Bool
    private var pacing: PublisherPacing?
    private var pacedReads: PacedReads?
    /// True while reads that NIO requests are held back, so that the selector does not report each datagram.
    private var holdsReads = false
    /// The bursts between ticks of each interval, longest first; empty if reads are not paced.
    private var bursts: [BurstMeter] = []
    /// The interval at which the socket is read while reads are held back.
    private var intervalIndex = 0
    private var context: ChannelHandlerContext?
    private var socket: SocketDescriptor?

    init(receiver: any DatagramReceiver, isRTCP: Bool) {
        self.receiver = receiver
        self.isRTCP = isRTCP
    }

    /// Enables paced reads; must be called before the handler is added.
    func pace(by pacing: PublisherPacing) { self.pacing = pacing }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        guard pacing != nil, let socket = SocketDescriptor(context.channel) else { return }
        self.socket = socket
        let granted = try? context.channel.syncOptions?.getOption(.socketOption(.so_rcvbuf))
        let byteCount = granted.map { Int($0) } ?? BurstMeter.standardReceiveBufferByteCount
        bursts = LoopPacing.intervals.map { BurstMeter(interval: $0, receiveBufferByteCount: byteCount) }
        pacedReads = PacedReads(socket: self, eventLoop: context.eventLoop)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        pacedReads?.close()
    }

    func read(context: ChannelHandlerContext) {
        if !holdsReads { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        receive(envelope.data, from: envelope.remoteAddress, now: context.eventLoop.now)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        receiver.datagramsReceived()
        pacedReads?.handled()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A receiver report to a port on which nobody listens causes an error here; it can be ignored.
    }

    private func receive(_ data: ByteBuffer, from address: SocketAddress, now: NIODeadline) {
        if pacedReads != nil {
            // What is read at a tick has arrived since the one before, so that it says nothing about shorter times.
            for index in 0...(holdsReads ? intervalIndex : bursts.count - 1) { bursts[index].received(now: now) }
        }
        receiver.receiveDatagram(data, from: address, isRTCP: isRTCP)
    }
}

extension DatagramHandler: PacedSocket {
    func ticks(now: NIODeadline) -> ReceptionTicks? {
        guard let pacing, let index = bursts.firstIndex(where: \.isCalm) else { return nil }
        intervalIndex = index
        return pacing.ticks[index]
    }

    func promptTime(now: NIODeadline) -> NIODeadline? { receiver.promptTime(now: now) }

    func beginPacing() { holdsReads = true }

    func endPacing() {
        holdsReads = false
        context?.read()
    }

    func readArrived() {
        guard let context, let pacing, let descriptor = socket?.usable else { return }
        let now = context.eventLoop.now
        pacing.scratch.readDatagrams(descriptor, allocator: context.channel.allocator) { data, address in
            receive(data, from: address, now: now)
        }
        receiver.datagramsReceived()
    }
}
