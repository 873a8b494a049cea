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
