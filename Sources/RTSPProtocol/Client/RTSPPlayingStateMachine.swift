import NIOCore
package import SessionDescription

/// The reader's side of a session (RFC 2326 §10): OPTIONS, DESCRIBE, a SETUP for each track that is wanted, PLAY,
/// requests that keep the session alive, TEARDOWN. It is pure: it takes responses and returns the requests to send.
package struct RTSPPlayingStateMachine: Sendable {
    /// The next action of the owner.
    package enum Step: Sendable {
        case send(RTSPRequest)
        /// The owner chooses tracks, and goes on with ``RTSPPlayingStateMachine/setUp(_:)``.
        case described(SDPSession)
        /// The server has chosen a transport for a track.
        case prepared(track: Int, RTSPTransport, next: RTSPRequest)
        /// Media flows from now on.
        case playing
        /// The server answered a keep-alive request.
        case alive
        case ended
        case failed(RTSPPublishingFailure)
        /// There is nothing to do.
        case none
    }

    /// A track that is wanted.
    package struct WantedTrack: Sendable {
        /// Its position in the description.
        package var index: Int
        package var transport: RTSPTransport

        package init(index: Int, transport: RTSPTransport) { (self.index, self.transport) = (index, transport) }
    }

    private enum Phase: Sendable {
        case idle, asking, describing, choosing
        case settingUp(position: Int)
        case starting, playing, tearingDown, over
    }

    private let url: String
    private var dialogue: RTSPClientDialogue
    private var phase = Phase.idle
    private var base: String
    private var description: SDPSession?
    private var wanted: [WantedTrack] = []

    /// - Parameters:
    ///   - url: URL of the stream without credentials.
    ///   - authenticator: answers challenges; `nil` without a login.
    package init(url: String, authenticator: RTSPClientAuthenticator?) {
        self.url = url
        base = url
        dialogue = RTSPClientDialogue(authenticator: authenticator)
    }

    package var isPlaying: Bool { if case .playing = phase { true } else { false } }
    /// Time in seconds without requests after which the server may end the session.
    package var timeoutSeconds: Int { dialogue.timeoutSeconds }

    // MARK: Requests

    /// The first request, OPTIONS.
    package mutating func start() -> RTSPRequest {
        phase = .asking
        return dialogue.request(.options, uri: url)
    }

    /// Asks for tracks.
    ///
    /// - Parameter tracks: the tracks, at least one.
    /// - Returns: `nil` if it is not the time for it.
    package mutating func setUp(_ tracks: [WantedTrack]) -> RTSPRequest? {
        guard case .choosing = phase, !tracks.isEmpty else { return nil }
        wanted = tracks
        return setUp(position: 0)
    }

    private mutating func setUp(position: Int) -> RTSPRequest {
        phase = .settingUp(position: position)
        var headers = RTSPHeaders()
        headers.add(name: "Transport", value: wanted[position].transport.rendered)
        return dialogue.request(.setup, uri: controlURL(ofTrack: wanted[position].index), headers: headers)
    }

    /// A request that keeps the session alive; `nil` if there is no session. If the one before has not been answered
    /// meanwhile, another kind of request is tried: media shows that the server is alive.
    package mutating func keepAlive() -> RTSPRequest? {
        guard isPlaying else { return nil }
        if dialogue.isWaiting { dialogue.doWithoutGetParameter() }
        return dialogue.keepAlive(uri: aggregateURL)
    }

    /// A request that ends the session; `nil` if there is none.
    package mutating func teardown() -> RTSPRequest? {
        guard !dialogue.sessionID.isEmpty else {
            phase = .over
            return nil
        }
        phase = .tearingDown
        return dialogue.request(.teardown, uri: aggregateURL)
    }

    // MARK: Addresses

    /// The URL of all tracks together (RFC 2326 §C.1.1).
    private var aggregateURL: String {
        let control = description?.attributes.first { $0.name == "control" }?.value ?? "*"
        return control == "*" ? base : resolved(control)
    }

    private func controlURL(ofTrack index: Int) -> String {
        guard let media = description?.media, media.indices.contains(index) else { return url }
        return resolved(media[index].control ?? "trackID=\(index)")
    }

    /// A relative address is appended to the base, also behind a query, as ffmpeg and cameras do.
    private func resolved(_ control: String) -> String {
        let lowered = control.lowercased()
        guard !lowered.hasPrefix("rtsp://"), !lowered.hasPrefix("rtsps://") else { return control }
        return base + (base.hasSuffix("/") || control.hasPrefix("/") ? "" : "/") + control
    }

    // MARK: Responses

    /// Handles a response and returns the next step.
    package mutating func receive(_ response: RTSPResponse) -> Step {
        let method: RTSPMethod
        switch dialogue.receive(response) {
        case .none: return .none
        case .again(let request): return .send(request)
        case .failed(let failure): return fail(failure)
        case .answer(let asked): method = asked
        }
        switch phase {
        case .tearingDown:
            phase = .over
            return .ended
        case .playing: return kept(response, method)
        // Old servers do not support OPTIONS.
        case .asking where [404, 405, 501, 551].contains(response.status.code): return .send(describe())
        default: break
        }
        guard response.status.isSuccess else { return fail(RTSPPublishingFailure(response, to: method)) }
        return proceed(response)
    }

    /// Handles the response to a keep-alive request. A server that refuses one has received it nevertheless.
    private mutating func kept(_ response: RTSPResponse, _ method: RTSPMethod) -> Step {
        let hasNoSession = response.status.code == RTSPStatus.sessionNotFound.code
        guard method == .getParameter, !response.status.isSuccess else {
            return hasNoSession ? fail(.init(response, to: method)) : .alive
        }
        dialogue.doWithoutGetParameter()
        // Some do not know their own session by this request only.
        return hasNoSession ? dialogue.keepAlive(uri: aggregateURL).map { .send($0) } ?? .alive : .alive
    }

    private mutating func fail(_ failure: RTSPPublishingFailure) -> Step {
        phase = .over
        return .failed(failure)
    }

    private mutating func describe() -> RTSPRequest {
        phase = .describing
        return dialogue.request(.describe, uri: url, headers: ["Accept": "application/sdp"])
    }

    private mutating func proceed(_ response: RTSPResponse) -> Step {
        switch phase {
        case .asking:
            _ = dialogue.readMethods(response)
            return .send(describe())
        case .describing:
            guard let session = try? SDPSession(parsing: response.body.readableBytesView) else {
                return fail(RTSPPublishingFailure(.malformedAnswer, "the description of the stream cannot be read"))
            }
            description = session
            base = response.headers["Content-Base"] ?? response.headers["Content-Location"] ?? url
            phase = .choosing
            return .described(session)
        case .settingUp(let position): return prepare(response, position)
        case .starting:
            dialogue.readSession(response)
            phase = .playing
            return .playing
        case .idle, .choosing, .playing, .tearingDown, .over: return .none
        }
    }

    private mutating func prepare(_ response: RTSPResponse, _ position: Int) -> Step {
        dialogue.readSession(response)
        let transport: RTSPTransport
        do {
            transport = try RTSPClientDialogue.transport(of: response, asked: wanted[position].transport)
        } catch {
            return fail(error)
        }
        let index = wanted[position].index
        if position + 1 < wanted.count {
            return .prepared(track: index, transport, next: setUp(position: position + 1))
        }
        phase = .starting
        let play = dialogue.request(.play, uri: aggregateURL, headers: ["Range": "npt=0.000-"])
        return .prepared(track: index, transport, next: play)
    }
}
