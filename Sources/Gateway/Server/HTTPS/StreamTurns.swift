import DequeModule
import NIOCore
import NIOHTTPTypes

/// The streams of one connection of HTTP/2, and which of them have answers that the client has not taken. On the
/// connection's loop.
///
/// A client may open a hundred streams, ask for a segment on each and take none; each would hold one.
final class StreamTurns {
    private var untakenCount = 0
    private var waiting: Deque<StreamTurnHandler> = []

    /// Answers that wait for the client; while there are as many, no other request of the connection is begun. Players
    /// fetch two or three segments at a time.
    static let maximumUntakenAnswers = 4

    fileprivate var hasRoom: Bool { untakenCount < Self.maximumUntakenAnswers }

    fileprivate func wait(_ handler: StreamTurnHandler) { waiting.append(handler) }

    fileprivate func leave(_ handler: StreamTurnHandler) { waiting.removeAll { $0 === handler } }

    fileprivate func count(_ change: Int) {
        untakenCount += change
        // Each may fill what room there is.
        while hasRoom, let next = waiting.popFirst() { next.goOn() }
    }
}

/// Holds a stream's request back while the connection has too many answers that the client has not taken.
final class StreamTurnHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let turns: StreamTurns
    private var context: ChannelHandlerContext?
    /// One request as far as it has come: nothing more is read meanwhile.
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
