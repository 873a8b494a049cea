import LiveChannels
import Logging
import LogMetadata
import NIOCore
import PacedSockets
import RTSPProtocol
import StreamConnections

/// Parses the data of a connection and carries out the actions of its state machines: ``RTSPSessionStateMachine`` for
/// requests, and ``ConnectionLifecycle`` for reading, reports and the end.
final class RTSPConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let environment: RTSPServerEnvironment
    let eventLoop: any EventLoop
    let logger: Logger
    let isSecure: Bool
    /// State machine of the session. The actions that it returns go to ``perform(_:)``.
    var stateMachine: RTSPSessionStateMachine
    /// Cached from the state machine, because reading it there copies the whole struct on every read.
    private(set) var isAwaitingVerdict = false
    private var lifecycle: ConnectionLifecycle
    var media = ConnectionMedia.nothing
    var authenticator = RTSPAuthenticator(policy: RTSPAuthenticationPolicy(realm: PublisherCredential.realm))
    /// A scheduled verdict on credentials from an address that has failed before; otherwise `nil`.
    var delayedVerdict: Scheduled<Void>?
    /// The right to play what the reader has asked for last.
    var permit = PlaybackPermit(of: nil)
    /// Asks whether ``permit`` has ended, while something is played; otherwise `nil`.
    var permitCheck: Scheduled<Void>?
    private(set) var context: ChannelHandlerContext?
    private var parser: RTSPMessageParser
    /// Incomplete data of the last read, in a buffer that nothing else refers to.
    private var tail = ByteBuffer()
    /// Paces reads while something is recorded from this connection; otherwise `nil`.
    private var pacedReads: ConnectionPacing?
    /// The ticks at which the sockets of a publisher are read.
    private(set) lazy var pacing = environment.pacings.pacing(of: eventLoop).makePublisherPacing()
    private var timer: Scheduled<Void>?
    /// CSeq of the latest request, for the log; `nil` if it has none.
    private var cSeq: String?
    /// Name of the channel in the latest ANNOUNCE or DESCRIBE, whether it exists or not, for the log.
    var requestedChannelName: String?
    /// The reason for the end of the last session, which the connection may outlive.
    private var sessionEndReason: RTSPCloseReason?

    var session: PublishingSession? { if case .publishing(let session) = media { session } else { nil } }
    var playback: ConnectionPlayback? { if case .playback(let playback) = media { playback } else { nil } }

    /// - Parameters:
    ///   - environment: objects that all connections share.
    ///   - channel: the connection's channel.
    ///   - isSecure: whether the connection is encrypted; media over unencrypted UDP is refused then.
    init(environment: RTSPServerEnvironment, channel: any Channel, isSecure: Bool) {
        self.environment = environment
        self.isSecure = isSecure
        eventLoop = channel.eventLoop
        let limits = environment.configuration.limits
        parser = RTSPMessageParser(limits: limits.messages)
        lifecycle = ConnectionLifecycle(limits: limits)
        stateMachine = RTSPSessionStateMachine(timeouts: limits.timeouts, now: channel.eventLoop.now)
        var logger = environment.logger
        logger[.peerAddress] = "\(channel.remoteAddress.map(\.displayed) ?? "")"
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
        guard lifecycle.isOpen else { return }
        consume(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        countTally()
        pacedReads?.handled()
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        // libstreaming's TEARDOWN lacks the blank line; the end of the connection completes it.
        if lifecycle.isOpen, !isAwaitingVerdict, let request = parser.finish(with: &tail),
            request.method == .teardown
        {
            receive(request, now: eventLoop.now)
        }
        finish(sessionEndReason ?? .peerClosed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A peer may close the connection after TEARDOWN before it reads the response, which resets the connection.
        finish(sessionEndReason ?? .ioError, detail: "\(error)")
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // ChannelShouldQuiesceEvent arrives if another server shares the port.
        switch event {
        case is ServerShutdownEvent, is ChannelShouldQuiesceEvent: finish(.shutdown)
        case is ConnectionEvictedEvent: finish(.evicted)
        default: return context.fireUserInboundEventTriggered(event)
        }
        context.close(promise: nil)
    }

    /// Suspends reading while the peer does not read its responses.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        playback?.output.isWritable = isWritable
        resumeReading()
        if isWritable { playback?.session.outputBecameWritable() }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        guard lifecycle.mayRead(canTakeMore: canTakeMore) else { return }
        context.read()
    }

    /// The time from which packets have to be handled as they arrive, because a viewer or reader follows the channel
    /// with low latency; `nil` if none does.
    ///
    /// - Parameter trackIndex: the track's position in the announcement; `nil` for packets of all tracks.
    func promptTime(trackIndex: Int?, now: NIODeadline) -> NIODeadline? {
        guard let session else { return now }
        return session.promptTime(trackIndex: trackIndex, now: now)
    }

    /// True if data that has arrived can be handled now.
    var takesMedia: Bool { lifecycle.isOpen && canTakeMore }

    /// Whether requests can be handled, and responses be written to a peer that reads them.
    private var canTakeMore: Bool {
        guard let context else { return true }
        return !isAwaitingVerdict && context.channel.isWritable
    }

    private func resumeReading() {
        if lifecycle.takeHeldRead(canTakeMore: canTakeMore) { context?.read() }
    }

    // MARK: Bytes

    /// Parses received data. Complete elements are parsed in the buffer in which they arrived. An element that is
    /// split between reads is completed in `tail`, with no more of the next read than it lacks.
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
            // Either the header of the frame or the whole frame is complete now.
            if parser.missingByteCount(after: tail) == 0 {
                var frame = tail
                tail = ByteBuffer()
                parse(&frame)
            }
        }
        if tail.readableBytes > 0 {
            // The tail is moved out, because an action may call this method again or end the connection.
            var joined = tail
            tail = ByteBuffer()
            joined.writeImmutableBuffer(buffer)
            let byteCount = joined.readableBytes
            parse(&joined)
            // Elements may refer to the parsed buffer, so the rest is moved to a buffer of its own.
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
            while lifecycle.isOpen, !isAwaitingVerdict, let element = try parser.next(from: &buffer) {
                switch element {
                case .interleavedFrame(let frame): receive(frame, now: now)
                case .request(let request): receive(request, now: now)
                case .response: break
                }
            }
        } catch {
            perform(stateMachine.parsingFailed(error))
        }
        if lifecycle.isOpen { return }
        buffer.clear()
    }

    private func receive(_ request: RTSPRequest, now: NIODeadline) {
        cSeq = request.cSeq
        perform(stateMachine.receive(request, now: now))
    }

    private func receive(_ frame: InterleavedFrame, now: NIODeadline) {
        switch media {
        case .publishing(let session):
            if session.receive(frame, arrival: now) { stateMachine.mediaReceived(now: now) }
        case .playback(let playback):
            if playback.session.receiveInterleaved(channel: frame.channel, payload: frame.payload) {
                stateMachine.mediaReceived(now: now)
            }
        case .nothing: environment.counters.update { $0.ignoredPacketCount += 1 }
        }
    }

    /// Parses the bytes that arrived while a verdict was pending.
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
        case .evaluateDescription(let request, let authorization): evaluate(request, authorization)
        case .prepareTransport(let request):
            switch request.purpose {
            case .recording: prepareTransport(request)
            case .playing: preparePlaybackTransport(request, offers: request.offers[...])
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

    /// Passes the result of preparing a SETUP's transport to the state machine.
    func transportPrepared(_ result: Result<RTSPTransport, RTSPRefusal>) {
        perform(stateMachine.transportPrepared(result, now: eventLoop.now))
        parseHeldBytes()
    }

    private func send(_ response: RTSPResponse) {
        guard let context else { return }
        if !response.status.isSuccess {
            var values: LogValues = [
                .rtspStatus: "\(response.status.code)", .reason: "\(response.status.reasonPhrase)",
            ]
            if let name = session?.accepted.channel.name ?? requestedChannelName { values[.channelName] = "\(name)" }
            environment.counters.update { $0.refusedRequestCounts[response.status.code, default: 0] += 1 }
            // A request without credentials is the normal start of a login; wrong credentials are logged when they
            // are detected.
            logger.log(
                level: response.status.code == RTSPStatus.unauthorized.code ? .debug : .notice, "RTSP request refused",
                metadata: withCSeq(values))
        }
        var buffer = context.channel.allocator.buffer(capacity: 512)
        response.write(into: &buffer)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    /// Adds the CSeq of the request that is being handled.
    func withCSeq(_ values: LogValues) -> LogValues {
        guard let cSeq else { return values }
        var values = values
        values[.rtspCSeq] = "\(cSeq.prefix(Self.maximumCSeqLength))"
        return values
    }

    /// More digits are not a sequence number, but noise that a peer wants in the log.
    private static let maximumCSeqLength = 20

    // MARK: Ends

    func endSession(_ reason: RTSPCloseReason) {
        endMedia(reason, detail: nil, wasRecording: lifecycle.recordingEnded())
    }

    private func endMedia(_ reason: RTSPCloseReason, detail: String?, wasRecording: Bool) {
        countTally()
        endPlayback()
        _ = use(for: .idle)
        pacedReads?.close()
        pacedReads = nil
        guard let session else { return }
        media = .nothing
        sessionEndReason = reason
        if wasRecording { environment.counters.update { $0.recordingSessionCount -= 1 } }
        session.end(reason: detail ?? reason.explained, isIntended: reason.isIntended)
    }

    /// Counts and logs the end of the connection, once.
    private func finish(_ reason: RTSPCloseReason, detail: String? = nil) {
        guard let ending = lifecycle.close() else { return }
        endMedia(reason, detail: detail, wasRecording: ending.wasRecording)
        stateMachine.connectionClosed()
        isAwaitingVerdict = false
        timer?.cancel()
        timer = nil
        delayedVerdict?.cancel()
        delayedVerdict = nil
        tail = ByteBuffer()
        environment.counters.update { $0.closedConnectionCounts[reason, default: 0] += 1 }
        logger.info(
            "RTSP connection closed", metadata: [.reason: "\(reason.rawValue)", .detail: "\(detail ?? "")"])
    }

    /// Closes the output, and the channel when the peer has had time to read the final response.
    private func linger() {
        guard let context else { return }
        lifecycle.linger(now: eventLoop.now)
        context.close(mode: .output, promise: nil)
        scheduleTimer()
        resumeReading()
    }

    /// Closes the connection after the reader has received a goodbye.
    func closeAfterPlayback(_ reason: PlaybackEndReason) {
        finish(.playbackEnded, detail: reason.explained)
        context?.close(promise: nil)
    }

    /// Writes interleaved frames; the caller flushes.
    func write(_ frames: ByteBuffer) { context?.write(wrapOutboundOut(frames), promise: nil) }

    /// Ends the push on behalf of an operator or because the server stops.
    func kick(_ reason: String) {
        finish(.kicked, detail: reason)
        context?.close(promise: nil)
    }

    // MARK: Limits

    /// Reports the use of the connection to the registry.
    ///
    /// - Returns: false if there are too many readers for that use.
    func use(for use: ConnectionUse) -> Bool {
        guard let channel = context?.channel else { return true }
        return environment.registry.use(channel, for: use, now: eventLoop.now)
    }

    // MARK: Time

    func recordingStarted() {
        environment.counters.update { $0.recordingSessionCount += 1 }
        if let channel = context?.channel {
            pacedReads = ConnectionPacing(
                channel, connection: self, pacing: pacing,
                settlingTime: environment.configuration.limits.settlingTime)
        }
        lifecycle.recordingStarted(now: eventLoop.now)
        scheduleTimer()
    }

    /// Schedules a single timer for all deadlines; a deadline that has moved is detected when the timer fires.
    private func scheduleTimer() {
        timer?.cancel()
        guard let deadline = lifecycle.deadline(session: stateMachine.deadline) else { return }
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.timerFired() }
    }

    private func timerFired() {
        let now = eventLoop.now
        switch lifecycle.timerFired(now: now) {
        case .checkSession:
            perform(stateMachine.deadlineReached(now: now))
            if lifecycle.takeDueReport(now: now) { sendReports(now: now) }
        case .closeChannel:
            context?.close(promise: nil)
            return
        case .none: break
        }
        scheduleTimer()
    }

    private func sendReports(now: NIODeadline) {
        guard let session, let context else { return }
        session.measureRoundTrip(of: context.channel)
        let frames = session.makeReports(now: now)
        countTally()
        // A peer that does not read does not get reports, so that its connection does not accumulate them.
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

extension RTSPConnectionHandler: PacedConnection {
    func promptTime(now: NIODeadline) -> NIODeadline? { promptTime(trackIndex: nil, now: now) }
}
