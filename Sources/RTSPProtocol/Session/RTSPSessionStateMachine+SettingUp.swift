import SessionDescription
package import NIOCore

extension RTSPSessionStateMachine {
    /// RFC 2326 §10.4.
    mutating func receiveSetup(_ request: RTSPRequest) -> RTSPSessionAction {
        guard case .ready(let ready) = state else {
            return .reply(RTSPResponse(to: request, .methodNotValidInThisState, headers: commonHeaders()))
        }
        let session = ready.session
        let trackIndex: Int
        switch session.trackControl.match(request.uri) {
        case .track(let index): trackIndex = index
        case .aggregate where session.announcement.description.media.count == 1: trackIndex = 0
        case .aggregate:
            // §11.3.9: with several tracks each needs a transport of its own.
            return .reply(RTSPResponse(to: request, .aggregateOperationNotAllowed, headers: commonHeaders()))
        case .none: return .reply(RTSPResponse(to: request, .notFound, headers: commonHeaders()))
        }
        guard !session.preparedTracks.contains(trackIndex) else {
            return .reply(RTSPResponse(to: request, .methodNotValidInThisState, headers: commonHeaders()))
        }
        let offers = RTSPTransport.offers(parsing: request.headers["Transport"] ?? "").filter(isAcceptable)
        guard !offers.isEmpty else {
            return .reply(RTSPResponse(to: request, .unsupportedTransport, headers: commonHeaders()))
        }
        state = .preparingTransport(
            PreparingTransportState(session: session, request: request, trackIndex: trackIndex))
        return .prepareTransport(RTSPTransportRequest(trackIndex: trackIndex, offers: offers))
    }

    /// Unicast, towards us. A missing mode is borne with although it means PLAY (§12.39): in a session that began with
    /// ANNOUNCE it can only mean one thing.
    private func isAcceptable(_ offer: RTSPTransport) -> Bool {
        guard !offer.isMulticast, offer.mode == nil || offer.isForRecording else { return false }
        return offer.lowerTransport == .tcp || offer.clientPorts != nil
    }

    /// - Parameter result: the transport chosen, with server ports or channels; or what to answer.
    package mutating func transportPrepared(
        _ result: Result<RTSPTransport, RTSPRefusal>, now: NIODeadline
    ) -> RTSPSessionAction {
        guard case .preparingTransport(let preparing) = state else { return .none }
        var session = preparing.session
        switch result {
        case .success(let transport):
            session.preparedTracks.insert(preparing.trackIndex)
            state = .ready(ReadyState(session: session))
            let headers: RTSPHeaders = ["Transport": transport.rendered]
            return .reply(RTSPResponse(to: preparing.request, .ok, headers: commonHeaders(headers)))
        case .failure(let refusal):
            state = .ready(ReadyState(session: session))
            return counted(
                .reply(RTSPResponse(to: preparing.request, refusal.status, headers: commonHeaders())))
        }
    }
}

/// A request that the server will not carry out.
package struct RTSPRefusal: Error, Hashable, Sendable {
    package var status: RTSPStatus
    package init(_ status: RTSPStatus) { self.status = status }
}
