/// The credentials of a request (RFC 2326 §12.5), and the request line that a digest must match.
package struct RTSPAuthorization: Hashable, Sendable, CustomStringConvertible {
    var method: RTSPMethod
    /// The URI in the request line.
    var uri: String
    var credentials: AuthorizationCredentials

    /// Reads the credentials of a request; a field that cannot be parsed counts as wrong credentials.
    package init(_ request: RTSPRequest) {
        method = request.method
        uri = request.uri
        credentials = AuthorizationCredentials(parsing: request.headers["Authorization"])
    }

    /// Whether the request carries credentials, right or wrong. Such requests must be admitted by an
    /// ``AuthenticationFailureLimiter``; without credentials, as in every client's first request, they need not.
    package var isPresent: Bool { credentials != .missing }

    /// User name that the client claims, for logs; `nil` if there is none. It has not been verified.
    package var claimedUsername: String? {
        switch credentials {
        case .basic(let username, _): username
        case .digest(let digest): digest.username
        case .missing, .unintelligible: nil
        }
    }

    /// A description for logs, without passwords.
    package var description: String { "\(method) \(uri) by \(claimedUsername ?? "nobody")" }
}
