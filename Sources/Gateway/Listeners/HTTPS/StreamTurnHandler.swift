import NIOCore
import NIOHTTPTypes

/// Delays a stream's request while the connection has too many responses that the client has not received.
final class StreamTurnHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let turns: StreamTurns
    private var context: ChannelHandlerContext?
    /// The parts of the delayed request received so far; no more are read meanwhile.
    private var held: [HTTPRequestPart] = []
    private var isReadHeld = false
    private var isUntaken = false

    init(turns: StreamTurns) { self.turns = turns }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if held.isEmpty {
            guard case .head = part, !turns.hasRoom else { return context.fireChannelRead(data) }
            turns.wait(self)
        }
        held.append(part)
    }

    func read(context: ChannelHandlerContext) {
        if held.isEmpty { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        setUntaken(!context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    func goOn() {
        guard let context else { return }
        let parts = held
        held = []
        for part in parts { context.fireChannelRead(wrapInboundOut(part)) }
        context.fireChannelReadComplete()
        if isReadHeld {
            isReadHeld = false
            context.read()
        }
    }

    private func setUntaken(_ isUntaken: Bool) {
        guard isUntaken != self.isUntaken else { return }
        self.isUntaken = isUntaken
        turns.count(isUntaken ? 1 : -1)
    }

    private func end() {
        context = nil
        held = []
        turns.leave(self)
        setUntaken(false)
    }
}
