package import NIOCore

extension RTSPSessionStateMachine {
    /// Handles PLAY (RFC 2326 §10.5). It applies to the presentation, even if the URL is a track's. Scale and Speed
    /// are ignored and omitted from the response, which means 1 (§12.34, §12.35).
    mutating func receivePlay(_ request: RTSPRequest) -> RTSPSessionAction {
        guard let session = state.session else { return replyNotValidInThisState(to: request) }
        guard case .playing(let presentation) = session.role else { return replyNotAllowed(to: request) }
        guard session.trackControl.match(request.uri) != .none else { return reply(to: request, .notFound) }
        var range: RTSPRange?
        if let header = request.headers["Range"] {
            do { range = try RTSPRange(parsing: header) } catch { return refuseRange(error, request) }
        }
        // RFC 2326 §10.5: "If a stream is playing, such a PLAY request causes no further action and can be used by
        // the client to test server liveness."
        if range == nil, isPlaying { return reply(to: request, .ok) }
        pending = .playing(request.withoutBody, session)
        return .startPlaying(RTSPPlayRequest(presentation: presentation, range: range))
    }

    private func refuseRange(_ error: RTSPRange.ParsingError, _ request: RTSPRequest) -> RTSPSessionAction {
        switch error {
        // RFC 2326 §12.29: "If the Range header is given in a time format that is not understood, the recipient
        // should return 501".
        case .unknownUnit: reply(to: request, .notImplemented.because("Not Implemented: only npt ranges are supported"))
        case .malformed: reply(to: request, .invalidRange)
        }
    }

    /// - Parameters:
    ///   - result: the start of playback, or the refusal to send. After a refusal the session is unchanged.
    ///   - now: the current time of the monotonic clock.
    package mutating func playingEvaluated(
        _ result: Result<RTSPPlayback, RTSPRefusal>, now: NIODeadline
    ) -> RTSPSessionAction {
        guard case .playing(let request, let session) = pending else { return .none }
        pending = nil
        switch result {
        case .success(let playback):
            state = .playing(PlayingState(session: session))
            noteMedia(now: now)
            return reply(to: request, .ok, session.headers(of: playback))
        case .failure(let refusal): return counted(reply(to: request, refusal.status, refusal.headers))
        }
    }

    /// Handles PAUSE (RFC 2326 §10.6) of a publisher or a reader. It takes effect immediately; a future pause point
    /// in `Range` is ignored. It applies to the session, even if the URL is a track's.
    mutating func receivePause(_ request: RTSPRequest) -> RTSPSessionAction {
        guard isPlaying || isRecording, let session = state.session else {
            return replyNotValidInThisState(to: request)
        }
        guard session.trackControl.match(request.uri) != .none else { return reply(to: request, .notFound) }
        state = .ready(ReadyState(session: session))
        return .pause(response(to: request, .ok))
    }
}

extension EstablishedSession {
    fileprivate func headers(of playback: RTSPPlayback) -> RTSPHeaders {
        var headers: RTSPHeaders = ["Range": playback.range.rendered]
        let infos = playback.streams.compactMap { info in preparedTracks[info.trackIndex].map(info.rendered) }
        if !infos.isEmpty { headers.add(name: "RTP-Info", value: infos.joined(separator: ",")) }
        return headers
    }
}
