package import NIOCore

/// The session of one connection (RFC 2326 §A.2), for recording or playing. It takes requests, deadlines and the
/// owner's verdicts, and returns one action for each.
///
/// It is pure: it does not read a clock, open a socket or know about channels.
package struct RTSPSessionStateMachine: Sendable {
    var state = RTSPSessionState.idle(IdleState())
    /// The request that awaits the owner's verdict; `nil` if there is none.
    var pending: PendingRequest?
    let timeouts: RTSPSessionTimeouts
    private let makeSessionID: @Sendable () -> String
    /// Session ID that a refused ANNOUNCE was answered with; libstreaming takes it from a 401 and uses it for the
    /// following session.
    var reservedSessionID: String?
    /// Time of the last sign of life from the peer; before its first request, the start of the connection.
    private var lastActivity: NIODeadline
    private var hasCompleteRequest = false
    /// Time since which the connection has had no media; `nil` while something is recorded or played, or is paused.
    private var withoutMediaSince: NIODeadline?
    private var refusalCount = 0

    /// - Parameters:
    ///   - timeouts: timeouts and limits.
    ///   - now: start of the connection.
    ///   - makeSessionID: a source of session IDs for tests, which must consist of decimal digits.
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

    /// Makes a session ID of 63 bits from the system's random number generator, which cannot be guessed. It consists
    /// of decimal digits, because libstreaming only reads the first run of digits, and does not begin with zero, so
    /// that treating it as a number does not change it.
    package static let randomSessionID: @Sendable () -> String = {
        var generator = SystemRandomNumberGenerator()
        return String(UInt64.random(in: 1_000_000_000_000_000_000...9_223_372_036_854_775_807, using: &generator))
    }

    package var isRecording: Bool { if case .recording = state { true } else { false } }
    package var isPlaying: Bool { if case .playing = state { true } else { false } }
    /// Whether a track is set up, for recording or for playing.
    package var hasSession: Bool { state.session != nil }
    package var isClosed: Bool { state == .closed }
    /// Whether the owner owes a verdict; requests must wait until then.
    package var isAwaitingVerdict: Bool { pending != nil }

    // MARK: Time

    private var isForPlayback: Bool { state.session?.isForPlayback ?? false }
    private var idleTimeout: TimeAmount { isForPlayback ? timeouts.readerIdle : timeouts.idle }

    /// Time at which ``deadlineReached(now:)`` is due. It moves with every sign of life; `nil` once the connection is
    /// closed.
    package var deadline: NIODeadline? {
        if isClosed { return nil }
        let silence = lastActivity + (hasCompleteRequest ? idleTimeout : timeouts.firstRequest)
        return min(silence, mediaDeadline ?? silence)
    }

    private var mediaDeadline: NIODeadline? { withoutMediaSince.map { $0 + timeouts.withoutMedia } }

    /// Updates ``withoutMediaSince``; must be called after each change of state.
    mutating func noteMedia(now: NIODeadline) {
        if isRecording || isPlaying {
            withoutMediaSince = nil
        } else if !hasSession, withoutMediaSince == nil {
            withoutMediaSince = now
        }
    }

    /// Handles the passing of ``deadline``; does nothing if it is not due yet.
    package mutating func deadlineReached(now: NIODeadline) -> RTSPSessionAction {
        guard let deadline, deadline <= now else { return .none }
        let isWithoutMedia = mediaDeadline.map { $0 <= now } ?? false
        connectionClosed()
        return .close(!hasCompleteRequest ? .firstRequestTimeout : isWithoutMedia ? .noMedia : .idleTimeout)
    }

    /// Records a sign of life: a packet of a track that is set up, from a publisher or as a reader's report. Bytes
    /// that are neither a packet nor a request do not count.
    package mutating func mediaReceived(now: NIODeadline) { lastActivity = now }

    // MARK: Ends

    /// Ends the session with its connection; no action follows.
    package mutating func connectionClosed() {
        state = .closed
        pending = nil
    }

    /// Answers data that is not RTSP and closes the connection.
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
        precondition(!isAwaitingVerdict, "a request waits for the verdict on the previous one")
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

    /// Rejects required options (RFC 2326 §12.32, §1.5), because no extension is supported.
    private func unsupportedOptions(_ request: RTSPRequest) -> RTSPResponse? {
        let options = request.headers.values(of: "Require") + request.headers.values(of: "Proxy-Require")
        guard !options.isEmpty else { return nil }
        return RTSPResponse(
            to: request, .optionNotSupported, headers: ["Unsupported": options.joined(separator: ", ")])
    }

    /// Rejects a request that names a session other than this connection's (454, RFC 2326 §11.3.4). A request without
    /// a session ID is tolerated: old cameras omit it, and the connection identifies the session.
    private func sessionMismatch(_ request: RTSPRequest) -> RTSPResponse? {
        let isBoundToSession = ![RTSPMethod.options, .announce, .describe].contains(request.method)
        guard let named = request.sessionID, isBoundToSession, named != state.session?.id else { return nil }
        return RTSPResponse(to: request, .sessionNotFound)
    }

    // MARK: Common to all phases

    /// The Session header (RFC 2326 §12.37) with the timeout in force.
    func sessionHeader(_ id: String, isForPlayback: Bool) -> String {
        let timeout = isForPlayback ? timeouts.readerIdle : timeouts.idle
        return "\(id);timeout=\(timeout.nanoseconds / 1_000_000_000)"
    }

    /// Replies with the Session header if there is a session.
    func reply(to request: RTSPRequest, _ status: RTSPStatus, _ headers: RTSPHeaders = [:]) -> RTSPSessionAction {
        .reply(response(to: request, status, headers))
    }

    func response(to request: RTSPRequest, _ status: RTSPStatus, _ headers: RTSPHeaders = [:]) -> RTSPResponse {
        var headers = headers
        if let session = state.session {
            headers.add(name: "Session", value: sessionHeader(session.id, isForPlayback: session.isForPlayback))
        }
        return RTSPResponse(to: request, status, headers: headers)
    }

    /// A 455 response, with Allow as RFC 2326 §11.3.6 requires.
    func replyNotValidInThisState(to request: RTSPRequest) -> RTSPSessionAction {
        reply(to: request, .methodNotValidInThisState, ["Allow": RTSPMethod.list(validMethods)])
    }

    /// The ID that a refused ANNOUNCE was answered with, or a new one.
    func newSessionID() -> String { reservedSessionID ?? makeSessionID() }

    /// Counts refusals, and closes the connection of a peer that continues after too many. While media flows,
    /// refusals are not counted: some players keep a session alive by requesting an unknown parameter.
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
