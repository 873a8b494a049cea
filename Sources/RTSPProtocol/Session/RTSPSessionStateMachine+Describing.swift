package import NIOCore
package import SessionDescription

extension RTSPSessionStateMachine {
    /// Handles DESCRIBE (RFC 2326 §10.2). It does not affect a session, so it is valid in every state (§A.2).
    mutating func receiveDescribe(_ request: RTSPRequest) -> RTSPSessionAction {
        guard let url = RTSPURL(parsing: request.uri) else {
            return reply(to: request, .badRequest.because("Bad Request: the URL is not an rtsp URL"))
        }
        let accept = request.headers.values(of: "Accept").joined(separator: ",")
        guard AcceptHeader(value: accept).allowsSessionDescription else {
            return reply(
                to: request,
                .notAcceptable.because("Not Acceptable: descriptions are only available as application/sdp"))
        }
        return ask(request, RTSPDescriptionRequest(url: url, purpose: .describing))
    }

    /// Handles a SETUP without a preceding DESCRIBE.
    mutating func askBeforeSettingUp(_ request: RTSPRequest, _ url: RTSPURL) -> RTSPSessionAction {
        ask(request, RTSPDescriptionRequest(url: url.withoutTrack, purpose: .settingUp))
    }

    private mutating func ask(_ request: RTSPRequest, _ question: RTSPDescriptionRequest) -> RTSPSessionAction {
        var question = question
        question.userAgent = request.headers["User-Agent"]
        pending = .description(request.withoutBody, question)
        return .evaluateDescription(question, RTSPAuthorization(request))
    }

    /// - Parameters:
    ///   - result: a description with a control attribute for each media section, or the refusal to send.
    ///   - now: the current time of the monotonic clock.
    package mutating func descriptionEvaluated(
        _ result: Result<SDPSession, RTSPRefusal>, now: NIODeadline
    ) -> RTSPSessionAction {
        guard case .description(let request, let question) = pending else { return .none }
        pending = nil
        switch (result, question.purpose) {
        case (.failure(let refusal), _): return counted(reply(to: request, refusal.status, refusal.headers))
        case (.success(let description), .describing):
            let presentation = RTSPPresentation(url: question.url, description: description)
            if case .idle = state { state = .idle(IdleState(presentation: presentation)) }
            return .reply(describing(presentation, to: request))
        case (.success(let description), .settingUp):
            return counted(setUp(request, RTSPPresentation(url: question.url, description: description)))
        }
    }

    private func describing(_ presentation: RTSPPresentation, to request: RTSPRequest) -> RTSPResponse {
        var description = response(
            to: request, .ok,
            ["Content-Type": "application/sdp", "Content-Base": RTSPURL.contentBase(request.uri)])
        description.body = ByteBuffer(string: presentation.description.rendered)
        return description
    }
}
