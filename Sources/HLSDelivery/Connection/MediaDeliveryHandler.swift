import DequeModule
import HTTPTypes
import LiveChannels
package import NIOCore
import NIOHTTP1
package import NIOHTTPTypes
import NIOSSL
import MediaCore

/// Answers requests for media directly in the channel pipeline, without the router (docs/decisions.md), and passes all
/// other requests on. It stands between the HTTP codec and the router in the pipeline of each connection (with HTTP/2,
/// of each stream).
///
/// One request is handled at a time. Pipelined requests wait here, so that a quick answer never overtakes a slow one,
/// and none is started while the client has not received most of the previous response. While any waits, nothing more
/// is read from the connection.
package final class MediaDeliveryHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private let delivery: MediaDelivery
    private var state = MediaConnectionState()
    /// Parts received after the current request. Bounded, because reading stops while it is not empty, so it holds the
    /// result of one read.
    private var held: Deque<HTTPRequestPart> = []
    private var isReadHeld = false
    /// True while `held` is processed, so that the end of one response does not start the next one re-entrantly.
    private var isWorkingOff = false
    /// Events that end the connection, delayed in their order until nothing is being sent.
    private var heldEvents: [Any] = []
    private var viewer = ConnectionViewer()
    private var lastRequest: (target: String, media: MediaRequest)?
    /// The last request, if it was for a playlist and identical bytes may be answered again without parsing.
    private var repeatable: (request: HTTPRequest, media: MediaRequest)?
    /// The number of request parts received so far.
    private(set) var received = (headCount: 0, bodyCount: 0, endCount: 0)
    private var context: ChannelHandlerContext?
    private var idleTimer: Scheduled<Void>?
    /// Cancels whatever the current request waits for.
    private var cancelWaiting: (@Sendable () -> Void)?
    private var lastActivity = NIODeadline.uptimeNanoseconds(0)
    private var progress = ClientProgress()
    /// Number of bytes of request bodies received.
    private var receivedByteCount = 0
    /// True if the server is ready to read, so that the client has to act.
    private var isReadWanted = true
    /// The sender of the current response, if it is sent in pieces.
    private var sender: BodySender?
    /// The memory of a live channel that the last response holds until the client has received it.
    private var liveHolding: LiveHolding?
    /// The claim for `liveHolding` after the channel has released the memory.
    private var departed: DeliveryClaim?
    /// True if the next check of the client is due within ``progressInterval``.
    private var isWatched = false
    /// The context from which bytes bypass the HTTP/1.1 codec; `nil` with HTTP/2.
    private var encoder: ChannelHandlerContext?
    private var isSecure = false
    /// False for the channels of tests and for the streams of HTTP/2.
    private var hasSocket = false
    private let unsentByteCount: @Sendable (any Channel) -> Int?

    /// Time after which a silent connection is closed; a player requests a playlist every few seconds.
    package static let idleTimeout = TimeAmount.seconds(75)
    /// Interval of the checks of a client that has to receive or send.
    static let progressInterval = TimeAmount.seconds(20)

    /// - Parameter delivery: the state shared by all connections.
    package convenience init(delivery: MediaDelivery) {
        self.init(delivery: delivery, unsentByteCount: { $0.unsentByteCount })
    }

    /// - Parameter unsentByteCount: the bytes that wait in an HTTP/1.1 connection, its socket included.
    package init(delivery: MediaDelivery, unsentByteCount: @escaping @Sendable (any Channel) -> Int?) {
        self.delivery = delivery
        self.unsentByteCount = unsentByteCount
    }

    // MARK: Connection

    package func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        encoder = try? pipeline.context(handlerType: HTTPResponseEncoder.self)
        let socket: Void? = try? pipeline.withUnsafeTransportIfAvailable { (_: NIOBSDSocket.Handle) in }
        hasSocket = socket != nil
        isSecure = (try? pipeline.context(handlerType: NIOSSLServerHandler.self)) != nil
        self.context = context
        if context.channel.isActive { startIdleTimer(context) }
        if let encoder, (try? pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)) != nil {
            try? pipeline.addHandler(SimpleRequestHandler(delivery: self), position: .before(encoder.handler))
        }
    }

    package func channelActive(context: ChannelHandlerContext) {
        startIdleTimer(context)
        context.fireChannelActive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        encoder = nil
        self.context = nil
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

    /// Schedules the next check. There is one timer per connection, which is not moved at every request.
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

    /// - Returns: the time until the next check; `nil` if the client has to be disconnected.
    private func nextCheck(_ context: ChannelHandlerContext) -> TimeAmount? {
        let now = context.eventLoop.now
        let silence = now - lastActivity
        // A response that was written in one piece may still be on its way to a slow client.
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
        // The client is not responsible for the time that the router takes, that a blocking request takes, or that a
        // slow disk takes to store an upload.
        guard state.isIdle else { return Self.idleTimeout }
        return silence < Self.idleTimeout ? Self.idleTimeout - silence : nil
    }

    /// Charges memory that a slow client holds longer than its channel to the delivery budget.
    private func isCovered(_ context: ChannelHandlerContext) -> Bool {
        guard let liveHolding, departed == nil, !liveHolding.isInWindow else { return true }
        departed = delivery.departedSegments.claim(liveHolding, of: viewer.peer(context), in: delivery.budget)
        return departed != nil
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Handlers after this one do not see the requests answered here, and would close the connection in between.
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
            // The server was not reading, so the client was not silent.
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
        switch part {
        case .head: received.headCount &+= 1
        case .body: received.bodyCount &+= 1
        case .end: received.endCount &+= 1
        }
        if held.isEmpty && takes(part, context) { handle(part, context: context) } else { held.append(part) }
    }

    /// Returns whether the part can be handled now. Responses must not pile up for a client that does not read.
    private func takes(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) -> Bool {
        guard state.accepts(part) else { return false }
        if case .head = part { return context.channel.isWritable }
        return true
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            workOff(context)
        } else {
            watchHolding(context)
        }
        context.fireChannelWritabilityChanged()
    }

    /// Checks soon whether the client still holds a live segment that has left its window.
    private func watchHolding(_ context: ChannelHandlerContext) {
        guard liveHolding != nil, !isWatched, idleTimer != nil else { return }
        isWatched = true
        idleTimer?.cancel()
        scheduleIdleCheck(context, in: Self.progressInterval)
    }

    private func handle(_ part: HTTPRequestPart, context: ChannelHandlerContext) {
        switch part {
        case .head(let request):
            guard let media = mediaRequest(request) else {
                repeatable = nil
                state.forwardHead()
                return context.fireChannelRead(wrapInboundOut(part))
            }
            begin(request, media: media, context: context)
        case .body, .end:
            if case .body(let bytes) = part { receivedByteCount &+= bytes.readableBytes }
            if case .end = part { state.requestEnded() }
            if state.isForwardingBody(part) { context.fireChannelRead(wrapInboundOut(part)) }
            finishIfDone(context)
        }
    }

    /// True if the last request may be answered again by ``repeatRequest()``.
    var isLastRequestRepeatable: Bool { repeatable != nil && held.isEmpty }

    /// Answers the last request again.
    ///
    /// - Returns: false, without any effect, if an exchange is in progress.
    func repeatRequest() -> Bool {
        guard let (request, media) = repeatable, let context = contextForNewRequest else { return false }
        state.answerHead(closesAfterwards: false)
        answer(request, media: media, context: context)
        requestEnded(context)
        return true
    }

    /// Answers a request without a body that has not passed the decoder.
    ///
    /// - Returns: false, without any effect, if it is not for media, or if an exchange is in progress.
    func answer(_ request: HTTPRequest) -> Bool {
        guard let context = contextForNewRequest, let media = mediaRequest(request) else { return false }
        begin(request, media: media, context: context)
        requestEnded(context)
        return true
    }

    /// The handler's context if a request that arrives now can be answered at once; otherwise `nil`.
    private var contextForNewRequest: ChannelHandlerContext? {
        guard let context, state.isIdle, !state.closesNow, held.isEmpty, !isWorkingOff, context.channel.isWritable
        else { return nil }
        return context
    }

    private func requestEnded(_ context: ChannelHandlerContext) {
        lastActivity = context.eventLoop.now
        state.requestEnded()
        finishIfDone(context)
    }

    /// Returns whether the Connection header contains the option `close` (RFC 9112 §9.6).
    private static func asksToClose(_ request: HTTPRequest) -> Bool {
        guard let options = request.headerFields.first(.connection) else { return false }
        return options.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "close" }
    }

    /// The media request; `nil` passes the request on to the router, because it is not for media or has another method.
    private func mediaRequest(_ request: HTTPRequest) -> MediaRequest? {
        guard request.method == .get || request.method == .head, let target = request.path else { return nil }
        // A live player requests the same playlist repeatedly.
        if let lastRequest, lastRequest.target == target { return lastRequest.media }
        guard let media = MediaRequest(target: target) else { return nil }
        lastRequest = (target, media)
        return media
    }

    private func begin(_ request: HTTPRequest, media: MediaRequest, context: ChannelHandlerContext) {
        let closesAfterwards = Self.asksToClose(request)
        repeatable = closesAfterwards || !media.isPlaylist ? nil : (request, media)
        state.answerHead(closesAfterwards: closesAfterwards)
        answer(request, media: media, context: context)
    }

    private func answer(_ request: HTTPRequest, media: MediaRequest, context: ChannelHandlerContext) {
        let exchange = MediaExchange(
            request: request, media: media, eventLoop: context.eventLoop,
            viewerKey: viewer.key(of: request, media: media, context: context), peer: viewer.peer(context),
            isDirect: isDirect)
        carryOut(delivery.answer(exchange), of: request, context: context)
    }

    /// True if there is no handler between HTTP and the socket, and bodies need no framing.
    private var isDirect: Bool { encoder != nil && !isSecure }

    /// Returns whether bytes that go to the socket now come after everything that was written before.
    private func hasEmptyPipeline(_ context: ChannelHandlerContext) -> Bool {
        isDirect && hasSocket && (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0
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
            liveHolding = transfer.holding
            departed = nil
            watchHolding(context)
            guard request.method != .head, transfer.remainingByteCount > 0 else {
                writeHead(transfer.head, context)
                return finishResponse(context)
            }
            let reader = PieceReader(transfer, buffer: delivery.pieceBuffers.take())
            var head: ByteBuffer?
            if hasEmptyPipeline(context) { head = transfer.head.http1() } else { writeHead(transfer.head, context) }
            sendInPieces(
                .file(reader), head: head, holding: transfer.claim.map { [$0] } ?? [], context: context)
        }
    }

    private static let failure = MediaResponse.problem(.internalServerError, "the media cannot be read")

    /// - Parameter holding: objects kept alive until the client has received the response.
    private func send(
        _ response: MediaResponse, of request: HTTPRequest, holding: [any AnyObject & Sendable] = [],
        context: ChannelHandlerContext
    ) {
        liveHolding = response.holding
        departed = nil
        if response.head.status.kind != .successful { viewer.countAgain() }
        if let bytes = response.encoded, let encoder, request.method != .head {
            encoder.writeAndFlush(NIOAny(IOData.byteBuffer(bytes)), promise: nil)
            return responseSent(context)
        }
        writeHead(response.head, context)
        guard request.method != .head else { return finishResponse(context) }
        // The completion of a piece is the only sign, with TLS and HTTP/2, that the client receives something.
        if encoder == nil || isSecure, response.bodyByteCount > FileTransfer.pieceByteCount {
            return sendInPieces(.memory(BodySlices(response.body)), holding: holding, context: context)
        }
        for piece in response.body where piece.readableBytes > 0 {
            writeBody(piece, context)
        }
        finishResponse(context, holding: holding)
    }

    private func sendInPieces(
        _ source: BodySender.Source, head: ByteBuffer? = nil, holding: [any AnyObject & Sendable],
        context: ChannelHandlerContext
    ) {
        let bodySender = BodySender(
            source, of: delivery, context: context, encoder: encoder, isDirect: isDirect, head: head, holding: holding
        ) { [self] in
            lastActivity = context.eventLoop.now
            progress.reset()
        } onEnd: { [self] isComplete in
            sender = nil
            if isComplete {
                finishResponse(context)
            } else {
                // The length has been announced, so only closing tells the client that the body is incomplete.
                context.close(promise: nil)
            }
        }
        sender = bodySender
        bodySender.run()
    }

    /// Writes the head bypassing the HTTP/1.1 codec, which has nothing to add: heads of media contain the body's
    /// length.
    private func writeHead(_ head: HTTPResponse, _ context: ChannelHandlerContext) {
        if let encoder {
            encoder.write(NIOAny(IOData.byteBuffer(head.http1())), promise: nil)
        } else {
            context.write(wrapOutboundOut(.head(head)), promise: nil)
        }
    }

    private func writeBody(_ piece: ByteBuffer, _ context: ChannelHandlerContext) {
        if let encoder {
            encoder.write(NIOAny(IOData.byteBuffer(piece)), promise: nil)
        } else {
            context.write(wrapOutboundOut(.body(piece)), promise: nil)
        }
    }

    private func finishResponse(_ context: ChannelHandlerContext, holding: [any AnyObject & Sendable] = []) {
        var written: EventLoopPromise<Void>?
        if !holding.isEmpty {
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.whenComplete { _ in withExtendedLifetime(holding) {} }
            written = promise
        }
        if let encoder {
            // The completion of an empty write shows that the previous writes are complete.
            if let written { encoder.write(NIOAny(IOData.byteBuffer(ByteBuffer())), promise: written) }
            encoder.flush()
        } else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        }
        responseSent(context)
    }

    private func responseSent(_ context: ChannelHandlerContext) {
        lastActivity = context.eventLoop.now
        state.responseEnded()
        finishIfDone(context)
    }

    /// Observes the router's responses, whose end allows the next request.
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

    /// Continues with the next request if the current request and its response are complete.
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
