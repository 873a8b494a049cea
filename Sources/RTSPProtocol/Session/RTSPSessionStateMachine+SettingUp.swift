package import NIOCore

extension RTSPSessionStateMachine {
    /// Handles SETUP (RFC 2326 §10.4).
    mutating func receiveSetup(_ request: RTSPRequest) -> RTSPSessionAction {
        switch state {
        case .idle(let idle): return setUpPlayback(request, described: idle.presentation)
        case .ready(let ready): return setUp(request, ready.session)
        case .recording, .playing, .closed: return replyNotValidInThisState(to: request)
        }
    }

    /// Handles a reader's first SETUP, with or without a preceding DESCRIBE.
    private mutating func setUpPlayback(
        _ request: RTSPRequest, described presentation: RTSPPresentation?
    ) -> RTSPSessionAction {
        let offers = RTSPTransport.offers(parsing: request.headers["Transport"] ?? "")
        // Recording requires an ANNOUNCE first.
        if offers.first?.isForRecording == true { return replyNotValidInThisState(to: request) }
        if let presentation, presentation.trackControl.match(request.uri) != .none {
            return setUp(request, presentation)
        }
        guard let url = RTSPURL(parsing: request.uri) else { return reply(to: request, .notFound) }
        guard !acceptableOffers(request, isForPlayback: true).isEmpty else {
            return reply(to: request, .unsupportedTransport)
        }
        return askBeforeSettingUp(request, url)
    }

    /// Handles a reader's SETUP. The session begins when the transport is prepared.
    mutating func setUp(_ request: RTSPRequest, _ presentation: RTSPPresentation) -> RTSPSessionAction {
        setUp(request, state.session ?? EstablishedSession(id: newSessionID(), role: .playing(presentation)))
    }

    private mutating func setUp(_ request: RTSPRequest, _ session: EstablishedSession) -> RTSPSessionAction {
        let trackIndex: Int
        switch session.trackControl.match(request.uri) {
        case .track(let index): trackIndex = index
        case .aggregate where session.trackCount == 1: trackIndex = 0
        // Each of several tracks needs its own transport (RFC 2326 §11.3.9).
        case .aggregate: return reply(to: request, .aggregateOperationNotAllowed)
        case .none: return reply(to: request, .notFound)
        }
        // RFC 2326 §10.4 lets the server decide whether transports may change. Publishers never request it.
        guard session.isForPlayback || session.preparedTracks[trackIndex] == nil else {
            return replyNotValidInThisState(to: request)
        }
        let offers = acceptableOffers(request, isForPlayback: session.isForPlayback)
        guard !offers.isEmpty else { return reply(to: request, .unsupportedTransport) }
        pending = .transport(
            PendingTransport(request: request.withoutBody, session: session, trackIndex: trackIndex))
        return .prepareTransport(
            RTSPTransportRequest(trackIndex: trackIndex, offers: offers, purpose: session.transportPurpose))
    }

    /// Offers that are unicast and have the session's direction. A publisher's missing mode is tolerated although it
    /// means PLAY (RFC 2326 §12.39), because the direction is clear in a session that began with ANNOUNCE.
    private func acceptableOffers(_ request: RTSPRequest, isForPlayback: Bool) -> [RTSPTransport] {
        RTSPTransport.offers(parsing: request.headers.values(of: "Transport").joined(separator: ",")).filter { offer in
            guard !offer.isMulticast, offer.mode == nil || offer.isForRecording != isForPlayback else { return false }
            return offer.lowerTransport == .tcp || offer.clientPorts != nil
        }
    }

    /// - Parameters:
    ///   - result: the chosen transport with server ports or channels, or the refusal to send.
    ///   - now: the current time of the monotonic clock.
    package mutating func transportPrepared(
        _ result: Result<RTSPTransport, RTSPRefusal>, now: NIODeadline
    ) -> RTSPSessionAction {
        guard case .transport(let transport) = pending else { return .none }
        pending = nil
        switch result {
        case .success(let chosen):
            var session = transport.session
            session.preparedTracks[transport.trackIndex] = transport.request.uri
            state = .ready(ReadyState(session: session))
            reservedSessionID = nil
            return reply(to: transport.request, .ok, ["Transport": chosen.rendered])
        case .failure(let refusal):
            return counted(reply(to: transport.request, refusal.status, refusal.headers))
        }
    }
}

extension EstablishedSession {
    fileprivate var transportPurpose: RTSPTransportRequest.Purpose {
        switch role {
        case .recording: .recording
        case .playing(let presentation): .playing(presentation)
        }
    }
}
