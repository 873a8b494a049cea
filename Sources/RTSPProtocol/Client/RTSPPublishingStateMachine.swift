package import SessionDescription

/// The publisher's side of a push (RFC 2326 §10): OPTIONS, ANNOUNCE, a SETUP for each track, RECORD, requests that
/// keep the session alive, TEARDOWN. It is pure: it takes responses and returns the requests to send.
package struct RTSPPublishingStateMachine: Sendable {
    /// The media to push, and the transports to use.
    package struct Announcement: Sendable {
        /// URL of the channel without credentials, such as `rtsp://host:8554/live/canalA.stream`.
        package var url: String
        /// Description whose media sections are the tracks; each has a control attribute.
        package var description: SDPSession
        /// Transports to request, one for each track.
        package var transports: [RTSPTransport]

        package init(url: String, description: SDPSession, transports: [RTSPTransport]) {
            self.url = url
            self.description = description
            self.transports = transports
        }
    }

    /// The next action of the owner.
    package enum Step: Hashable, Sendable {
        case send(RTSPRequest)
        /// The server accepts packets from now on.
        case recording(Session)
        /// The server answered a keep-alive request.
        case alive
        case ended
        case failed(RTSPPublishingFailure)
        /// There is nothing to do.
        case none
    }

    /// The session as the server confirmed it.
    package struct Session: Hashable, Sendable {
        package var id: String
        /// Time in seconds without requests and packets after which the server may end the session (RFC 2326 §12.37).
        package var timeout: Int
        /// The server's choice of transport for each track.
        package var transports: [RTSPTransport]
        /// The server's `Server` header; `nil` if it sent none.
        package var server: String?
    }

    private enum Phase: Sendable {
        case idle
        case asking(RTSPMethod)
        case settingUp(track: Int)
        case recording
        case tearingDown
        case over
    }

    private let announcement: Announcement
    private var dialogue: RTSPClientDialogue
    private var phase = Phase.idle
    private var transports: [RTSPTransport] = []
    private var server: String?

    package init(_ announcement: Announcement, authenticator: RTSPClientAuthenticator?) {
        self.announcement = announcement
        dialogue = RTSPClientDialogue(authenticator: authenticator)
    }

    package var isRecording: Bool {
        if case .recording = phase { true } else { false }
    }

    // MARK: Requests

    /// The first request of the push, OPTIONS.
    package mutating func start() -> RTSPRequest {
        phase = .asking(.options)
        return dialogue.request(.options, uri: announcement.url)
    }

    /// A request that keeps the session alive. The caller sends it well within the session's timeout and can measure
    /// the round-trip time with it.
    ///
    /// - Returns: `nil` if there is no session, or if another request awaits its response.
    package mutating func keepAlive() -> RTSPRequest? {
        guard isRecording else { return nil }
        return dialogue.keepAlive(uri: announcement.url)
    }

    /// A request that ends the session.
    ///
    /// - Returns: `nil` if there is no session.
    package mutating func teardown() -> RTSPRequest? {
        guard !dialogue.sessionID.isEmpty else {
            phase = .over
            return nil
        }
        phase = .tearingDown
        return dialogue.request(.teardown, uri: announcement.url)
    }

    private mutating func setUp(track: Int) -> RTSPRequest {
        phase = .settingUp(track: track)
        var headers = RTSPHeaders()
        headers.add(name: "Transport", value: announcement.transports[track].rendered)
        return dialogue.request(.setup, uri: controlURL(ofTrack: track), headers: headers)
    }

    /// The control URL of a track (RFC 2326 §C.1.1). The slash precedes the control even if the URL has a query, as
    /// in ffmpeg and GStreamer.
    private func controlURL(ofTrack track: Int) -> String {
        let control = announcement.description.media[track].control ?? "trackID=\(track)"
        guard !control.lowercased().hasPrefix("rtsp") else { return control }
        return announcement.url + (announcement.url.hasSuffix("/") ? "" : "/") + control
    }

    // MARK: Responses

    /// Handles a response and returns the next step. A response that does not belong to the pending request is
    /// ignored.
    package mutating func receive(_ response: RTSPResponse) -> Step {
        let method: RTSPMethod
        switch dialogue.receive(response) {
        case .none: return .none
        case .again(let request): return .send(request)
        case .failed(let failure):
            phase = .over
            return .failed(failure)
        case .answer(let asked): method = asked
        }
        if case .tearingDown = phase {
            phase = .over
            return .ended
        }
        guard response.status.isSuccess else { return refused(response, to: method) }
        do throws(RTSPPublishingFailure) {
            return try proceed(response)
        } catch {
            phase = .over
            return .failed(error)
        }
    }

    private mutating func refused(_ response: RTSPResponse, to method: RTSPMethod) -> Step {
        switch phase {
        // Old servers do not support OPTIONS; their methods will become apparent.
        case .asking(.options) where [404, 405, 501, 551].contains(response.status.code):
            return .send(announce())
        // A server that rejects a keep-alive request has received it nevertheless.
        case .recording where response.status.code != 454: return .alive
        default:
            phase = .over
            return .failed(RTSPPublishingFailure(response, to: method))
        }
    }

    private mutating func announce() -> RTSPRequest {
        phase = .asking(.announce)
        return dialogue.request(
            .announce, uri: announcement.url, headers: ["Content-Type": "application/sdp"],
            body: announcement.description.rendered)
    }

    private mutating func proceed(_ response: RTSPResponse) throws(RTSPPublishingFailure) -> Step {
        switch phase {
        case .asking(.options):
            try readMethods(response)
            return .send(announce())
        case .asking(.announce):
            dialogue.readSession(response)
            return .send(setUp(track: 0))
        case .settingUp(let track):
            dialogue.readSession(response)
            transports.append(try transport(of: response, track: track))
            if track + 1 < announcement.transports.count { return .send(setUp(track: track + 1)) }
            phase = .asking(.record)
            return .send(dialogue.request(.record, uri: announcement.url, headers: ["Range": "npt=0.000-"]))
        case .asking:
            dialogue.readSession(response)
            phase = .recording
            return .recording(
                Session(
                    id: dialogue.sessionID, timeout: dialogue.timeoutSeconds, transports: transports, server: server))
        case .recording: return .alive
        case .idle, .tearingDown, .over: return .none
        }
    }

    private mutating func readMethods(_ response: RTSPResponse) throws(RTSPPublishingFailure) {
        server = response.headers["Server"]
        let methods = dialogue.readMethods(response)
        guard methods.isEmpty || methods.isSuperset(of: ["ANNOUNCE", "RECORD"]) else {
            let listed = methods.sorted().joined(separator: ", ")
            throw RTSPPublishingFailure(
                .recordingUnsupported, "the server does not accept publishers: it only offers \(listed.prefix(200))")
        }
    }

    private func transport(of response: RTSPResponse, track: Int) throws(RTSPPublishingFailure) -> RTSPTransport {
        try RTSPClientDialogue.transport(of: response, asked: announcement.transports[track])
    }
}
