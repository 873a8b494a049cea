/// The algorithms of signatures that are accepted (RFC 7518 §3.1).
package enum TokenAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// HMAC with SHA-256: everybody who can check tokens can make them.
    case hs256 = "HS256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
}
