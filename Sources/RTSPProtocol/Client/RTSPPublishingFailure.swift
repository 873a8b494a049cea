/// Why a push did not begin, or ended.
package struct RTSPPublishingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The server wants credentials, and none are known.
        case credentialsMissing
        /// The server does not take those that were sent.
        case credentialsRejected
        /// 403: known, but not allowed.
        case forbidden
        /// 404: no such channel.
        case notFound
        /// 453, as Antena, MediaMTX and Wowza say it of a channel that somebody pushes to.
        case busy
        /// 415, 451, 500 of some: what is pushed is not what the server takes.
        case mediaRefused
        /// 461: not over this transport.
        case transportRefused
        /// A server that only plays.
        case recordingUnsupported
        /// 3xx; the reason has the new address.
        case redirected
        /// Any other answer that is no success.
        case refused
        /// An answer that makes no sense.
        case malformedAnswer
        /// The session has gone.
        case sessionLost
    }

    package var code: Code
    /// The server's status; `nil` where it gave none.
    package var status: RTSPStatus?
    package var reason: String

    package init(_ code: Code, status: RTSPStatus? = nil, _ reason: String) {
        self.code = code
        self.status = status
        self.reason = reason
    }

    package var description: String { reason }

    /// Trying again later may help: a person need not do anything.
    package var isTemporary: Bool {
        switch code {
        case .busy, .sessionLost, .malformedAnswer: true
        case .refused: (status?.code ?? 0) >= 500
        case .credentialsMissing, .credentialsRejected, .forbidden, .notFound, .mediaRefused, .transportRefused,
            .recordingUnsupported, .redirected:
            false
        }
    }

    /// What an answer that is no success means.
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
