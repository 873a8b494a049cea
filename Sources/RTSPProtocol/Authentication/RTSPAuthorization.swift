/// What a request says about who sends it (RFC 2326 §12.5), and what that has to fit.
package struct RTSPAuthorization: Hashable, Sendable, CustomStringConvertible {
    var method: RTSPMethod
    /// As in the request line.
    var uri: String
    var credentials: AuthorizationCredentials

    package init(_ request: RTSPRequest) {
        method = request.method
        uri = request.uri
        credentials = AuthorizationCredentials(parsing: request.headers["Authorization"])
    }

    /// Somebody tries to be somebody, rightly or not. What an ``AuthenticationFailureLimiter`` is asked about; a first
    /// request without credentials is how every client begins.
    package var isPresent: Bool { credentials != .missing }

    /// For logs; unproven.
    package var claimedUsername: String? {
        switch credentials {
        case .basic(let username, _): username
        case .digest(let digest): digest.username
        case .missing, .unintelligible: nil
        }
    }

    /// Without passwords: this may end up in a log.
    package var description: String { "\(method) \(uri) by \(claimedUsername ?? "nobody")" }
}

/// An `Authorization` header, taken apart.
enum AuthorizationCredentials: Hashable, Sendable {
    case missing
    case basic(username: String, password: String)
    case digest(DigestCredentials)
    /// A scheme that was not offered, or one that makes no sense.
    case unintelligible

    init(parsing header: String?) {
        // libstreaming without credentials says null.
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

    /// RFC 7617 §2: what is before the first colon is the name, which cannot have one.
    private static func basic(parsing value: String) -> AuthorizationCredentials? {
        guard let bytes = base64Decoded(value), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return .basic(
            username: String(decoding: bytes[..<colon], as: UTF8.self),
            password: String(decoding: bytes[(colon + 1)...], as: UTF8.self))
    }
}

/// RFC 7616 §3.4; without ``nonceCount`` and ``clientNonce`` it is RFC 2069 §2.1.2.
struct DigestCredentials: Hashable, Sendable {
    var username: String
    var nonce: String
    var uri: String
    /// Lower-case hexadecimal digits, as many as one of the algorithms makes.
    var response: String
    /// `nil` in RFC 2069's form.
    var protection: Protection?

    /// `qop=auth`, and what it adds.
    struct Protection: Hashable, Sendable {
        /// As sent: the digest is over the digits.
        var nonceCountText: String
        var nonceCount: UInt32
        var clientNonce: String
    }

    /// The response's length tells the algorithm, not `algorithm=`: there are clients that answer the first Digest
    /// challenge they find with MD5, whatever it asks for.
    var algorithm: DigestAlgorithm? {
        DigestAlgorithm.allCases.first { $0.hexadecimalDigitCount == response.utf8.count }
    }

    /// `nil` where a necessary parameter is missing, or asks for what was not offered (`auth-int`, `MD5-sess`).
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

    /// What ``response`` is where the password behind `ha1` is known.
    func expectedResponse(ha1: String, method: RTSPMethod, algorithm: DigestAlgorithm) -> String {
        let ha2 = algorithm.digest(method.rawValue, uri)
        guard let protection else { return algorithm.digest(ha1, nonce, ha2) }
        return algorithm.digest(ha1, nonce, protection.nonceCountText, protection.clientNonce, "auth", ha2)
    }
}
