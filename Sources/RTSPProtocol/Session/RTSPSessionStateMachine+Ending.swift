import NIOCore

extension RTSPSessionStateMachine {
    /// RFC 2326 §10.8, §10.9. An empty one keeps the session alive, or tests whether there is a server at all; there
    /// are no parameters to ask for or to set.
    func receiveParameter(_ request: RTSPRequest) -> RTSPSessionAction {
        let isBlank = request.body.readableBytesView.allSatisfy { $0 <= UInt8(ascii: " ") }
        return reply(to: request, isBlank ? .ok : .parameterNotUnderstood)
    }

    /// RFC 2326 §10.7: "stops the stream delivery for the given URI". One track's leaves the others alone; any other
    /// URL is taken for the session's, as nothing else could be meant to end.
    mutating func receiveTeardown(_ request: RTSPRequest) -> RTSPSessionAction {
        guard var session = state.session else { return reply(to: request, .sessionNotFound) }
        if case .track(let index) = session.trackControl.match(request.uri), session.preparedTracks.count > 1,
            session.preparedTracks.removeValue(forKey: index) != nil
        {
            state.session = session
            return .releaseTrack(index, response(to: request, .ok))
        }
        // What was described stays so for a client that sets up again.
        if case .reading(let presentation) = session.role {
            state = .idle(IdleState(presentation: presentation))
        } else {
            state = .idle(IdleState())
        }
        return .endSession(RTSPResponse(to: request, .ok), .teardown)
    }
}
