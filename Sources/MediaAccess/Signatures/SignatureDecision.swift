/// The verdict about a signature in a URL.
package enum SignatureDecision: Sendable, Hashable {
    /// It is valid.
    ///
    /// - Parameter seconds: the time that is left, at least 1.
    case valid(seconds: Int64)
    /// It was made for something else, or not by this server.
    case wrong
    case expired
    case revoked
    /// The database does not answer, and has not since the server's start.
    case unavailable
}
