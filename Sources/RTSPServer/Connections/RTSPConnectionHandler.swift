import LiveChannels
import Logging
import NIOCore
import RTSPProtocol

/// Parses a connection's bytes where they arrived and carries out what the state machine says.
final class RTSPConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let environment: RTSPServerEnvironment
    let eventLoop: any EventLoop
    let logger: Logger
    let isSecure: Bool
    /// What its events answer with goes to ``perform(_:)``.
    var stateMachine: RTSPSessionStateMachine
    /// The state machine's own, which would be copied as a whole to be asked by each read.
    private(set) var isAwaitingVerdict = false
    var session: PublishingSession?
    var reading: Reading?
    var authenticator = RTSPAuthenticator(policy: RTSPAuthenticationPolicy(realm: PublisherCredential.realm))
    /// The verdict on credentials from an address that has failed before.
    var delayedVerdict: Scheduled<Void>?
    private(set) var context: ChannelHandlerContext?
    private var parser: RTSPMessageParser
    /// What the last read left unfinished, in a buffer of our own: nothing else ever refers to it.
    private var tail = ByteBuffer()
    /// Somebody asked for bytes while there was a reason not to read any.
    private var isReadHeld = false
    /// While something is recorded from this connection.
    private var pacedReads: PacedReads?
    private var phase = Phase.open
    private var timer: Scheduled<Void>?
    private var nextReport: NIODeadline?
    /// The channel that the latest ANNOUNCE or DESCRIBE named, whether it exists or not; for the log.
    var requestedChannelName: String?
    /// The connection outlives its session; this is how the last one ended.
    private var sessionEndReason: RTSPCloseReason?

    private enum Phase {
        case open
        /// Refused: waits for the peer to read why, and reads nothing more.
        case lingering(until: NIODeadline)
        case closed
    }

    /// - Parameter isSecure: the connection is encrypted, so media may not come beside it in the clear.
    init(environment: RTSPServerEnvironment, channel: any Channel, isSecure: Bool) {
        self.environment = environment
        self.isSecure = isSecure
        eventLoop = channel.eventLoop
        let limits = environment.configuration.limits
        parser = RTSPMessageParser(limits: limits.messages)
        stateMachine = RTSPSessionStateMachine(timeouts: limits.timeouts, now: channel.eventLoop.now)
        var logger = environment.logger
        logger[metadataKey: "peer"] = "\(channel.remoteAddress.map(\.displayed) ?? "")"
        self.logger = logger
    }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { scheduleTimer() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(.peerClosed)
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        scheduleTimer()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .open = phase else { return }
        let buffer = unwrapInboundIn(data)
        pacedReads?.received(buffer.readableBytes)
        consume(buffer)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        countTally()
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        // libstreaming's TEARDOWN has no blank line behind it: the end of the connection ends it.
        if case .open = phase, !isAwaitingVerdict, let request = parser.finish(with: &tail),
            request.method == .teardown
        {
            perform(stateMachine.receive(request, now: eventLoop.now))
        }
        finish(sessionEndReason ?? .peerClosed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A peer that has said TEARDOWN may close before it reads the answer, which resets the connection.
        finish(sessionEndReason ?? .ioError, detail: "\(error)")
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The second comes where another server shares the port with us.
        switch event {
        case is ServerShutdownEvent, is ChannelShouldQuiesceEvent: finish(.shutdown)
        case is ConnectionEvictedEvent: finish(.evicted)
        default: return context.fireUserInboundEventTriggered(event)
        }
        context.close(promise: nil)
    }

    /// A peer that does not read its answers gets no more of its requests read.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        reading?.output.isWritable = isWritable
        resumeReading()
        if isWritable { reading?.session.outputBecameWritable() }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        guard mayRead else {
            isReadHeld = true
            return
        }
        if pacedReads?.mayRead(isPrompt: wantsPromptPackets) == false { return }
        context.read()
    }

    /// Somebody watches or reads what is recorded here so closely that its packets are handled as they come.
    var wantsPromptPackets: Bool { session?.accepted.channel.wantsPromptPackets(now: eventLoop.now) ?? true }

    /// What a read brings beyond this has been waiting: the publisher is fast, or the tick was late. 13 Mbit/s fill it
    /// between two ticks.
    private static let maximumTickByteCount = 32 << 10

    private func paceReads() {
        pacedReads = PacedReads(
            ticks: environment.ticks.ticks(of: eventLoop), maximumAmount: Self.maximumTickByteCount
        ) { [weak self] in self?.readAfterTick() }
    }

    private func readAfterTick() {
        if mayRead { context?.read() } else { isReadHeld = true }
    }

    private func endPacing() {
        guard let pacedReads else { return }
        self.pacedReads = nil
        pacedReads.close()
        if pacedReads.isWaiting { readAfterTick() }
    }

    private var mayRead: Bool {
        guard let context, case .open = phase else { return true }
        return !isAwaitingVerdict && context.channel.isWritable
    }

    private func resumeReading() {
        guard isReadHeld, mayRead else { return }
        isReadHeld = false
        context?.read()
    }

    // MARK: Bytes

    /// Whole elements are parsed in the buffer they came in. What a read cuts in two is put together in `tail`,
    /// taking no more of the next read than it lacks.
    private func consume(_ buffer: ByteBuffer) {
        var buffer = buffer
        if isAwaitingVerdict {
            tail.writeImmutableBuffer(buffer)
            return
        }
        while tail.readableBytes > 0, let missing = parser.missingByteCount(after: tail) {
            guard let piece = buffer.readSlice(length: min(missing, buffer.readableBytes)) else { return }
            if piece.readableBytes > 0 { tail.writeImmutableBuffer(piece) }
            if missing > piece.readableBytes { return }
            // The header of the frame is complete, or the frame is.
            if parser.missingByteCount(after: tail) == 0 {
                var frame = tail
                tail = ByteBuffer()
                parse(&frame)
            }
        }
        if tail.readableBytes > 0 {
            // Taken out, because an action may come back here or end it all.
            var joined = tail
            tail = ByteBuffer()
            joined.writeImmutableBuffer(buffer)
            let byteCount = joined.readableBytes
            parse(&joined)
            // Elements may refer to what was parsed: what is left moves to a buffer of its own.
            tail = joined.readableBytes < byteCount ? copyOfRest(joined) : joined
        } else {
            parse(&buffer)
            tail = copyOfRest(buffer)
        }
    }

    private func copyOfRest(_ buffer: ByteBuffer) -> ByteBuffer {
        guard buffer.readableBytes > 0, let context else { return ByteBuffer() }
        var copy = context.channel.allocator.buffer(capacity: buffer.readableBytes)
        copy.writeImmutableBuffer(buffer)
        return copy
    }

    private func parse(_ buffer: inout ByteBuffer) {
        let now = eventLoop.now
        do {
            while case .open = phase, !isAwaitingVerdict, let element = try parser.next(from: &buffer) {
                switch element {
                case .interleavedFrame(let frame): receive(frame, now: now)
                case .request(let request): perform(stateMachine.receive(request, now: now))
                case .response: break
                }
            }
        } catch {
            perform(stateMachine.parsingFailed(error))
        }
        if case .open = phase { return }
        buffer.clear()
    }

    private func receive(_ frame: InterleavedFrame, now: NIODeadline) {
        if let reading {
            if reading.session.receiveInterleaved(channel: frame.channel, payload: frame.payload) {
                stateMachine.mediaReceived(now: now)
            }
            return
        }
        guard let session, session.receive(frame, arrival: now) else {
            if session == nil { environment.counters.update { $0.ignoredPacketCount += 1 } }
            return
        }
        stateMachine.mediaReceived(now: now)
    }

    /// After a verdict that took its time: what came meanwhile.
    func parseHeldBytes() {
        if tail.readableBytes > 0 {
            let held = tail
            tail = ByteBuffer()
            consume(held)
        }
        resumeReading()
    }

    // MARK: Actions

    func perform(_ action: RTSPSessionAction) {
        isAwaitingVerdict = stateMachine.isAwaitingVerdict
        switch action {
        case .reply(let response): send(response)
        case .evaluateAnnouncement(let announcement, let authorization): evaluate(announcement, authorization)
        case .evaluateDescription(let request, _): evaluate(request)
        case .prepareTransport(let request):
            switch request.purpose {
            case .recording: prepareTransport(request)
            case .playing: prepareReadingTransport(request, offers: request.offers[...])
            }
        case .startRecording: startRecording()
        case .startPlaying(let request): startPlaying(request)
        case .pause(let response):
            pause()
            send(response)
        case .releaseTrack(let trackIndex, let response):
            releaseTrack(trackIndex)
            send(response)
        case .endSession(let response, let reason):
            endSession(reason)
            send(response)
        case .replyAndClose(let response, let reason):
            send(response)
            finish(reason, detail: response.status.reasonPhrase)
            linger()
        case .close(let reason):
            finish(reason)
            context?.close(promise: nil)
        case .none: break
        }
    }

    /// The transport that a SETUP asked for is there, or is not.
    func transportPrepared(_ result: Result<RTSPTransport, RTSPRefusal>) {
        perform(stateMachine.transportPrepared(result, now: eventLoop.now))
        parseHeldBytes()
    }

    private func send(_ response: RTSPResponse) {
        guard let context else { return }
        if !response.status.isSuccess {
            var metadata: Logger.Metadata = [
                "status": "\(response.status.code)", "reason": "\(response.status.reasonPhrase)",
            ]
            if let name = session?.accepted.channel.name ?? requestedChannelName {
                metadata["channel.name"] = "\(name)"
            }
            environment.counters.update { $0.refusedRequestCounts[response.status.code, default: 0] += 1 }
            // Being asked for credentials is how logging in begins; wrong ones are told of where they are found out.
            logger.log(
                level: response.status.code == RTSPStatus.unauthorized.code ? .debug : .notice, "RTSP request refused",
                metadata: metadata)
        }
        var buffer = context.channel.allocator.buffer(capacity: 512)
        response.write(into: &buffer)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    // MARK: Ends

    func endSession(_ reason: RTSPCloseReason, detail: String? = nil) {
        countTally()
        endReading()
        _ = use(for: .idle)
        endPacing()
        guard let session else { return }
        self.session = nil
        sessionEndReason = reason
        if nextReport != nil { environment.counters.update { $0.recordingSessionCount -= 1 } }
        nextReport = nil
        session.end(reason: detail ?? reason.explained, isIntended: reason.isIntended)
    }

    /// Counts and logs the connection's end, once.
    private func finish(_ reason: RTSPCloseReason, detail: String? = nil) {
        guard case .open = phase else { return }
        phase = .closed
        endSession(reason, detail: detail)
        stateMachine.connectionClosed()
        isAwaitingVerdict = false
        timer?.cancel()
        timer = nil
        delayedVerdict?.cancel()
        delayedVerdict = nil
        tail = ByteBuffer()
        environment.counters.update { $0.closedConnectionCounts[reason, default: 0] += 1 }
        logger.info(
            "RTSP connection closed", metadata: ["reason": "\(reason.rawValue)", "detail": "\(detail ?? "")"])
    }

    /// Closing at once with unread bytes would reset the connection, and the peer might never see the answer.
    private func linger() {
        guard let context else { return }
        phase = .lingering(until: eventLoop.now + environment.configuration.limits.lingerTime)
        context.close(mode: .output, promise: nil)
        scheduleTimer()
        resumeReading()
    }

    /// A reader has been told that it is over.
    func closeAfterReading(_ reason: ReadingEndReason) {
        finish(.readingEnded, detail: reason.explained)
        context?.close(promise: nil)
    }

    /// Not flushed.
    func write(_ frames: ByteBuffer) { context?.write(wrapOutboundOut(frames), promise: nil) }

    /// An operator, or the server's end, wants the push gone.
    func kick(_ reason: String) {
        finish(.kicked, detail: reason)
        context?.close(promise: nil)
    }

    // MARK: Limits

    /// Tells the registry what the connection is used for from now on.
    ///
    /// - Returns: false when it may not be used for that, because there are too many readers.
    func use(for use: ConnectionUse) -> Bool {
        guard let channel = context?.channel else { return true }
        return environment.registry.use(channel, for: use, now: eventLoop.now)
    }

    // MARK: Time

    func recordingStarted() {
        environment.counters.update { $0.recordingSessionCount += 1 }
        paceReads()
        nextReport = eventLoop.now + environment.configuration.limits.receiverReportInterval
        scheduleTimer()
    }

    /// One timer for all deadlines; those that moved on are found out when it fires.
    private func scheduleTimer() {
        timer?.cancel()
        let deadline: NIODeadline?
        switch phase {
        case .open: deadline = [stateMachine.deadline, nextReport].compactMap { $0 }.min()
        case .lingering(let until): deadline = until
        case .closed: deadline = nil
        }
        guard let deadline else { return }
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.timerFired() }
    }

    private func timerFired() {
        let now = eventLoop.now
        if case .lingering(let until) = phase, until <= now {
            context?.close(promise: nil)
            phase = .closed
            return
        }
        perform(stateMachine.deadlineReached(now: now))
        if let due = nextReport, due <= now {
            nextReport = now + environment.configuration.limits.receiverReportInterval
            sendReports(now: now)
        }
        scheduleTimer()
    }

    private func sendReports(now: NIODeadline) {
        guard let session, let context else { return }
        let frames = session.makeReports(now: now)
        countTally()
        // A peer that reads nothing gets none: its connection must not hold them.
        guard !frames.isEmpty, context.channel.isWritable else { return }
        var buffer = context.channel.allocator.buffer(capacity: 256)
        for frame in frames { frame.write(into: &buffer) }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    func countTally() {
        guard let session, !session.tally.isEmpty else { return }
        environment.counters.update { session.tally.add(to: &$0) }
        session.tally = PacketTally()
    }
}
