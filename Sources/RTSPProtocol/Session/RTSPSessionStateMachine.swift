package import NIOCore

/// One connection's session (RFC 2326 §A.2), recording or reading: requests, deadlines and the owner's verdicts in, one
/// action out.
///
/// Pure: it does not read a clock, open a socket or know what a channel is.
package struct RTSPSessionStateMachine: Sendable {
    var state = RTSPSessionState.idle(IdleState())
    /// The owner owes a verdict on it.
    var pending: PendingRequest?
    let timeouts: RTSPSessionTimeouts
    private let makeSessionID: @Sendable () -> String
    /// Told with a refused ANNOUNCE: libstreaming takes it from a 401 and uses it for the session that follows.
    var reservedSessionID: String?
    /// When the peer was last heard of; the start, until its first request.
    private var lastActivity: NIODeadline
    private var hasCompleteRequest = false
    /// Since when the connection has been of no use; `nil` while something is recorded or played, or is paused.
    private var withoutMediaSince: NIODeadline?
    private var refusalCount = 0

    /// - Parameter makeSessionID: for tests; decimal digits only.
    package init(
        timeouts: RTSPSessionTimeouts = RTSPSessionTimeouts(),
        now: NIODeadline,
        makeSessionID: @escaping @Sendable () -> String = RTSPSessionStateMachine.randomSessionID
    ) {
        self.timeouts = timeouts
        self.makeSessionID = makeSessionID
        lastActivity = now
        withoutMediaSince = now
    }

    /// Decimal digits only, because libstreaming reads the first run of digits as the whole; never zero-led, so that
    /// nobody who takes it for a number changes it. 63 bits of the system's randomness: not to be guessed.
    package static let randomSessionID: @Sendable () -> String = {
        var generator = SystemRandomNumberGenerator()
        return String(UInt64.random(in: 1_000_000_000_000_000_000...9_223_372_036_854_775_807, using: &generator))
    }

    package var isRecording: Bool { if case .recording = state { true } else { false } }
    package var isPlaying: Bool { if case .playing = state { true } else { false } }
    /// Something is set up, to be recorded or to be played.
    package var hasSession: Bool { state.session != nil }
    package var isClosed: Bool { state == .closed }
    /// The owner owes a verdict; requests wait.
    package var isAwaitingVerdict: Bool { pending != nil }

    // MARK: Time

    private var isReading: Bool { state.session?.isReading ?? false }
    private var idleTimeout: TimeAmount { isReading ? timeouts.readerIdle : timeouts.idle }

    /// When ``deadlineReached(now:)`` is due; it moves with every sign of life. `nil` once closed.
    package var deadline: NIODeadline? {
        if isClosed { return nil }
        let silence = lastActivity + (hasCompleteRequest ? idleTimeout : timeouts.firstRequest)
        return min(silence, mediaDeadline ?? silence)
    }

    private var mediaDeadline: NIODeadline? { withoutMediaSince.map { $0 + timeouts.withoutMedia } }

    /// To be called after each change of state.
    mutating func noteMedia(now: NIODeadline) {
        if isRecording || isPlaying {
            withoutMediaSince = nil
        } else if !hasSession, withoutMediaSince == nil {
            withoutMediaSince = now
        }
    }

    package mutating func deadlineReached(now: NIODeadline) -> RTSPSessionAction {
        guard let deadline, deadline <= now else { return .none }
        let isWithoutMedia = mediaDeadline.map { $0 <= now } ?? false
        connectionClosed()
        return .close(!hasCompleteRequest ? .firstRequestTimeout : isWithoutMedia ? .noMedia : .idleTimeout)
    }

    /// A packet of a track that is set up: a publisher's, or a reader's report. Bytes that are no packet and no request
    /// are no sign of life.
    package mutating func mediaReceived(now: NIODeadline) { lastActivity = now }

    // MARK: Ends

    package mutating func connectionClosed() {
        state = .closed
        pending = nil
    }

    package mutating func parsingFailed(_ error: RTSPParsingError) -> RTSPSessionAction {
        guard !isClosed else { return .none }
        connectionClosed()
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
        defer { noteMedia(now: now) }
        return counted(answer(to: request))
    }

    private mutating func answer(to request: RTSPRequest) -> RTSPSessionAction {
        if let refusal = unsupportedOptions(request) ?? sessionMismatch(request) { return .reply(refusal) }
        switch request.method {
        case .options: return reply(to: request, .ok, ["Public": RTSPMethod.list(Self.supportedMethods)])
        case .describe: return receiveDescribe(request)
        case .announce: return receiveAnnounce(request)
        case .setup: return receiveSetup(request)
        case .record: return receiveRecord(request)
        case .play: return receivePlay(request)
        case .pause: return receivePause(request)
        case .getParameter, .setParameter: return receiveParameter(request)
        case .teardown: return receiveTeardown(request)
        case .redirect: return reply(to: request, .methodNotAllowed, ["Allow": RTSPMethod.list(validMethods)])
        default: return reply(to: request, .notImplemented, ["Public": RTSPMethod.list(Self.supportedMethods)])
        }
    }

    /// RFC 2326 §12.32, §1.5. No extension is known here, whatever it is called.
    private func unsupportedOptions(_ request: RTSPRequest) -> RTSPResponse? {
        let options = request.headers.values(of: "Require") + request.headers.values(of: "Proxy-Require")
        guard !options.isEmpty else { return nil }
        return RTSPResponse(
            to: request, .optionNotSupported, headers: ["Unsupported": options.joined(separator: ", ")])
    }

    /// RFC 2326 §11.3.4 (454). A session named where there is none, or another than this connection's. That a request
    /// names none is borne with: old cameras forget it, and the connection tells which is meant.
    private func sessionMismatch(_ request: RTSPRequest) -> RTSPResponse? {
        let isBoundToSession = ![RTSPMethod.options, .announce, .describe].contains(request.method)
        guard let named = request.sessionID, isBoundToSession, named != state.session?.id else { return nil }
        return RTSPResponse(to: request, .sessionNotFound)
    }

    // MARK: For every phase

    /// RFC 2326 §12.37, with the timeout that holds.
    func sessionHeader(_ id: String, isReading: Bool) -> String {
        let timeout = isReading ? timeouts.readerIdle : timeouts.idle
        return "\(id);timeout=\(timeout.nanoseconds / 1_000_000_000)"
    }

    /// With the session's header, where there is a session.
    func reply(to request: RTSPRequest, _ status: RTSPStatus, _ headers: RTSPHeaders = [:]) -> RTSPSessionAction {
        .reply(response(to: request, status, headers))
    }

    func response(to request: RTSPRequest, _ status: RTSPStatus, _ headers: RTSPHeaders = [:]) -> RTSPResponse {
        var headers = headers
        if let session = state.session {
            headers.add(name: "Session", value: sessionHeader(session.id, isReading: session.isReading))
        }
        return RTSPResponse(to: request, status, headers: headers)
    }

    /// RFC 2326 §11.3.6 wants Allow, to make recovery easier.
    func replyNotValidInThisState(to request: RTSPRequest) -> RTSPSessionAction {
        reply(to: request, .methodNotValidInThisState, ["Allow": RTSPMethod.list(validMethods)])
    }

    /// The one that a refused ANNOUNCE was told, or a new one.
    func newSessionID() -> String { reservedSessionID ?? makeSessionID() }

    /// Counts refusals, and ends with a peer that goes on after too many of them. One whose media flow may ask what it
    /// likes: there are players that keep a session alive by asking for a parameter nobody has.
    mutating func counted(_ action: RTSPSessionAction) -> RTSPSessionAction {
        guard case .reply(let response) = action, !response.status.isSuccess, !isRecording, !isPlaying else {
            return action
        }
        refusalCount += 1
        guard refusalCount >= timeouts.maximumRefusalCount else { return action }
        connectionClosed()
        return .replyAndClose(response, .tooManyRefusals)
    }
}
