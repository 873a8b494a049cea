import ChannelPublishing
import LiveChannels
import MediaCore
import NIOCore

/// The socket of ``DatagramPull``.
final class DatagramPullHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    /// Time for which a lost packet is waited for: more than a local network reorders.
    private static let patience = TimeAmount.milliseconds(100)
    private static let interval = TimeAmount.milliseconds(50)
    /// Time without media after which the sender counts as gone.
    private static let silence = TimeAmount.seconds(5)

    private let channel: LiveChannel
    private let address: RelayAddress
    private let progress: RelayProgress
    private let eventLoop: any EventLoop
    private let ended: EventLoopPromise<Void>
    /// The only sender that is listened to; `nil` for any.
    private let sender: String?
    private var order = PacketOrder(patience: patience, bitCount: 16)
    private var source: UInt32?
    private var push: TransportStreamPush?
    private var timer: RepeatedTask?
    private var heardAt: NIODeadline?

    init(
        _ channel: LiveChannel, _ address: RelayAddress, _ progress: RelayProgress, on eventLoop: any EventLoop,
        ended: EventLoopPromise<Void>
    ) {
        (self.channel, self.address, self.progress) = (channel, address, progress)
        (self.eventLoop, self.ended) = (eventLoop, ended)
        sender = address.parameters["from"]
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in
            handler.value.checkTime()
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end("the socket was closed") }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end("\(error)") }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ClientConnectionStop { return end("stopped", isIntended: true) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        if let sender, envelope.remoteAddress.ipAddress != sender { return }
        var output = ByteBuffer()
        if address.scheme == .rtp {
            guard let packet = TransportStreamRTPPacket(envelope.data) else { return }
            if packet.source != source {
                source = packet.source
                order = PacketOrder(patience: Self.patience, bitCount: 16)
            }
            order.take(packet.payload, sequence: Int32(packet.sequence), now: eventLoop.now, into: &output)
        } else {
            output = envelope.data
        }
        take(output)
    }

    private func take(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0 else { return }
        heardAt = eventLoop.now
        progress.add(byteCount: bytes.readableBytes)
        let push = push ?? begin()
        do {
            try push.receive(bytes)
        } catch {
            return end((error as? PushRefusal)?.reason ?? "\(error)")
        }
        if push.hasBegun { progress.started() }
    }

    private func begin() -> TransportStreamPush {
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        let loop = eventLoop
        let publisher = Publisher(
            remoteAddress: address.endpoint, userAgent: nil, transport: address.scheme.rawValue.uppercased(),
            presetName: nil)
        let begun = TransportStreamPush(
            GatheredPush(to: channel, by: publisher, on: eventLoop) { reason in
                loop.execute { handler.value.end(reason, isIntended: true) }
            }, on: eventLoop)
        push = begun
        return begun
    }

    private func checkTime() {
        if order.hasGap {
            var output = ByteBuffer()
            order.giveUp(now: eventLoop.now, into: &output)
            take(output)
        }
        // Before the first packet there is nobody who could be gone.
        if let heardAt, eventLoop.now - heardAt > Self.silence { end("nothing has come for too long") }
    }

    /// Ends the push. Has no effect after the first call.
    private func end(_ reason: String, isIntended: Bool = false) {
        timer?.cancel()
        timer = nil
        push?.end(reason: reason, isIntended: isIntended)
        push = nil
        ended.fail(RelayFailure(reason))
    }
}
