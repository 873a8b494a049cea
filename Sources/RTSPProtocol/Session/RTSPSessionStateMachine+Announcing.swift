package import NIOCore
import SessionDescription

extension RTSPSessionStateMachine {
    /// RFC 2326 §10.3.
    mutating func receiveAnnounce(_ request: RTSPRequest) -> RTSPSessionAction {
        guard case .idle = state else {
            // A second description of a running session is legal, but nothing here could change its tracks.
            return .reply(
                RTSPResponse(to: request, .methodNotValidInThisState, headers: commonHeaders()))
        }
        // libstreaming has a space after the type, others a parameter.
        let contentType = request.headers["Content-Type"].map { value in
            trimmingWhitespace(value.split(separator: ";", maxSplits: 1).first ?? "").lowercased()
        }
        guard contentType == "application/sdp" else {
            return .reply(
                RTSPResponse(
                    to: request, .unsupportedMediaType.because("Unsupported Media Type: send application/sdp"),
                    headers: ["Accept": "application/sdp"]))
        }
        guard let url = RTSPURL(parsing: request.uri) else {
            return .reply(RTSPResponse(to: request, .badRequest.because("Bad Request: not an rtsp URL")))
        }
        let description: SDPSession
        do {
            description = try SDPSession(parsing: request.body.readableBytesView)
        } catch {
            return .reply(RTSPResponse(to: request, .badRequest.because("Bad Request: \(error)")))
        }
        guard !description.media.isEmpty else {
            return .reply(RTSPResponse(to: request, .badRequest.because("Bad Request: the SDP has no media")))
        }
        let announcement = RTSPAnnouncement(
            uri: request.uri, url: url, description: description, userAgent: request.headers["User-Agent"])
        state = .announcing(
            AnnouncingState(request: request, announcement: announcement, sessionID: newSessionID()))
        return .evaluateAnnouncement(announcement)
    }

    /// - Parameter status: ``RTSPStatus/ok`` to accept.
    package mutating func announcementEvaluated(_ status: RTSPStatus, now: NIODeadline) -> RTSPSessionAction {
        guard case .announcing(let announcing) = state else { return .none }
        if status.isSuccess {
            state = .ready(
                ReadyState(
                    session: EstablishedSession(id: announcing.sessionID, announcement: announcing.announcement)))
            return .reply(RTSPResponse(to: announcing.request, status, headers: commonHeaders()))
        }
        state = .idle(IdleState())
        // libstreaming reads a Session header from whatever answers ANNOUNCE, and fails without one before it looks
        // at the status.
        let headers: RTSPHeaders = ["Session": sessionHeader(announcing.sessionID)]
        return counted(.reply(RTSPResponse(to: announcing.request, status, headers: headers)))
    }
}
