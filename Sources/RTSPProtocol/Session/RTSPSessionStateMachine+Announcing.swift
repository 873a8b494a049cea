package import NIOCore
import SessionDescription

extension RTSPSessionStateMachine {
    /// Handles ANNOUNCE (RFC 2326 §10.3).
    mutating func receiveAnnounce(_ request: RTSPRequest) -> RTSPSessionAction {
        guard case .idle = state else {
            // A second description of a running session is legal, but changing its tracks is not supported.
            return replyNotValidInThisState(to: request)
        }
        guard Self.isSessionDescription(request) else {
            return reply(
                to: request, .unsupportedMediaType.because("Unsupported Media Type: send application/sdp"),
                ["Accept": "application/sdp"])
        }
        guard let url = RTSPURL(parsing: request.uri) else {
            return reply(to: request, .badRequest.because("Bad Request: the URL is not an rtsp URL"))
        }
        let description: SDPSession
        do {
            description = try SDPSession(parsing: request.body.readableBytesView)
        } catch {
            return reply(to: request, .badRequest.because("Bad Request: \(error)"))
        }
        guard !description.media.isEmpty else {
            return reply(to: request, .badRequest.because("Bad Request: the SDP has no media"))
        }
        let announcement = RTSPAnnouncement(
            uri: request.uri, url: url, description: description, userAgent: request.headers["User-Agent"])
        pending = .announcement(request.withoutBody, announcement, sessionID: newSessionID())
        return .evaluateAnnouncement(announcement, RTSPAuthorization(request))
    }

    /// Whether the body is a session description. libstreaming adds a space to the type, others a parameter, and some
    /// omit the header; nothing else is ever sent in ANNOUNCE.
    private static func isSessionDescription(_ request: RTSPRequest) -> Bool {
        guard let header = request.headers["Content-Type"], !header.isEmpty else { return true }
        return trimmingWhitespace(header.split(separator: ";", maxSplits: 1).first ?? "").lowercased()
            == "application/sdp"
    }

    /// Passes in the verdict on ``RTSPSessionAction/evaluateAnnouncement(_:_:)``.
    package mutating func announcementEvaluated(_ verdict: RTSPVerdict, now: NIODeadline) -> RTSPSessionAction {
        guard case .announcement(let request, let announcement, let sessionID) = pending else { return .none }
        pending = nil
        switch verdict {
        case .accepted:
            reservedSessionID = nil
            state = .ready(ReadyState(session: EstablishedSession(id: sessionID, role: .recording(announcement))))
            return reply(to: request, .ok)
        case .refused(let refusal):
            // libstreaming reads the Session header of any response to its first ANNOUNCE, fails if there is none
            // before it checks the status, and uses the ID from then on.
            reservedSessionID = sessionID
            var headers = refusal.headers
            headers.add(name: "Session", value: sessionHeader(sessionID, isForPlayback: false))
            return counted(.reply(RTSPResponse(to: request, refusal.status, headers: headers)))
        }
    }
}

extension RTSPRequest {
    /// A copy to keep after the body has been read.
    var withoutBody: RTSPRequest { RTSPRequest(method: method, uri: uri, headers: headers) }
}
