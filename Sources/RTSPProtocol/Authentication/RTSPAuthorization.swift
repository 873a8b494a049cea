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
    /// `AuthenticationFailureLimiter`; without credentials, as in every client's first request, they need not.
    package var isPresent: Bool { credentials != .missing }

    /// User name that the client claims, for logs; `nil` if there is none. It has not been verified.
    package var claimedUsername: String? {
        switch credentials {
        case .basic(let username, _): username
        case .digest(let digest): digest.username
        case .missing, .unintelligible: nil
        }
    }

    /// The username and the password of Basic authentication; `nil` for everything else. They have not been checked.
    package var basic: (username: String, password: String)? {
        if case .basic(let username, let password) = credentials { (username, password) } else { nil }
    }

    /// The value of a parameter of the URL's query; `nil` if there is none.
    package func queryValue(_ name: String) -> String? { RTSPURL(parsing: uri)?.queryValue(name) }

    /// A description for logs, without passwords.
    package var description: String { "\(method) \(uri.prefix { $0 != "?" }) by \(claimedUsername ?? "nobody")" }
}
