/// The reason why a push did not begin, or why it ended.
package struct RTSPPublishingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Hashable, Sendable {
        /// The server requires credentials, and none are configured.
        case credentialsMissing
        /// The server rejects the credentials.
        case credentialsRejected
        /// Status 403: the user is known, but not allowed to publish.
        case forbidden
        /// Status 404: there is no such channel.
        case notFound
        /// Status 453, with which Antena, MediaMTX and Wowza report that a channel already has a publisher.
        case busy
        /// Status 415 or 451: the server does not accept the media.
        case mediaRefused
        /// Status 461: the server does not accept the transport.
        case transportRefused
        /// The server can only play.
        case recordingUnsupported
        /// Status 3xx; the reason contains the new address.
        case redirected
        /// Any other status that is not a success.
        case refused
        /// A malformed response.
        case malformedAnswer
        /// The server has ended the session.
        case sessionLost
    }

    package var code: Code
    /// The server's status; `nil` if the failure was not caused by one.
    package var status: RTSPStatus?
    /// Human-readable reason.
    package var reason: String

    package init(_ code: Code, status: RTSPStatus? = nil, _ reason: String) {
        self.code = code
        self.status = status
        self.reason = reason
    }

    package var description: String { reason }

    /// Whether another attempt may succeed without any change by the user.
    package var isTemporary: Bool {
        switch code {
        case .busy, .sessionLost, .malformedAnswer: true
        case .refused: (status?.code ?? 0) >= 500
        case .credentialsMissing, .credentialsRejected, .forbidden, .notFound, .mediaRefused, .transportRefused,
            .recordingUnsupported, .redirected:
            false
        }
    }

    /// Interprets a response that is not a success.
    init(_ response: RTSPResponse, to method: RTSPMethod) {
        let status = response.status
        let words = status.reasonPhrase.isEmpty ? "\(status.code)" : "\(status.code) \(status.reasonPhrase)"
        let code: Code =
            switch status.code {
            case 300..<400: .redirected
            case 401: .credentialsRejected
            case 403: .forbidden
            case 404: .notFound
            case 405, 501: .recordingUnsupported
            case 415, 451: .mediaRefused
            case 453: .busy
            case 454: .sessionLost
            case 461: .transportRefused
            default: .refused
            }
        let location = response.headers["Location"].map { "; it names \($0)" } ?? ""
        self.init(code, status: status, "the server answered \(method) with \(words)\(location)")
    }
}
