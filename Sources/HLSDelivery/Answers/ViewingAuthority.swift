package import HTTPTypes
package import MediaCore
package import NIOCore

/// Decides who may watch. It is asked for every request for media: playlists, parts, segments, keys, subtitles, files.
package protocol ViewingAuthority: Sendable {
    /// Whether something is for everyone. Called on event loops, so it must not wait.
    func isForEveryone(_ subject: MediaSubject) -> Bool

    /// Whether others than invited people must not learn that something exists. Called on event loops for what is not
    /// for everyone.
    func isConcealed(_ subject: MediaSubject) -> Bool

    /// Decides about a request with a signature in its path if that can be done without waiting. Called on event loops.
    ///
    /// - Returns: `nil` if ``decide(_:)`` has to be asked, as for a request without a signature.
    func decideNow(_ request: ViewingRequest) -> ViewingDecision?

    /// Decides about somebody who wants to watch what is not for everyone.
    func decide(_ request: ViewingRequest) async -> ViewingDecision

    /// The address of the client of a request that a reverse proxy has passed on, so that viewers behind one are
    /// counted one by one. Called on event loops.
    ///
    /// - Parameters:
    ///   - fields: the header of the request.
    ///   - peer: the address of the connection.
    /// - Returns: `nil` if no proxy is trusted, so that the connection's address is the client's.
    func client(_ fields: HTTPFields, behind peer: SocketAddress?) -> String?
}

extension ViewingAuthority {
    package func client(_ fields: HTTPFields, behind peer: SocketAddress?) -> String? { nil }
}
