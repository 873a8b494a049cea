import NIOCore

/// The requests of a client and the responses to them, one after the other: sequence numbers, logins, the session.
struct RTSPClientDialogue: Sendable {
    /// The meaning of a response.
    enum Outcome: Sendable {
        /// It belongs to no request, or is a provisional one.
        case none
        /// The request has to be sent again with a login.
        case again(RTSPRequest)
        /// The final response to a request.
        case answer(to: RTSPMethod)
        case failed(RTSPPublishingFailure)
    }

    /// Session timeout in seconds if the server does not state one (RFC 2326 §12.37).
    private static let defaultTimeoutSeconds = 60
    /// Lower bound on the session timeout in seconds; a shorter one would require a request in every round trip.
    private static let minimumTimeoutSeconds = 5
    /// The `User-Agent` header. It does not contain a version: servers decide by the description, not by names.
    private static let userAgent = "Antena"

    private var authenticator: RTSPClientAuthenticator?
    private var nextSequenceNumber = 1
    /// The request that awaits a response, and its sequence number.
    private var pending: (sequenceNumber: Int, request: RTSPRequest)?
    private(set) var sessionID = ""
    private(set) var timeoutSeconds = Self.defaultTimeoutSeconds
    private var publicMethods: Set<String> = []
    private var policy: RTSPServerPolicy = []

    init(authenticator: RTSPClientAuthenticator?) { self.authenticator = authenticator }

    /// Whether a request awaits its response.
    var isWaiting: Bool { pending != nil }

    // MARK: Requests

    mutating func request(
        _ method: RTSPMethod, uri: String, headers: RTSPHeaders = [:], body: String = ""
    ) -> RTSPRequest {
        var request = RTSPRequest(method: method, uri: uri, headers: headers, body: .init(string: body))
        if !sessionID.isEmpty { request.headers["Session"] = sessionID }
        request.headers["User-Agent"] = Self.userAgent
        return prepared(request)
    }

    /// A request that keeps the session alive: an empty GET_PARAMETER (RFC 2326 §10.8), unless the server does not list
    /// it, since some servers then end the session, or does not take it although it does.
    ///
    /// - Returns: `nil` if another request awaits its response.
    mutating func keepAlive(uri: String) -> RTSPRequest? {
        guard pending == nil else { return nil }
        let takesGetParameter = publicMethods.contains("GET_PARAMETER") && !policy.contains(.isKeptAliveByOptions)
        return request(takesGetParameter ? .getParameter : .options, uri: uri)
    }

    /// Notes that the server has refused GET_PARAMETER, or has not answered it, and no longer waits for the answer.
    mutating func doWithoutGetParameter() {
        policy.insert(.isKeptAliveByOptions)
        pending = nil
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

    // MARK: Responses

    /// Assigns a response to the pending request.
    mutating func receive(_ response: RTSPResponse) -> Outcome {
        guard let pending, matches(response, pending.sequenceNumber) else { return .none }
        // A provisional response; the final one follows (RFC 2326 §7.1.1).
        guard response.status.code >= 200 else { return .none }
        self.pending = nil
        if let server = response.headers["Server"] { policy.formUnion(.known(server)) }
        guard response.status.code == 401 else { return .answer(to: pending.request.method) }
        guard authenticator != nil else {
            return .failed(
                RTSPPublishingFailure(
                    .credentialsMissing, status: response.status, "the server requires a user name and a password"))
        }
        guard authenticator?.accept(response) == true else {
            return .failed(RTSPPublishingFailure(response, to: pending.request.method))
        }
        return .again(prepared(pending.request))
    }

    /// Whether the response belongs to the pending request. Some servers omit CSeq.
    private func matches(_ response: RTSPResponse, _ sequenceNumber: Int) -> Bool {
        guard let text = response.headers["CSeq"], let number = Int(digits: text) else { return true }
        return number == sequenceNumber
    }

    /// Reads the methods that a server lists.
    mutating func readMethods(_ response: RTSPResponse) -> Set<String> {
        let listed = response.headers.values(of: "Public").joined(separator: ",")
        publicMethods = Set(listed.split(separator: ",").map { trimmingWhitespace($0).uppercased() })
        return publicMethods
    }

    /// Reads a header such as `Session: 12345678;timeout=60` (RFC 2326 §12.37).
    mutating func readSession(_ response: RTSPResponse) {
        guard let header = response.headers["Session"] else { return }
        let fields = header.split(separator: ";").map { trimmingWhitespace($0) }
        if let id = fields.first, !id.isEmpty { sessionID = id }
        for field in fields.dropFirst() {
            let pair = field.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].lowercased() == "timeout", let seconds = Int(pair[1]), seconds > 0 else {
                continue
            }
            timeoutSeconds = max(Self.minimumTimeoutSeconds, seconds)
        }
    }

    /// The transport that a server has chosen.
    ///
    /// - Parameters:
    ///   - response: its answer to SETUP.
    ///   - asked: the transport that was asked for.
    static func transport(
        of response: RTSPResponse, asked: RTSPTransport
    ) throws(RTSPPublishingFailure) -> RTSPTransport {
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
