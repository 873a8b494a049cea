/// An authentication scheme that is offered in a `WWW-Authenticate` header.
package enum RTSPAuthenticationScheme: String, Hashable, Sendable, CaseIterable {
    case basic = "Basic"
    case digestSHA256 = "Digest SHA-256"
    case digestMD5 = "Digest MD5"
}
