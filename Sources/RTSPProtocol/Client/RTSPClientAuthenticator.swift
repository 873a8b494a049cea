/// The client's side of authentication (RFC 2326 §D.1.5, RFC 7616, RFC 7617): answers a server's challenges.
package struct RTSPClientAuthenticator: Sendable {
    private enum Challenge: Sendable {
        case basic
        case digest(realm: String, nonce: String, opaque: String?, algorithm: DigestAlgorithm, hasProtection: Bool)

        /// Rank of the challenge, highest for the strongest. MD5 without `algorithm` is what most servers offer.
        var strength: Int {
            switch self {
            case .digest(_, _, _, .sha256, _): 2
            case .digest(_, _, _, .md5, _): 1
            case .basic: 0
            }
        }
    }

    private let username: String
    private let password: String
    private let makeClientNonce: @Sendable () -> String
    private var challenge: Challenge?
    /// Number of uses of the current nonce (RFC 7616 §3.4).
    private var nonceCount: UInt32 = 0

    /// - Parameters:
    ///   - username: the user name.
    ///   - password: the password in plain text.
    ///   - makeClientNonce: a source of client nonces for tests.
    package init(
        username: String, password: String,
        makeClientNonce: @escaping @Sendable () -> String = RTSPAuthenticator.randomNonce
    ) {
        self.username = username
        self.password = password
        self.makeClientNonce = makeClientNonce
    }

    /// Adopts the challenge of a 401 response.
    ///
    /// - Returns: whether to send the request again; `false` if the credentials were rejected, or if no challenge can
    ///   be answered.
    package mutating func accept(_ response: RTSPResponse) -> Bool {
        let offers = response.headers.values(of: "WWW-Authenticate").compactMap(Self.challenge)
        guard let best = offers.max(by: { $0.challenge.strength < $1.challenge.strength }) else { return false }
        // A second challenge means that the credentials are wrong, unless only the nonce has expired.
        guard challenge == nil || best.isStale else { return false }
        challenge = best.challenge
        nonceCount = 0
        return true
    }

    /// The `Authorization` header for the next request; `nil` before the first challenge.
    package mutating func authorization(method: RTSPMethod, uri: String) -> String? {
        switch challenge {
        case nil: return nil
        case .basic: return "Basic " + base64Encoded(Array("\(username):\(password)".utf8))
        case .digest(let realm, let nonce, let opaque, let algorithm, let hasProtection):
            nonceCount &+= 1
            let ha1 = algorithm.digest(username, realm, password)
            let ha2 = algorithm.digest(method.rawValue, uri)
            var fields = [
                ("username", quoted(username)), ("realm", quoted(realm)), ("nonce", quoted(nonce)),
                ("uri", quoted(uri)),
            ]
            if hasProtection {
                let digits = String(nonceCount, radix: 16)
                let count = String(repeating: "0", count: 8 - digits.count) + digits
                let clientNonce = makeClientNonce()
                let response = algorithm.digest(ha1, nonce, count, clientNonce, "auth", ha2)
                fields += [
                    ("response", quoted(response)), ("qop", "auth"), ("nc", count), ("cnonce", quoted(clientNonce)),
                ]
            } else {
                fields.append(("response", quoted(algorithm.digest(ha1, nonce, ha2))))
            }
            if algorithm == .sha256 { fields.append(("algorithm", "SHA-256")) }
            if let opaque { fields.append(("opaque", quoted(opaque))) }
            return "Digest " + fields.map { "\($0.0)=\($0.1)" }.joined(separator: ", ")
        }
    }

    private static func challenge(parsing header: String) -> (challenge: Challenge, isStale: Bool)? {
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        let parameters = AuthenticationParameters(parsing: parts.count == 2 ? String(parts[1]) : "")
        switch parts.first?.lowercased() {
        case "basic": return (.basic, false)
        case "digest":
            guard let realm = parameters["realm"], let nonce = parameters["nonce"] else { return nil }
            let algorithm: DigestAlgorithm
            switch parameters["algorithm"]?.uppercased() {
            case nil, "MD5": algorithm = .md5
            case "SHA-256": algorithm = .sha256
            default: return nil
            }
            let protections = parameters["qop"]?.lowercased().split(separator: ",").map { trimmingWhitespace($0) }
            guard protections?.contains("auth") ?? true else { return nil }
            return (
                .digest(
                    realm: realm, nonce: nonce, opaque: parameters["opaque"], algorithm: algorithm,
                    hasProtection: protections != nil),
                parameters["stale"]?.lowercased() == "true"
            )
        default: return nil
        }
    }
}

/// Formats a quoted string (RFC 7230 §3.2.6).
private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

/// Encodes base64 with padding (RFC 4648 §4).
func base64Encoded(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        var value: UInt32 = 0
        for index in 0..<3 { value = value << 8 | (index < group.count ? UInt32(group[start + index]) : 0) }
        for index in 0..<4 {
            let digit = Int(value >> UInt32(18 - 6 * index) & 0x3F)
            text.append(index <= group.count ? alphabet[digit] : UInt8(ascii: "="))
        }
    }
    return String(decoding: text, as: UTF8.self)
}
