import DequeModule
import NIOCore
import NIOHTTPTypes

/// Tracks which streams of one HTTP/2 connection have responses that the client has not received. Confined to the
/// connection's event loop.
///
/// Without it, a client could open a hundred streams, request a segment on each and receive none; each stream would
/// hold a segment.
final class StreamTurns {
    private var untakenCount = 0
    private var waiting: Deque<StreamTurnHandler> = []

    /// Number of unreceived responses at which no further request of the connection is started. Players fetch two or
    /// three segments at a time.
    static let maximumUntakenAnswers = 4

    fileprivate var hasRoom: Bool { untakenCount < Self.maximumUntakenAnswers }

    fileprivate func wait(_ handler: StreamTurnHandler) { waiting.append(handler) }

    fileprivate func leave(_ handler: StreamTurnHandler) { waiting.removeAll { $0 === handler } }

    fileprivate func count(_ change: Int) {
        untakenCount += change
        // Each resumed stream may use up the room again.
        while hasRoom, let next = waiting.popFirst() { next.goOn() }
    }
}

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

    fileprivate func goOn() {
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
