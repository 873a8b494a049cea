package import NIOCore

extension RTSPSessionStateMachine {
    /// Handles RECORD (RFC 2326 §10.11). It applies to the session, even if the URL is a track's, because some
    /// publishers send one. `Range` is ignored: the media is live, and libstreaming puts its CSeq there.
    mutating func receiveRecord(_ request: RTSPRequest) -> RTSPSessionAction {
        if state.session?.isForPlayback == true { return replyNotAllowed(to: request) }
        switch state {
        // A repeated RECORD changes nothing.
        case .recording: return reply(to: request, .ok)
        case .ready(let ready) where !ready.session.preparedTracks.isEmpty:
            guard case .recording(let announcement) = ready.session.role,
                ready.session.trackControl.match(request.uri) != .none
            else { return reply(to: request, .notFound) }
            pending = .recording(request.withoutBody, ready.session)
            return .startRecording(announcement)
        case .idle, .ready, .playing, .closed: return replyNotValidInThisState(to: request)
        }
    }

    /// Passes in the verdict on ``RTSPSessionAction/startRecording(_:)``.
    package mutating func recordingEvaluated(_ verdict: RTSPVerdict, now: NIODeadline) -> RTSPSessionAction {
        guard case .recording(let request, let session) = pending else { return .none }
        pending = nil
        switch verdict {
        case .accepted:
            state = .recording(RecordingState(session: session))
            noteMedia(now: now)
            return reply(to: request, .ok)
        case .refused(let refusal): return counted(reply(to: request, refusal.status, refusal.headers))
        }
    }

    /// A 405 response. RFC 2326 §11.3.5 prescribes it also for RECORD in a session that was set up for playing, and
    /// for PLAY in one that was set up for recording.
    func replyNotAllowed(to request: RTSPRequest) -> RTSPSessionAction {
        reply(to: request, .methodNotAllowed, ["Allow": RTSPMethod.list(validMethods)])
    }
}
