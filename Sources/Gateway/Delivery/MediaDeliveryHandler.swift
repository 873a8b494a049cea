import DequeModule
import HTTPTypes
import LiveChannels
package import NIOCore
import NIOHTTP1
package import NIOHTTPTypes
import NIOSSL
import MediaCore

/// Media's short way out (design decision 9): sits behind the HTTP codec and before the router in each connection's
/// pipeline (in each stream's, with HTTP/2), answers what it knows, and passes on the rest.
///
/// One request is worked on at a time. Requests that a client has pipelined behind it wait here, so that a quick
/// answer never overtakes a slow one, and none is begun while the client has not taken most of the answer before it;
/// while any waits, nothing more is read from the connection.
package final class MediaDeliveryHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private let delivery: MediaDelivery
    private var state = MediaConnectionState()
    /// What came behind the request that is being worked on. Bounded: reading stops while it is not empty, so it holds
    /// what one read brought.
    private var held: Deque<HTTPRequestPart> = []
    private var isReadHeld = false
    /// Set while `held` is worked off, so that the end of one answer does not start the next from within itself.
    private var isWorkingOff = false
    /// Events that end the connection when nothing is being sent, in their order.
    private var heldEvents: [Any] = []
    private var remoteAddressHash: Int?
    private var lastRequest: (target: String, media: MediaRequest)?
    /// What this connection's viewer was last counted for, and when.
    private var lastCount: (source: MediaRequest.Source, agent: String?, times: [ViewedVariant?: NIODeadline])?
    private var idleTimer: Scheduled<Void>?
    /// Lets go of what the request in hand waits for.
    private var cancelWaiting: (@Sendable () -> Void)?
    private var lastActivity = NIODeadline.uptimeNanoseconds(0)
    private var progress = ClientProgress()
    /// Bytes of requests' bodies.
    private var receivedByteCount = 0
    /// Nobody holds reading back, so that it is the client's turn.
    private var isReadWanted = true
    /// At work on an answer that is sent in pieces.
    private var sender: BodySender?
    private var peer: AddressGroup?
    /// What of a live channel's memory the last answer holds, until it is known to have been taken.
    private var liveHolding: LiveHolding?
    /// Covers `liveHolding` when the channel itself has let go of it.
    private var departed: DeliveryClaim?
    /// The next look at the client comes within ``progressInterval``.
    private var isWatched = false
    /// Where bytes go past the codec of HTTP/1.1; `nil` with HTTP/2.
    private var encoder: ChannelHandlerContext?
    private var isSecure = false
    private let unsentByteCount: @Sendable (any Channel) -> Int?

    /// A player asks for a playlist every few seconds; a connection that is silent for this long is given up.
    package static let idleTimeout = TimeAmount.seconds(75)
    /// Between two looks at a client that is expected to take or send something.
    static let progressInterval = TimeAmount.seconds(20)

    /// Well below the window in which a viewer counts as present.
    static let viewerCountInterval = TimeAmount.seconds(5)

    package convenience init(delivery: MediaDelivery) {
        self.init(delivery: delivery, unsentByteCount: { $0.unsentByteCount })
    }

    /// - Parameter unsentByteCount: what waits in a connection of HTTP/1.1, its socket included.
    init(delivery: MediaDelivery, unsentByteCount: @escaping @Sendable (any Channel) -> Int?) {
        self.delivery = delivery
        self.unsentByteCount = unsentByteCount
    }

    // MARK: Connection

    package func handlerAdded(context: ChannelHandlerContext) {
        encoder = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
        isSecure = (try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)) != nil
        if context.channel.isActive { startIdleTimer(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        startIdleTimer(context)
        context.fireChannelActive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        encoder = nil
        idleTimer?.cancel()
        idleTimer = nil
        stopSending()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        idleTimer?.cancel()
        idleTimer = nil
        held.removeAll()
        cancelWaiting?()
        cancelWaiting = nil
        stopSending()
        context.fireChannelInactive()
    }

    private func stopSending() {
        sender?.stop()
        sender = nil
        release()
    }

    private func release() {
        liveHolding = nil
        departed = nil
    }

    private func startIdleTimer(_ context: ChannelHandlerContext) {
        guard idleTimer == nil else { return }
        lastActivity = context.eventLoop.now
        scheduleIdleCheck(context, in: Self.idleTimeout)
    }

    /// One timer a connection that looks when it is due, instead of one moved at every request.
    private func scheduleIdleCheck(_ context: ChannelHandlerContext, in delay: TimeAmount) {
        idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: delay) { [self] in
            idleTimer = nil
            if let next = nextCheck(context) {
                scheduleIdleCheck(context, in: next)
            } else {
                context.close(promise: nil)
            }
        }
    }

    /// - Returns: `nil` when the client is to be let go.
    private func nextCheck(_ context: ChannelHandlerContext) -> TimeAmount? {
        let now = context.eventLoop.now
        let silence = now - lastActivity
        // An answer that has been handed over in one piece may still be on its way to a slow client.
        if sender != nil || !context.channel.isWritable {
            let unsent = encoder == nil ? nil : unsentByteCount(context.channel)
            guard progress.isTaking(unsentByteCount: unsent, now: now), isCovered(context) else { return nil }
            return Self.progressInterval
        }
        isWatched = false
        release()
        if state.awaitsRest, isReadWanted {
            let isAlive = progress.isSending(receivedByteCount: receivedByteCount, now: now)
            return isAlive && silence < Self.idleTimeout ? Self.progressInterval : nil
        }
        progress.reset()
        // How long the router takes, or what a player waits for, is not the client's affair; nor is a disk that is slow
        // to take an upload.
        guard state.isIdle else { return Self.idleTimeout }
        return silence < Self.idleTimeout ? Self.idleTimeout - silence : nil
    }

    /// Memory that a slow client holds longer than its channel does comes out of the delivery budget.
    private func isCovered(_ context: ChannelHandlerContext) -> Bool {
        guard let liveHolding, departed == nil, !liveHolding.isInWindow else { return true }
        departed = delivery.departedSegments.claim(liveHolding, of: peer(context), in: delivery.budget)
        return departed != nil
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Handlers behind this one do not see the requests it answers, and would close under them.
        let endsConnection = event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed
        if endsConnection, state.isAnswering || !held.isEmpty {
            heldEvents.append(event)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    package func read(context: ChannelHandlerContext) {
        if held.isEmpty { readNow(context) } else { isReadHeld = true }
    }

    private func readNow(_ context: ChannelHandlerContext) {
        if !isReadWanted {
            isReadWanted = true
            // The silence before was the server's.
            if state.awaitsRest { lastActivity = context.eventLoop.now }
        }
        context.read()
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        isReadWanted = false
        context.fireChannelReadComplete()
    }

    // MARK: Requests

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        lastActivity = context.eventLoop.now
        if held.isEmpty && takes(part, context) { handle(part, context: context) } else { held.append(part) }
    }

    /// A client that asks and does not read would have its answers pile up here.
    private func takes(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) -> Bool {
        guard state.accepts(part) else { return false }
        if case .head = part { return context.channel.isWritable }
        return true
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            workOff(context)
        } else if liveHolding != nil, !isWatched, idleTimer != nil {
            isWatched = true
            idleTimer?.cancel()
            scheduleIdleCheck(context, in: Self.progressInterval)
        }
        context.fireChannelWritabilityChanged()
    }

    private func handle(_ part: HTTPRequestPart, context: ChannelHandlerContext) {
        switch part {
        case .head(let request):
            guard let media = mediaRequest(request) else {
                state.forwardHead()
                return context.fireChannelRead(wrapInboundOut(part))
            }
            state.answerHead(closesAfterwards: Self.asksToClose(request))
            begin(request, media: media, context: context)
        case .body, .end:
            if case .body(let bytes) = part { receivedByteCount &+= bytes.readableBytes }
            if case .end = part { state.requestEnded() }
            if state.isForwardingBody(part) { context.fireChannelRead(wrapInboundOut(part)) }
            finishIfDone(context)
        }
    }

    /// RFC 9112 §9.6: one of a list of options.
    private static func asksToClose(_ request: HTTPRequest) -> Bool {
        guard let options = request.headerFields[.connection] else { return false }
        return options.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "close" }
    }

    /// `nil` passes the request on: what is no media, and methods that media has not.
    private func mediaRequest(_ request: HTTPRequest) -> MediaRequest? {
        guard request.method == .get || request.method == .head, let target = request.path else { return nil }
        // A live player asks for the same playlist again and again.
        if let lastRequest, lastRequest.target == target { return lastRequest.media }
        guard let media = MediaRequest(target: target) else { return nil }
        lastRequest = (target, media)
        return media
    }

    private func begin(_ request: HTTPRequest, media: MediaRequest, context: ChannelHandlerContext) {
        let exchange = MediaExchange(
            request: request, media: media, eventLoop: context.eventLoop,
            viewerKey: viewerKey(request, media: media, context: context), peer: peer(context))
        carryOut(delivery.answer(exchange), of: request, context: context)
    }

    private func peer(_ context: ChannelHandlerContext) -> AddressGroup {
        if let peer { return peer }
        // A stream of HTTP/2 has its connection's address.
        let peer = AddressGroup(context.channel.remoteAddress ?? context.channel.parent?.remoteAddress)
        self.peer = peer
        return peer
    }

    /// Address and agent: who watches through the same address with the same player is one viewer.
    ///
    /// - Returns: `nil` where the viewer was counted a moment ago; counting takes a lock that all viewers share.
    private func viewerKey(
        _ request: HTTPRequest, media: MediaRequest, context: ChannelHandlerContext
    ) -> UInt64? {
        // Viewers are those who ask for playlists.
        guard case .playlist(let name) = media.resource else { return nil }
        let variant = ViewedVariant(playlist: name)
        let now = context.eventLoop.now
        let agent = request.headerFields[.userAgent]
        if lastCount?.source != media.source || lastCount?.agent != agent { lastCount = (media.source, agent, [:]) }
        if let last = lastCount?.times[variant], now - last < Self.viewerCountInterval { return nil }
        lastCount?.times[variant] = now
        if remoteAddressHash == nil {
            // A stream of HTTP/2 has its connection's address.
            remoteAddressHash =
                (context.channel.remoteAddress ?? context.channel.parent?.remoteAddress)?.ipAddress?.hashValue ?? 0
        }
        var hasher = Hasher()
        hasher.combine(remoteAddressHash)
        hasher.combine(agent)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    // MARK: Answers

    private func carryOut(_ answer: MediaAnswer, of request: HTTPRequest, context: ChannelHandlerContext) {
        switch answer {
        case .response(let response):
            send(response, of: request, context: context)
        case .held(let response, let holding):
            send(response, of: request, holding: holding, context: context)
        case .pending(let future, let cancel):
            cancelWaiting = cancel
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            future.assumeIsolated().whenComplete { result in
                let (handler, context) = bound.value
                guard context.channel.isActive else { return }
                handler.cancelWaiting = nil
                let answer = (try? result.get()) ?? .response(Self.failure)
                handler.carryOut(answer, of: request, context: context)
            }
        case .file(let transfer):
            release()
            context.write(wrapOutboundOut(.head(transfer.head)), promise: nil)
            guard request.method != .head, transfer.remainingByteCount > 0 else { return finishResponse(context) }
            let reader = PieceReader(transfer, buffer: delivery.pieceBuffers.take())
            sendInPieces(.file(reader), holding: transfer.claim.map { [$0] } ?? [], context: context)
        }
    }

    private static let failure = MediaResponse.problem(.internalServerError, "the media cannot be read")

    /// - Parameter holding: what is kept until the client has taken the answer.
    private func send(
        _ response: MediaResponse, of request: HTTPRequest, holding: [any AnyObject & Sendable] = [],
        context: ChannelHandlerContext
    ) {
        liveHolding = response.holding
        departed = nil
        // Whoever gets no playlist is counted with the next one.
        if response.head.status.kind != .successful { lastCount = nil }
        if let bytes = response.encoded, let encoder, request.method != .head {
            encoder.writeAndFlush(NIOAny(IOData.byteBuffer(bytes)), promise: nil)
            return responseSent(context)
        }
        context.write(wrapOutboundOut(.head(response.head)), promise: nil)
        guard request.method != .head else { return finishResponse(context) }
        // With TLS and HTTP/2 only a piece that has gone out tells that the client takes something.
        if encoder == nil || isSecure, response.bodyByteCount > FileTransfer.pieceByteCount {
            return sendInPieces(.memory(BodySlices(response.body)), holding: holding, context: context)
        }
        for piece in response.body where piece.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(piece)), promise: nil)
        }
        finishResponse(context, holding: holding)
    }

    private func sendInPieces(
        _ source: BodySender.Source, holding: [any AnyObject & Sendable], context: ChannelHandlerContext
    ) {
        let bodySender = BodySender(
            source, of: delivery, context: context, isDirect: encoder != nil && !isSecure, holding: holding
        ) { [self] in
            lastActivity = context.eventLoop.now
            progress.reset()
        } onEnd: { [self] isComplete in
            sender = nil
            if isComplete {
                finishResponse(context)
            } else {
                // The length has been promised: only closing tells the client that it did not get everything.
                context.close(promise: nil)
            }
        }
        sender = bodySender
        bodySender.run()
    }

    private func finishResponse(_ context: ChannelHandlerContext, holding: [any AnyObject & Sendable] = []) {
        var written: EventLoopPromise<Void>?
        if !holding.isEmpty {
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.whenComplete { _ in withExtendedLifetime(holding) {} }
            written = promise
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        responseSent(context)
    }

    private func responseSent(_ context: ChannelHandlerContext) {
        lastActivity = context.eventLoop.now
        state.responseEnded()
        finishIfDone(context)
    }

    /// The router's answers pass by here, and tell when the next request may be taken.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        context.write(data, promise: promise)
        guard case .end = part else {
            // An interim response (100 to 199) has no end of its own.
            return
        }
        lastActivity = context.eventLoop.now
        state.responseEnded()
        finishIfDone(context)
    }

    /// The request has come in whole and its answer gone out: on to the next.
    private func finishIfDone(_ context: ChannelHandlerContext) {
        guard state.finishExchange() else { return }
        if state.closesNow {
            return context.close(mode: .output, promise: nil)
        }
        workOff(context)
    }

    private func workOff(_ context: ChannelHandlerContext) {
        guard !isWorkingOff else { return }
        isWorkingOff = true
        while let part = held.first, takes(part, context) {
            held.removeFirst()
            handle(part, context: context)
        }
        isWorkingOff = false
        guard held.isEmpty, !state.closesNow else { return }
        if !state.isAnswering {
            let events = heldEvents
            heldEvents = []
            for event in events { context.fireUserInboundEventTriggered(event) }
        }
        if isReadHeld {
            isReadHeld = false
            readNow(context)
        }
    }
}
