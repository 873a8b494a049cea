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
