import NIOCore
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

    /// Session timeout in seconds if the server does not state one (RFC 2326 §12.37).
    private static let defaultTimeoutSeconds = 60
    /// Lower bound on the session timeout in seconds; a shorter one would require a request in every round trip.
    private static let minimumTimeoutSeconds = 5
    /// The `User-Agent` header. It does not contain a version: servers decide by the description, not by names.
    private static let userAgent = "Antena"

    private let announcement: Announcement
    private var authenticator: RTSPClientAuthenticator?
    private var phase = Phase.idle
    private var nextSequenceNumber = 1
    /// The request that awaits a response, and its sequence number.
    private var pending: (sequenceNumber: Int, request: RTSPRequest)?
    private var session = Session(id: "", timeout: defaultTimeoutSeconds, transports: [])
    private var publicMethods: Set<String> = []

    package init(_ announcement: Announcement, authenticator: RTSPClientAuthenticator?) {
        self.announcement = announcement
        self.authenticator = authenticator
    }

    package var isRecording: Bool {
        if case .recording = phase { true } else { false }
    }

    // MARK: Requests

    /// The first request of the push, OPTIONS.
    package mutating func start() -> RTSPRequest {
        phase = .asking(.options)
        return request(.options, uri: announcement.url)
    }

    /// A request that keeps the session alive. The caller sends it well within the session's timeout and can measure
    /// the round-trip time with it.
    ///
    /// - Returns: `nil` if there is no session, or if another request awaits its response.
    package mutating func keepAlive() -> RTSPRequest? {
        guard isRecording, pending == nil else { return nil }
        // An empty GET_PARAMETER (RFC 2326 §10.8), unless the server does not list it; some servers then end the
        // session.
        return request(publicMethods.contains("GET_PARAMETER") ? .getParameter : .options, uri: announcement.url)
    }

    /// A request that ends the session.
    ///
    /// - Returns: `nil` if there is no session.
    package mutating func teardown() -> RTSPRequest? {
        guard !session.id.isEmpty else {
            phase = .over
            return nil
        }
        phase = .tearingDown
        return request(.teardown, uri: announcement.url)
    }

    private mutating func request(
        _ method: RTSPMethod, uri: String, headers: RTSPHeaders = [:], body: String = ""
    ) -> RTSPRequest {
        var request = RTSPRequest(method: method, uri: uri, headers: headers, body: .init(string: body))
        if !session.id.isEmpty { request.headers["Session"] = session.id }
        request.headers["User-Agent"] = Self.userAgent
        return prepared(request)
    }

    /// Adds a sequence number and credentials to a request.
    private mutating func prepared(_ request: RTSPRequest) -> RTSPRequest {
        var request = request
        request.headers["CSeq"] = "\(nextSequenceNumber)"
        request.headers["Authorization"] = authenticator?.authorization(method: request.method, uri: request.uri)
        pending = (nextSequenceNumber, request)
        nextSequenceNumber += 1
        return request
    }

    private mutating func setUp(track: Int) -> RTSPRequest {
        phase = .settingUp(track: track)
        var headers = RTSPHeaders()
        headers.add(name: "Transport", value: announcement.transports[track].rendered)
        return request(.setup, uri: controlURL(ofTrack: track), headers: headers)
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
        guard let pending, matches(response, pending.sequenceNumber) else { return .none }
        // A provisional response; the final one follows (RFC 2326 §7.1.1).
        guard response.status.code >= 200 else { return .none }
        self.pending = nil
        if response.status.code == 401 { return retry(pending.request, response) }
        if case .tearingDown = phase {
            phase = .over
            return .ended
        }
        guard response.status.isSuccess else { return refused(response, to: pending.request.method) }
        do throws(RTSPPublishingFailure) {
            return try proceed(response)
        } catch {
            phase = .over
            return .failed(error)
        }
    }

    /// Whether the response belongs to the pending request. Some servers omit CSeq.
    private func matches(_ response: RTSPResponse, _ sequenceNumber: Int) -> Bool {
        guard let text = response.headers["CSeq"], let number = Int(digits: text) else { return true }
        return number == sequenceNumber
    }

    private mutating func retry(_ request: RTSPRequest, _ response: RTSPResponse) -> Step {
        guard authenticator != nil else {
            phase = .over
            return .failed(
                RTSPPublishingFailure(
                    .credentialsMissing, status: response.status, "the server requires a user name and a password"))
        }
        guard authenticator?.accept(response) == true else {
            phase = .over
            return .failed(RTSPPublishingFailure(response, to: request.method))
        }
        return .send(prepared(request))
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
        return request(
            .announce, uri: announcement.url, headers: ["Content-Type": "application/sdp"],
            body: announcement.description.rendered)
    }

    private mutating func proceed(_ response: RTSPResponse) throws(RTSPPublishingFailure) -> Step {
        switch phase {
        case .asking(.options):
            try readMethods(response)
            return .send(announce())
        case .asking(.announce):
            readSession(response)
            return .send(setUp(track: 0))
        case .settingUp(let track):
            readSession(response)
            session.transports.append(try transport(of: response, track: track))
            if track + 1 < announcement.transports.count { return .send(setUp(track: track + 1)) }
            phase = .asking(.record)
            return .send(request(.record, uri: announcement.url, headers: ["Range": "npt=0.000-"]))
        case .asking:
            readSession(response)
            phase = .recording
            return .recording(session)
        case .recording: return .alive
        case .idle, .tearingDown, .over: return .none
        }
    }

    private mutating func readMethods(_ response: RTSPResponse) throws(RTSPPublishingFailure) {
        session.server = response.headers["Server"]
        let listed = response.headers.values(of: "Public").joined(separator: ",")
        publicMethods = Set(listed.split(separator: ",").map { trimmingWhitespace($0).uppercased() })
        guard publicMethods.isEmpty || publicMethods.isSuperset(of: ["ANNOUNCE", "RECORD"]) else {
            throw RTSPPublishingFailure(
                .recordingUnsupported, "the server does not accept publishers: it only offers \(listed.prefix(200))")
        }
    }

    /// Reads a header such as `Session: 12345678;timeout=60` (RFC 2326 §12.37).
    private mutating func readSession(_ response: RTSPResponse) {
        guard let header = response.headers["Session"] else { return }
        let fields = header.split(separator: ";").map { trimmingWhitespace($0) }
        if let id = fields.first, !id.isEmpty { session.id = id }
        for field in fields.dropFirst() {
            let pair = field.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].lowercased() == "timeout", let seconds = Int(pair[1]), seconds > 0 else {
                continue
            }
            session.timeout = max(Self.minimumTimeoutSeconds, seconds)
        }
    }

    private func transport(of response: RTSPResponse, track: Int) throws(RTSPPublishingFailure) -> RTSPTransport {
        let asked = announcement.transports[track]
        guard let header = response.headers["Transport"], let chosen = RTSPTransport.offers(parsing: header).first
        else {
            // Some servers omit the Transport header. With UDP, the destination ports would be unknown then.
            guard asked.lowerTransport == .tcp else {
                throw RTSPPublishingFailure(.malformedAnswer, "the server's answer to SETUP does not name ports")
            }
            return asked
        }
        guard chosen.lowerTransport == asked.lowerTransport else {
            throw RTSPPublishingFailure(
                .transportRefused,
                "the server chose \(chosen.lowerTransport.rawValue) instead of \(asked.lowerTransport.rawValue)"
            )
        }
        var transport = chosen
        switch chosen.lowerTransport {
        case .tcp: transport.interleavedChannels = chosen.interleavedChannels ?? asked.interleavedChannels
        case .udp:
            guard chosen.serverPorts != nil else {
                throw RTSPPublishingFailure(.malformedAnswer, "the server's answer to SETUP does not name ports")
            }
        }
        return transport
    }
}
