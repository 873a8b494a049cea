import LiveChannels
import Logging
import LogMetadata
import NIOCore
import PacedSockets
import RTSPProtocol
import StreamConnections

/// Requests of publishers: ANNOUNCE, SETUP and RECORD.
extension RTSPConnectionHandler {
    /// Handles ANNOUNCE.
    func evaluate(_ announcement: RTSPAnnouncement, _ authorization: RTSPAuthorization) {
        let evaluation = AnnouncementEvaluation(
            channels: environment.channels, limits: environment.configuration.limits)
        requestedChannelName = AnnouncementEvaluation.channelName(path: announcement.url.path)
        let channel: LiveChannel
        do {
            channel = try evaluation.channel(at: announcement.url)
        } catch {
            return announcementEvaluated(.refused(error))
        }
        authorize(authorization, for: channel) { [self] refusal in
            if let refusal { return announcementEvaluated(.refused(refusal)) }
            do throws(RTSPRefusal) {
                let accepted = try evaluation.evaluate(announcement, for: channel)
                // Ends a described presentation, which will not be played on this connection.
                endPlayback()
                media = .publishing(PublishingSession(accepted: accepted, eventLoop: eventLoop))
                _ = use(for: .announced)
                announcementEvaluated(.accepted)
            } catch {
                announcementEvaluated(.refused(error))
            }
        }
    }

    private func announcementEvaluated(_ verdict: RTSPVerdict) {
        perform(stateMachine.announcementEvaluated(verdict, now: eventLoop.now))
    }

    /// Handles SETUP with the first offer that can be satisfied.
    func prepareTransport(_ request: RTSPTransportRequest) { prepareTransport(request, offers: request.offers[...]) }

    private func prepareTransport(_ request: RTSPTransportRequest, offers: ArraySlice<RTSPTransport>) {
        guard let session, let offer = offers.first else {
            return transportPrepared(.failure(RTSPRefusal(.unsupportedTransport)))
        }
        switch offer.lowerTransport {
        case .tcp:
            guard let channels = session.channels(for: offer) else {
                return prepareTransport(request, offers: offers.dropFirst())
            }
            session.setUp(request.trackIndex, .interleaved(channels))
            var transport = RTSPTransport(lowerTransport: .tcp)
            transport.interleavedChannels = channels
            transport.mode = "record"
            transportPrepared(.success(transport))
        case .udp where isSecure:
            prepareTransport(request, offers: offers.dropFirst())
        case .udp:
            bindPorts(request, offer: offer, otherOffers: offers.dropFirst())
        }
    }

    private func bindPorts(
        _ request: RTSPTransportRequest, offer: RTSPTransport, otherOffers: ArraySlice<RTSPTransport>
    ) {
        guard let session, let peer = context?.channel.remoteAddress else {
            return prepareTransport(request, offers: otherOffers)
        }
        bindPorts(offer, trackIndex: request.trackIndex) { [self] sockets in
            // The connection may have ended in the meantime, or have another session.
            guard self.session === session else {
                sockets?.close()
                return
            }
            guard let sockets else { return prepareTransport(request, offers: otherOffers) }
            session.setUp(request.trackIndex, .udp(sockets, SenderFilter(peer: peer)))
            var transport = Self.chosenTransport(offer, sockets)
            // Repeats the publisher's spelling: libstreaming's `receive` is returned as it is.
            transport.mode = offer.mode ?? "record"
            transportPrepared(.success(transport))
        }
    }

    /// Handles RECORD.
    func startRecording() {
        // After PAUSE, the session still occupies the channel.
        if session?.resume() == true { return perform(stateMachine.recordingEvaluated(.accepted, now: eventLoop.now)) }
        let verdict = takeChannel()
        perform(stateMachine.recordingEvaluated(verdict, now: eventLoop.now))
        guard verdict == .accepted, stateMachine.isRecording, let session else { return }
        _ = use(for: .recording)
        recordingStarted()
        logger.info(
            "push started",
            metadata: withCSeq([
                .channelName: "\(session.accepted.channel.name)",
                .transport: "\(session.usesUDP ? "udp" : "tcp")",
                .userAgent: "\(session.accepted.userAgent?.prefix(100) ?? "")",
            ]))
    }

    private func takeChannel() -> RTSPVerdict {
        guard let session, let channel = context?.channel else {
            return .refused(RTSPRefusal(.internalServerError))
        }
        guard session.hasUsableTrack else { return .refused(RTSPRefusal(.methodNotValidInThisState)) }
        let publisher = Publisher(
            remoteAddress: channel.remoteAddress.map(\.displayed) ?? "",
            userAgent: session.accepted.userAgent.map { String($0.prefix(200)) },
            transport: isSecure ? "RTSPS" : session.usesUDP ? "RTSP/UDP" : "RTSP/TCP",
            presetName: session.accepted.presetName)
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        let eventLoop = self.eventLoop
        let pacing = pacing
        session.measureRoundTrip(of: channel)
        do {
            try session.start(
                publisher: publisher, source: .random(in: 1...UInt32.max), onHurry: { pacing.hurry() },
                onKick: { reason in eventLoop.execute { connection.value.kick(reason) } })
            return .accepted
        } catch {
            return .refused(AnnouncementEvaluation.refusal(of: error, session.accepted.channel))
        }
    }
}

extension RTSPCloseReason {
    /// Whether the publisher or an operator ended the session intentionally, so that viewers need not wait for its
    /// return.
    var isIntended: Bool {
        switch self {
        case .teardown, .kicked, .shutdown: true
        case .peerClosed, .protocolError, .firstRequestTimeout, .idleTimeout, .noMedia, .evicted, .ioError,
            .tooManyRefusals, .playbackEnded:
            false
        }
    }

    /// Human-readable reason, for operators.
    var explained: String {
        switch self {
        case .teardown: "the publisher ended the session"
        case .peerClosed: "the publisher closed the connection"
        case .protocolError: "the publisher sent data that is not RTSP"
        case .firstRequestTimeout: "no request arrived"
        case .idleTimeout: "nothing was received from the publisher for too long"
        case .noMedia: "nothing was published or played for too long"
        case .evicted: "the connection was closed to make room for another one"
        case .kicked: "an operator ended the session"
        case .shutdown: "the server is shutting down"
        case .ioError: "the connection broke"
        case .tooManyRefusals: "too many requests were refused"
        case .playbackEnded: "playback has ended"
        }
    }
}
