import NIOCore

extension RTSPSessionStateMachine {
    /// Handles GET_PARAMETER and SET_PARAMETER (RFC 2326 §10.8, §10.9). An empty request keeps the session alive or
    /// tests the server; there are no parameters to get or set.
    func receiveParameter(_ request: RTSPRequest) -> RTSPSessionAction {
        let isBlank = request.body.readableBytesView.allSatisfy { $0 <= UInt8(ascii: " ") }
        return reply(to: request, isBlank ? .ok : .parameterNotUnderstood)
    }

    /// Handles TEARDOWN (RFC 2326 §10.7), which "stops the stream delivery for the given URI". With the URL of one
    /// track, the others continue; any other URL ends the session.
    mutating func receiveTeardown(_ request: RTSPRequest) -> RTSPSessionAction {
        guard var session = state.session else { return reply(to: request, .sessionNotFound) }
        if case .track(let index) = session.trackControl.match(request.uri), session.preparedTracks.count > 1,
            session.preparedTracks.removeValue(forKey: index) != nil
        {
            state.session = session
            return .releaseTrack(index, response(to: request, .ok))
        }
        // Keeps the presentation for a client that sets up again.
        if case .playing(let presentation) = session.role {
            state = .idle(IdleState(presentation: presentation))
        } else {
            state = .idle(IdleState())
        }
        return .endSession(RTSPResponse(to: request, .ok), .teardown)
    }
}
