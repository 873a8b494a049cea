import NIOCore
import NIOHPACK
import NIOHTTP2

/// Stands first in the pipeline of an HTTP/2 stream, and holds what arrives until the stream has its turn
/// (`StreamTurns`). Only then are the handlers of an HTTP connection added, so that a stream that waits takes little
/// more than its head. Heads beyond the limits are refused here.
final class StreamTurnHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private enum Phase {
        case awaitingHead
        /// The parts of the request received so far; no more are read once there is a body.
        case waiting(held: [HTTP2Frame.FramePayload], isReadHeld: Bool)
        case started
        case refused
    }

    private let turns: StreamTurns
    private let limits: HTTPRequestLimits
    private let account: RequestAccount
    private let asksForMedia: (HPACKHeaders) -> Bool
    private let start: () throws -> Void
    private let onEnd: () -> Void
    private var context: ChannelHandlerContext?
    private var phase = Phase.awaitingHead
    private(set) var isMedia = false
    /// True if the whole request has come.
    private var isComplete = false
    private var isUntaken = false
    private var isUnanswered = false
    /// Bytes counted while the request waits.
    private var byteCount = 0

    /// - Parameters:
    ///   - turns: the turns of the connection.
    ///   - limits: the limits of heads.
    ///   - account: counts what waits.
    ///   - asksForMedia: whether a request is answered without the router.
    ///   - start: adds the other handlers to the pipeline.
    ///   - onEnd: called when the stream has ended, whether it was started or not.
    init(
        turns: StreamTurns, limits: HTTPRequestLimits, account: RequestAccount,
        asksForMedia: @escaping (HPACKHeaders) -> Bool, start: @escaping () throws -> Void,
        onEnd: @escaping () -> Void = {}
    ) {
        self.turns = turns
        self.limits = limits
        self.account = account
        self.asksForMedia = asksForMedia
        self.start = start
        self.onEnd = onEnd
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if unwrapInboundIn(data).endsStream { isComplete = true }
        switch phase {
        case .started: context.fireChannelRead(data)
        case .refused: break
        case .awaitingHead: receiveFirst(unwrapInboundIn(data), context)
        case .waiting(var held, let isReadHeld):
            let payload = unwrapInboundIn(data)
            if payload.isData, !held.contains(where: \.isData), !take(RequestCost.bodyWindow, context) { return }
            held.append(payload)
            phase = .waiting(held: held, isReadHeld: isReadHeld)
        }
    }

    private func receiveFirst(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        guard case .headers(let content) = payload else { return }
        let size = limits.size(of: content.headers)
        guard limits.allow(size) else { return refuseHead(context) }
        isMedia = asksForMedia(content.headers)
        if turns.hasRoom(isMedia: isMedia) {
            begin([payload], context)
        } else if take(
            RequestCost.head(fieldCount: size.fieldCount, byteCount: size.byteCount, isStream: true), context)
        {
            phase = .waiting(held: [payload], isReadHeld: false)
            turns.wait(self)
        }
    }

    /// Has the connection's account pay for what waits; resets the stream if it cannot. The client may send the request
    /// again (RFC 9113 §8.7).
    private func take(_ byteCount: Int, _ context: ChannelHandlerContext) -> Bool {
        guard account.take(byteCount) else {
            refuse(context)
            return false
        }
        self.byteCount += byteCount
        return true
    }

    private func refuse(_ context: ChannelHandlerContext) {
        phase = .refused
        turns.leave(self)
        context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
    }

    /// Returns whether there is room for a request with its body, so that nothing is made for one that is then refused.
    /// The handler that counts it takes the same again.
    private func hasMemory(for parts: [HTTP2Frame.FramePayload]) -> Bool {
        guard !isMedia, case .headers(let content)? = parts.first else { return true }
        let size = limits.size(of: content.headers)
        let cost =
            RequestCost.head(fieldCount: size.fieldCount, byteCount: size.byteCount, isStream: true)
            + (content.endStream ? 0 : RequestCost.bodyWindow)
        guard account.take(cost) else { return false }
        account.give(cost)
        return true
    }

    private func refuseHead(_ context: ChannelHandlerContext) {
        phase = .refused
        // RFC 6585 §5
        let answer: HPACKHeaders = [":status": "431", "content-length": "0"]
        context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: answer, endStream: true))), promise: nil)
        context.close(promise: nil)
    }

    func read(context: ChannelHandlerContext) {
        guard case .waiting(let held, _) = phase, held.contains(where: \.isData) else { return context.read() }
        phase = .waiting(held: held, isReadHeld: true)
    }

    /// Starts the request, whose turn has come.
    func goOn() {
        guard let context, case .waiting(let held, let isReadHeld) = phase else { return }
        account.give(byteCount)
        byteCount = 0
        begin(held, context)
        context.fireChannelReadComplete()
        if isReadHeld { context.read() }
    }

    private func begin(_ parts: [HTTP2Frame.FramePayload], _ context: ChannelHandlerContext) {
        guard hasMemory(for: parts) else { return refuse(context) }
        phase = .started
        do {
            try start()
        } catch {
            return context.close(promise: nil)
        }
        setUnanswered(!isMedia)
        for part in parts { context.fireChannelRead(wrapInboundOut(part)) }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let payload = unwrapOutboundIn(data)
        if payload.endsStream, !isComplete {
            context.write(data, promise: stopping(promise, context))
        } else {
            context.write(data, promise: promise)
        }
        // An answer that goes on and on, as events do, is no longer awaited once some of it has been taken.
        if isUnanswered, payload.endsStream || payload.isData && context.channel.isWritable { setUnanswered(false) }
    }

    /// Asks the client not to send the rest of a request whose answer it has (RFC 9113 §8.1), which nobody waits for.
    ///
    /// - Parameter promise: that of the end of the answer.
    private func stopping(
        _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) -> EventLoopPromise<Void> {
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { [self] in
            guard !isComplete, let context = self.context else { return }
            context.writeAndFlush(wrapOutboundOut(.rstStream(.noError)), promise: nil)
        }
        return written
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        setUntaken(!context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    private func setUntaken(_ isUntaken: Bool) {
        guard isUntaken != self.isUntaken else { return }
        self.isUntaken = isUntaken
        // An answer that cannot be taken at once is counted as that from now on.
        if isUntaken, isUnanswered { setUnanswered(false, also: 1) } else { turns.count(untaken: isUntaken ? 1 : -1) }
    }

    /// - Parameter untakenChange: counted together, so that nobody else gets in between.
    private func setUnanswered(_ isUnanswered: Bool, also untakenChange: Int = 0) {
        guard isUnanswered != self.isUnanswered else { return }
        self.isUnanswered = isUnanswered
        turns.count(unanswered: isUnanswered ? 1 : -1, untaken: untakenChange)
    }

    private func end() {
        guard context != nil else { return }
        context = nil
        if case .waiting = phase { phase = .refused }
        turns.leave(self)
        account.give(byteCount)
        byteCount = 0
        setUntaken(false)
        setUnanswered(false)
        onEnd()
    }
}

extension HTTP2Frame.FramePayload {
    /// Whether it is a part of a body; an empty one only ends the request.
    fileprivate var isData: Bool { if case .data(let content) = self { content.data.readableBytes > 0 } else { false } }

    fileprivate var endsStream: Bool {
        switch self {
        case .data(let content): content.endStream
        case .headers(let content): content.endStream
        default: false
        }
    }
}
