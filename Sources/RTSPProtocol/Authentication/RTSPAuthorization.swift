/// The credentials of a request (RFC 2326 §12.5), and the request line that a digest must match.
package struct RTSPAuthorization: Hashable, Sendable, CustomStringConvertible {
    var method: RTSPMethod
    /// The URI in the request line.
    var uri: String
    var credentials: AuthorizationCredentials

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

/// A parsed `Authorization` header.
enum AuthorizationCredentials: Hashable, Sendable {
    case missing
    case basic(username: String, password: String)
    case digest(DigestCredentials)
    /// The scheme was not offered, or the value is malformed.
    case unintelligible

    init(parsing header: String?) {
        // libstreaming sends "null" if it has no credentials.
        guard let header, !header.isEmpty, header.lowercased() != "null" else {
            self = .missing
            return
        }
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        let value = parts.count == 2 ? trimmingWhitespace(parts[1]) : ""
        switch parts.first?.lowercased() {
        case "basic": self = Self.basic(parsing: value) ?? .unintelligible
        case "digest": self = DigestCredentials(parsing: value).map(AuthorizationCredentials.digest) ?? .unintelligible
        default: self = .unintelligible
        }
    }

    /// Parses Basic credentials (RFC 7617 §2): the user name precedes the first colon and cannot contain one.
    private static func basic(parsing value: String) -> AuthorizationCredentials? {
        guard let bytes = base64Decoded(value), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return .basic(
            username: String(decoding: bytes[..<colon], as: UTF8.self),
            password: String(decoding: bytes[(colon + 1)...], as: UTF8.self))
    }
}

/// Digest credentials (RFC 7616 §3.4), or those of RFC 2069 §2.1.2 if ``protection`` is `nil`.
struct DigestCredentials: Hashable, Sendable {
    var username: String
    var nonce: String
    var uri: String
    /// The response in lower-case hexadecimal, as long as the digest of one of the algorithms.
    var response: String
    /// Parameters of `qop=auth`; `nil` in the form of RFC 2069.
    var protection: Protection?

    /// The parameters that `qop=auth` adds.
    struct Protection: Hashable, Sendable {
        /// The nonce count as sent, because the digest covers its digits.
        var nonceCountText: String
        var nonceCount: UInt32
        var clientNonce: String
    }

    /// The algorithm, determined by the length of the response and not by `algorithm=`: some clients answer the first
    /// Digest challenge with MD5, whatever algorithm it requests.
    var algorithm: DigestAlgorithm? {
        DigestAlgorithm.allCases.first { $0.hexadecimalDigitCount == response.utf8.count }
    }

    /// Parses the credentials; `nil` if a required parameter is missing, or if they use an option that was not
    /// offered (`auth-int`, `MD5-sess`).
    init?(parsing value: String) {
        let parameters = AuthenticationParameters(parsing: value)
        guard let username = parameters["username"], let nonce = parameters["nonce"], let uri = parameters["uri"],
            let response = parameters["response"]?.lowercased(),
            parameters["algorithm"]?.lowercased().hasSuffix("-sess") != true
        else { return nil }
        self.username = username
        self.nonce = nonce
        self.uri = uri
        self.response = response
        if let qop = parameters["qop"], !qop.isEmpty {
            guard qop.lowercased() == "auth", let count = parameters["nc"], let nonceCount = UInt32(count, radix: 16),
                let clientNonce = parameters["cnonce"]
            else { return nil }
            protection = Protection(nonceCountText: count, nonceCount: nonceCount, clientNonce: clientNonce)
        }
        guard algorithm != nil else { return nil }
    }

    /// The right value of ``response`` for the password that `ha1` is derived from.
    func expectedResponse(ha1: String, method: RTSPMethod, algorithm: DigestAlgorithm) -> String {
        let ha2 = algorithm.digest(method.rawValue, uri)
        guard let protection else { return algorithm.digest(ha1, nonce, ha2) }
        return algorithm.digest(ha1, nonce, protection.nonceCountText, protection.clientNonce, "auth", ha2)
    }
}
