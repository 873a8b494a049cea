package import NIOCore

extension RTSPSessionStateMachine {
    /// RFC 2326 §10.11. On the session's URL; a track's is taken for it, as some publishers send one.
    mutating func receiveRecord(_ request: RTSPRequest) -> RTSPSessionAction {
        switch state {
        case .recording:
            // Repeated, it changes nothing.
            return .reply(RTSPResponse(to: request, .ok, headers: commonHeaders()))
        case .ready(let ready) where !ready.session.preparedTracks.isEmpty:
            guard ready.session.trackControl.match(request.uri) != .none else {
                return .reply(RTSPResponse(to: request, .notFound, headers: commonHeaders()))
            }
            state = .starting(StartingState(session: ready.session, request: request))
            return .startRecording(ready.session.announcement)
        case .idle, .ready, .announcing, .preparingTransport, .starting, .closed:
            return .reply(RTSPResponse(to: request, .methodNotValidInThisState, headers: commonHeaders()))
        }
    }

    /// - Parameter status: ``RTSPStatus/ok`` where the channel is taken.
    package mutating func recordingEvaluated(_ status: RTSPStatus, now: NIODeadline) -> RTSPSessionAction {
        guard case .starting(let starting) = state else { return .none }
        guard status.isSuccess else {
            state = .ready(ReadyState(session: starting.session))
            return counted(.reply(RTSPResponse(to: starting.request, status, headers: commonHeaders())))
        }
        state = .recording(RecordingState(session: starting.session))
        return .reply(RTSPResponse(to: starting.request, status, headers: commonHeaders()))
    }
}
