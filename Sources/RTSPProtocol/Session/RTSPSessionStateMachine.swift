package import NIOCore

/// One connection's recording session (RFC 2326 §A.2): requests, deadlines and the owner's verdicts in, one action out.
///
/// Pure: it does not read a clock, open a socket or know what a channel is.
package struct RTSPSessionStateMachine: Sendable {
    var state = RTSPSessionState.idle(IdleState())
    let timeouts: RTSPSessionTimeouts
    private let makeSessionID: @Sendable () -> String
    /// When the peer was last heard of; the start, until its first request.
    private var lastActivity: NIODeadline
    private var hasCompleteRequest = false
    private var refusalCount = 0

    /// What ``RTSPMethod``s there are here, and the whole truth of it.
    package static let supportedMethods: [RTSPMethod] = [
        .options, .announce, .setup, .record, .getParameter, .setParameter, .teardown,
    ]
    static let publicHeader = supportedMethods.map(\.rawValue).joined(separator: ", ")

    /// - Parameter makeSessionID: for tests; decimal digits only.
    package init(
        timeouts: RTSPSessionTimeouts = RTSPSessionTimeouts(),
        now: NIODeadline,
        makeSessionID: @escaping @Sendable () -> String = RTSPSessionStateMachine.randomSessionID
    ) {
        self.timeouts = timeouts
        self.makeSessionID = makeSessionID
        lastActivity = now
    }

    /// Decimal digits only, because libstreaming reads the first run of digits as the whole; never zero-led, so that
    /// nobody who takes it for a number changes it. 63 bits of the system's randomness: not to be guessed.
    package static let randomSessionID: @Sendable () -> String = {
        var generator = SystemRandomNumberGenerator()
        return String(UInt64.random(in: 1_000_000_000_000_000_000...9_223_372_036_854_775_807, using: &generator))
    }

    package var isRecording: Bool { if case .recording = state { true } else { false } }
    package var isClosed: Bool { state == .closed }
    /// The owner owes a verdict; requests wait.
    package var isAwaitingVerdict: Bool {
        switch state {
        case .announcing, .preparingTransport, .starting: true
        case .idle, .ready, .recording, .closed: false
        }
    }

    // MARK: Time

    /// When ``deadlineReached(now:)`` is due; it moves with every sign of life. `nil` once closed.
    package var deadline: NIODeadline? {
        if isClosed { return nil }
        return lastActivity + (hasCompleteRequest ? timeouts.idle : timeouts.firstRequest)
    }

    package mutating func deadlineReached(now: NIODeadline) -> RTSPSessionAction {
        guard let deadline, deadline <= now else { return .none }
        state = .closed
        return .close(hasCompleteRequest ? .idleTimeout : .firstRequestTimeout)
    }

    /// A packet of a track that is set up. Bytes that are no packet and no request are no sign of life.
    package mutating func mediaReceived(now: NIODeadline) { lastActivity = now }

    // MARK: Ends

    package mutating func connectionClosed() { state = .closed }

    package mutating func parsingFailed(_ error: RTSPParsingError) -> RTSPSessionAction {
        guard !isClosed else { return .none }
        state = .closed
        return .replyAndClose(
            RTSPResponse(status: error.status.because(error.status.reasonPhrase + ": " + error.reason)),
            .protocolError)
    }

    // MARK: Requests

    /// - Precondition: ``isAwaitingVerdict`` is false.
    package mutating func receive(_ request: RTSPRequest, now: NIODeadline) -> RTSPSessionAction {
        precondition(!isAwaitingVerdict, "a request waits for the verdict on the one before it")
        guard !isClosed else { return .none }
        lastActivity = now
        hasCompleteRequest = true
        return counted(answer(to: request))
    }

    private mutating func answer(to request: RTSPRequest) -> RTSPSessionAction {
        if let refusal = sessionMismatch(request) { return .reply(refusal) }
        switch request.method {
        case .options:
            return .reply(RTSPResponse(to: request, .ok, headers: commonHeaders(["Public": Self.publicHeader])))
        case .announce: return receiveAnnounce(request)
        case .setup: return receiveSetup(request)
        case .record: return receiveRecord(request)
        case .getParameter, .setParameter: return receiveParameter(request)
        case .teardown: return receiveTeardown(request)
        case .describe, .play, .pause, .redirect:
            // Known to RFC 2326, not offered for what is published here (§11.3.5: Allow is required).
            return .reply(RTSPResponse(to: request, .methodNotAllowed, headers: ["Allow": Self.publicHeader]))
        default:
            return .reply(RTSPResponse(to: request, .notImplemented, headers: ["Public": Self.publicHeader]))
        }
    }

    /// RFC 2326 §11.3.4 (454). A session named where there is none, or another than this connection's. That a request
    /// names none is borne with: old cameras forget it, and the connection tells which is meant.
    private func sessionMismatch(_ request: RTSPRequest) -> RTSPResponse? {
        guard let named = request.sessionID, request.method != .options, request.method != .announce,
            named != state.session?.id
        else { return nil }
        return RTSPResponse(to: request, .sessionNotFound)
    }

    /// RFC 2326 §10.8, §10.9: nothing is asked and nothing is set, the session is kept alive.
    private func receiveParameter(_ request: RTSPRequest) -> RTSPSessionAction {
        .reply(RTSPResponse(to: request, .ok, headers: commonHeaders()))
    }

    /// RFC 2326 §10.7.
    private mutating func receiveTeardown(_ request: RTSPRequest) -> RTSPSessionAction {
        guard state.session != nil else { return .reply(RTSPResponse(to: request, .sessionNotFound)) }
        state = .idle(IdleState())
        return .endSession(RTSPResponse(to: request, .ok), .teardown)
    }

    // MARK: For every phase

    /// RFC 2326 §12.37, with the timeout that holds.
    func sessionHeader(_ id: String) -> String { "\(id);timeout=\(timeouts.idle.nanoseconds / 1_000_000_000)" }

    func commonHeaders(_ headers: RTSPHeaders = [:]) -> RTSPHeaders {
        var headers = headers
        if let session = state.session { headers.add(name: "Session", value: sessionHeader(session.id)) }
        return headers
    }

    func newSessionID() -> String { makeSessionID() }

    /// Counts refusals, and ends with a peer that goes on after too many of them.
    mutating func counted(_ action: RTSPSessionAction) -> RTSPSessionAction {
        guard case .reply(let response) = action, !response.status.isSuccess else { return action }
        refusalCount += 1
        guard refusalCount >= timeouts.maximumRefusalCount else { return action }
        state = .closed
        return .replyAndClose(response, .tooManyRefusals)
    }
}
