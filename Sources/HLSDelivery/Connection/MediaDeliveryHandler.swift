import FastPathSwitch
package import HTTPTypes
import LiveChannels
package import NIOCore
import NIOHTTP1
package import NIOHTTPTypes
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
    private var viewer = ConnectionViewer()
    private var recentRequest = RecentRequest()
    private var context: ChannelHandlerContext?
    /// Writes responses; `nil` before the handler is in a pipeline.
    private var writer: MediaResponseWriter?
    private var idleTimer: Scheduled<Void>?
    /// Cancels whatever the current request waits for.
    private var cancelWaiting: (@Sendable () -> Void)?
    /// The sender of the current response, if it is sent in pieces.
    private var sender: BodySender?
    private var holding = SegmentHolding()
    /// The measurement of the current response; `nil` for one that is not measured.
    private var measurement: DeliveryMeasurement?
    /// The fields that let scripts of other pages read the current response.
    private var crossOrigin = HTTPFields()
    /// The request for a license whose body has not arrived; `nil` if there is none.
    private var licenseRequest: LicenseRequest?
    /// These fields, if the router answers the current request and it is for media; otherwise `nil`.
    private var routerFields: HTTPFields?
    private let unsentByteCount: @Sendable (any Channel) -> Int?
    /// Whether requests may be answered before the decoder. False while a handler between the decoder and this one
    /// decides whether the client may send requests at all.
    package var answersUndecodedRequests = true

    /// Time after which a silent connection is closed; a player requests a playlist every few seconds.
    package static let idleTimeout = MediaConnectionState.idleTimeout

    /// - Parameter delivery: the state shared by all connections.
    package convenience init(delivery: MediaDelivery) {
        self.init(delivery: delivery, unsentByteCount: { $0.unsentByteCount })
    }

    /// - Parameters:
    ///   - delivery: the media of the server, shared by all connections.
    ///   - unsentByteCount: the bytes that wait in an HTTP/1.1 connection, its socket included.
    package init(delivery: MediaDelivery, unsentByteCount: @escaping @Sendable (any Channel) -> Int?) {
        self.delivery = delivery
        self.unsentByteCount = unsentByteCount
    }

    /// The number of request parts received so far.
    var received: (headCount: Int, bodyCount: Int, endCount: Int) { state.received }

    // MARK: Connection
    /// Answers requests before the decoder; `nil` if nothing does.
    private var simpleRequests: SimpleRequestHandler?

    package func handlerAdded(context: ChannelHandlerContext) {
        let writer = MediaResponseWriter(context)
        self.writer = writer
        self.context = context
        if context.channel.isActive { startTimer(context) }
        let pipeline = context.pipeline.syncOperations
        if FastPaths.takes(.simpleRequests), let encoder = writer.encoder,
            (try? pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)) != nil
        {
            let simple = SimpleRequestHandler(delivery: self)
            try? pipeline.addHandler(simple, position: .before(encoder.handler))
            simpleRequests = simple
        }
    }

    package func channelActive(context: ChannelHandlerContext) {
        startTimer(context)
        context.fireChannelActive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        if let simpleRequests, let watch = try? pipeline.context(handler: simpleRequests) {
            pipeline.removeHandler(context: watch, promise: nil)
        }
        simpleRequests = nil
        writer = nil
        self.context = nil
        stopTimer()
        stopSending()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        stopTimer()
        state.disconnected()
        cancelWaiting?()
        cancelWaiting = nil
        stopSending()
        context.fireChannelInactive()
    }

    private func stopSending() {
        sender?.stop()
        sender = nil
        holding = SegmentHolding()
    }

    // MARK: Time

    private func startTimer(_ context: ChannelHandlerContext) {
        if let delay = state.connected(now: context.eventLoop.now) { scheduleCheck(context, in: delay) }
    }

    private func stopTimer() {
        idleTimer?.cancel()
        idleTimer = nil
        state.timerStopped()
    }

    private func scheduleCheck(_ context: ChannelHandlerContext, in delay: Duration) {
        idleTimer?.cancel()
        idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { [self] in
            idleTimer = nil
            check(context)
        }
    }

    /// Closes the connection of a client that does not do its part; checks the others again later.
    private func check(_ context: ChannelHandlerContext) {
        switch state.timerFired(transfer(context), now: context.eventLoop.now) {
        case .chargeHolding(let nextCheck):
            guard holding.charge(to: delivery, peer: viewer.peer(context)) else {
                state.timerStopped()
                return context.close(promise: nil)
            }
            scheduleCheck(context, in: nextCheck)
        case .releaseHolding(let nextCheck):
            holding = SegmentHolding()
            scheduleCheck(context, in: nextCheck)
        case .close: context.close(promise: nil)
        }
    }

    private func transfer(_ context: ChannelHandlerContext) -> MediaConnectionState.Transfer {
        guard sender != nil || !context.channel.isWritable else { return .none }
        return .inProgress(unsentByteCount: writer?.encoder == nil ? nil : unsentByteCount(context.channel))
    }

    /// Checks soon whether the client still holds a live segment that has left its window.
    private func watchHolding(_ context: ChannelHandlerContext) {
        guard !holding.isEmpty, let delay = state.holdingBegan() else { return }
        scheduleCheck(context, in: delay)
    }

    // MARK: Events and reading

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let ending = MediaConnectionState.EndingEvent(event) else {
            return context.fireUserInboundEventTriggered(event)
        }
        if state.receive(ending) { context.fireUserInboundEventTriggered(event) }
    }

    package func read(context: ChannelHandlerContext) {
        if state.readRequested(now: context.eventLoop.now) { context.read() }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        if let delay = state.bodyAwaited(now: context.eventLoop.now) { scheduleCheck(context, in: delay) }
        readCompleted()
        context.fireChannelReadComplete()
    }

    /// Notes the end of a read of which the handlers after this one need not know.
    func readCompleted() {
        guard let context else { return }
        state.readCompleted(now: context.eventLoop.now)
    }

    /// Learns from the endpoint that takes a request what its body is.
    package func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        if event is UploadExpected { state.expectUpload() }
        context.triggerUserOutboundEvent(event, promise: promise)
    }

    // MARK: Requests

    /// Whether a request is answered here, without the router.
    package static func answers(method: String, target: String) -> Bool {
        (method == "GET" || method == "HEAD") && MediaRequest(target: target) != nil
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        let now = context.eventLoop.now
        if state.receive(part, isWritable: context.channel.isWritable, now: now) { handle(part, context: context) }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            workOff(context)
        } else {
            watchHolding(context)
        }
        context.fireChannelWritabilityChanged()
    }

    private func handle(_ part: HTTPRequestPart, context: ChannelHandlerContext) {
        switch part {
        case .head(let request):
            guard let media = recentRequest.media(of: request, delivery.requests) else {
                recentRequest.removeRepeatable()
                if let preflight = delivery.crossOrigin.preflight(request) {
                    state.answerHead(
                        closesAfterwards: request.asksToClose, now: context.eventLoop.now)
                    crossOrigin = delivery.crossOrigin.fields(for: request)
                    return send(preflight, of: request, context: context)
                }
                if let license = LicenseRequest(request) {
                    state.answerHead(closesAfterwards: request.asksToClose, now: context.eventLoop.now)
                    licenseRequest = license
                    return
                }
                routerFields = delivery.crossOrigin.routerFields(for: request)
                state.forwardHead(now: context.eventLoop.now)
                return context.fireChannelRead(wrapInboundOut(part))
            }
            begin(request, media: media, context: context)
            // Only requests that are answered before the decoder are repeated; others may have long heads.
            recentRequest.removeRepeatable()
        case .body, .end:
            if state.handleRest(part) { context.fireChannelRead(wrapInboundOut(part)) }
            collectLicenseRequest(part, context)
            proceed(after: state.finishExchange(), context)
        }
    }

    /// Adds to the request for a license, and answers it when it is complete.
    private func collectLicenseRequest(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head: break
        case .body(let bytes): licenseRequest?.append(bytes)
        case .end:
            guard let license = licenseRequest.take() else { return }
            answer(license.request, media: license.media, body: license.body, context: context)
        }
    }

    /// True if the last request may be answered again by ``repeatRequest()``.
    var isLastRequestRepeatable: Bool { recentRequest.repeatable != nil && !state.hasHeldParts }

    /// Answers the last request again.
    ///
    /// - Returns: false, without any effect, if an exchange is in progress.
    func repeatRequest() -> Bool {
        guard let (request, media) = recentRequest.repeatable, let context = contextForNewRequest else { return false }
        state.answerHead(closesAfterwards: false, now: context.eventLoop.now)
        answer(request, media: media, context: context)
        proceed(after: state.requestEnded(now: context.eventLoop.now), context)
        return true
    }

    /// Answers a request without a body that has not passed the decoder.
    ///
    /// - Returns: false, without any effect, if it is not for media, or if an exchange is in progress.
    func answer(_ request: HTTPRequest) -> Bool {
        guard let context = contextForNewRequest, let media = recentRequest.media(of: request, delivery.requests) else {
            return false
        }
        begin(request, media: media, context: context)
        proceed(after: state.requestEnded(now: context.eventLoop.now), context)
        return true
    }

    /// The handler's context if a request that arrives now can be answered at once; otherwise `nil`.
    private var contextForNewRequest: ChannelHandlerContext? {
        guard let context, answersUndecodedRequests, state.canBeginExchange, context.channel.isWritable else {
            return nil
        }
        return context
    }

    private func begin(_ request: HTTPRequest, media: MediaRequest, context: ChannelHandlerContext) {
        let closesAfterwards = recentRequest.begin(request, media: media)
        state.answerHead(closesAfterwards: closesAfterwards, now: context.eventLoop.now)
        answer(request, media: media, context: context)
    }

    private func answer(
        _ request: HTTPRequest, media: MediaRequest, body: ByteBuffer? = nil, context: ChannelHandlerContext
    ) {
        crossOrigin = delivery.crossOrigin.fields(for: request)
        measurement =
            request.method == .get
            ? DeliveryKind(media).map { DeliveryMeasurement($0, start: context.eventLoop.now) } : nil
        let exchange = MediaExchange(
            request: request, media: media, eventLoop: context.eventLoop, body: body,
            viewerKey: viewer.key(of: request, media: media, context: context, viewing: delivery.viewing),
            peer: viewer.peer(context),
            address: context.channel.clientAddress,
            isDirect: writer?.isDirect == true)
        carryOut(delivery.answer(exchange), of: request, context: context)
    }

    // MARK: Answers

    private func carryOut(_ answer: MediaAnswer, of request: HTTPRequest, context: ChannelHandlerContext) {
        switch answer {
        case .response(let response):
            send(response, of: request, context: context)
        case .held(let response, let holding):
            send(response, of: request, holding: holding, context: context)
        case .pending(let future, let cancel, let waitsForMedia):
            cancelWaiting = cancel
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            future.assumeIsolated().whenComplete { result in
                let (handler, context) = bound.value
                guard context.channel.isActive else { return }
                handler.cancelWaiting = nil
                if waitsForMedia { handler.measurement?.restart(at: context.eventLoop.now) }
                let answer = (try? result.get()) ?? .response(Self.failure)
                handler.carryOut(answer, of: request, context: context)
            }
        case .file(var transfer):
            holding = SegmentHolding(transfer.holding)
            watchHolding(context)
            measure(transfer.head)
            let responseHead = MediaResponseHead(head: transfer.head, crossOrigin: crossOrigin)
            guard request.method != .head, transfer.remainingByteCount > 0 else {
                writer?.writeHead(responseHead, context)
                return finishResponse(context)
            }
            var head: ByteBuffer?
            if writer?.socket?.free == nil {
                writer?.writeHead(responseHead, context)
            } else if !transfer.includeEncodedHead() {
                head = responseHead.http1()
            }
            let reader = PieceReader(transfer, buffer: delivery.pieceBuffers.take())
            sendInPieces(
                .file(reader), head: head, holding: transfer.claim.map { [$0] } ?? [], context: context)
        case .growing(let segment): send(segment, of: request, context: context)
        }
    }

    private func send(_ segment: GrowingSegment, of request: HTTPRequest, context: ChannelHandlerContext) {
        holding = SegmentHolding()
        // It lasts as long as the media.
        measurement = nil
        var head = segment.head
        if writer?.encoder != nil, request.method != .head {
            head.headerFields.append(HTTPField(name: .transferEncoding, value: "chunked"))
        }
        writer?.writeHead(MediaResponseHead(head: head, crossOrigin: crossOrigin), context)
        guard request.method != .head else { return finishResponse(context) }
        sendInPieces(.growing(segment), holding: [], context: context)
    }

    private static let failure = MediaResponse.problem(.internalServerError, "the media cannot be read")

    /// - Parameter holding: objects kept alive until the client has received the response.
    private func send(
        _ response: MediaResponse, of request: HTTPRequest, holding: [any AnyObject & Sendable] = [],
        context: ChannelHandlerContext
    ) {
        guard let writer else { return }
        self.holding = SegmentHolding(response.holding)
        measure(response.head)
        if response.head.status.kind != .successful { viewer.countAgain() }
        if let bytes = response.encoded, writer.mayWriteAtOnce(bytes), request.method != .head {
            writer.writeEncoded(bytes)
            return responseSent(context)
        }
        writer.writeHead(MediaResponseHead(head: response.head, crossOrigin: crossOrigin), context)
        guard request.method != .head else { return finishResponse(context) }
        // The completion of a piece is the only sign, with TLS and HTTP/2, that the client receives something.
        if !writer.isDirect, response.bodyByteCount > FileTransfer.pieceByteCount {
            return sendInPieces(.memory(BodySlices(response.body)), holding: holding, context: context)
        }
        for piece in response.body where piece.readableBytes > 0 {
            writer.writeBody(piece, context)
        }
        finishResponse(context, holding: holding)
    }

    /// Leaves failures out of the times, and counts denials.
    private func measure(_ head: HTTPResponse) {
        guard head.status.kind != .successful else { return }
        measurement = nil
        delivery.statistics.countFailure(status: head.status.code)
    }

    private func sendInPieces(
        _ source: BodySender.Source, head: ByteBuffer? = nil, holding: [any AnyObject & Sendable],
        context: ChannelHandlerContext
    ) {
        let bodySender = BodySender(
            source, of: delivery, context: context, encoder: writer?.encoder, socket: writer?.socket, head: head,
            holding: holding
        ) { [self] in
            state.pieceSent(now: context.eventLoop.now)
        } onHolding: { [self] held in
            self.holding = SegmentHolding(held)
            watchHolding(context)
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

    private func finishResponse(_ context: ChannelHandlerContext, holding: [any AnyObject & Sendable] = []) {
        writer?.finish(context, holding: holding)
        responseSent(context)
    }

    private func responseSent(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        measurement.take()?.end(at: now, delivery.statistics)
        proceed(after: state.responseEnded(now: now), context)
    }

    /// The fields of ``MediaCrossOriginPolicy`` for a response to a request that this handler does not see.
    package func crossOriginFields(for request: HTTPRequest) -> HTTPFields {
        delivery.crossOrigin.routerFields(for: request) ?? HTTPFields()
    }

    /// Observes the router's responses, whose end allows the next request.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        writer?.socket?.noteChannelWrite()
        if case .head(let head) = part, let routerFields, head.status.kind != .informational, !Self.isPage(head) {
            let complete = MediaResponseHead(head: head, crossOrigin: routerFields).complete
            context.write(wrapOutboundOut(.head(complete)), promise: promise)
        } else {
            context.write(data, promise: promise)
        }
        guard case .end = part else {
            // An interim response (100 to 199) has no end of its own.
            return
        }
        responseSent(context)
    }

    /// Pages of the site are for itself, also those beside the tracks.
    private static func isPage(_ head: HTTPResponse) -> Bool {
        head.headerFields[.contentType]?.hasPrefix("text/html") == true
    }

    /// Continues with the next request if the current request and its response are complete.
    private func proceed(after end: MediaConnectionState.ExchangeEnd, _ context: ChannelHandlerContext) {
        switch end {
        case .unfinished: break
        case .workOff: workOff(context)
        case .closeOutput: context.close(mode: .output, promise: nil)
        }
    }

    private func workOff(_ context: ChannelHandlerContext) {
        guard state.beginWorkingOff() else { return }
        var hasHandled = false
        while let part = state.takeHeld(isWritable: context.channel.isWritable) {
            handle(part, context: context)
            hasHandled = true
        }
        // The router gets what it has been passed at the end of a read, and that of these parts is long past.
        if hasHandled { context.fireChannelReadComplete() }
        for event in state.endWorkingOff() { context.fireUserInboundEventTriggered(event.event) }
        if state.takeHeldRead(now: context.eventLoop.now) { context.read() }
    }
}

extension MediaConnectionState.EndingEvent {
    /// - Returns: `nil` for an event that does not end the connection.
    fileprivate init?(_ event: Any) {
        if event is ChannelShouldQuiesceEvent {
            self = .quiesce
        } else if event as? ChannelEvent == .inputClosed {
            self = .inputClosed
        } else {
            return nil
        }
    }

    fileprivate var event: any Sendable {
        switch self {
        case .quiesce: ChannelShouldQuiesceEvent()
        case .inputClosed: ChannelEvent.inputClosed
        }
    }
}
