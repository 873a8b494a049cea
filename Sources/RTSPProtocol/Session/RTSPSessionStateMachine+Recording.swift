package import NIOCore

extension RTSPSessionStateMachine {
    /// RFC 2326 §10.11. On the session's URL; a track's is taken for it, as some publishers send one. `Range` is not
    /// looked at: what is pushed is live, and libstreaming has its CSeq in there.
    mutating func receiveRecord(_ request: RTSPRequest) -> RTSPSessionAction {
        if state.session?.isReading == true { return replyNotAllowed(to: request) }
        switch state {
        // Repeated, it changes nothing.
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

    /// RFC 2326 §11.3.5: 405 is for RECORD where SETUP was for playing, too, and for PLAY where it was for recording.
    func replyNotAllowed(to request: RTSPRequest) -> RTSPSessionAction {
        reply(to: request, .methodNotAllowed, ["Allow": RTSPMethod.list(validMethods)])
    }
}
