package import HTTPTypes
package import NIOCore

/// Decides who may watch. It is asked for every request for media: playlists, parts, segments, keys, subtitles, files.
package protocol ViewingAuthority: Sendable {
    /// Whether something is for everyone. Called on event loops, so it must not wait.
    func isForEveryone(_ subject: ViewingSubject) -> Bool

    /// Decides about somebody who wants to watch what is not for everyone.
    ///
    /// - Parameters:
    ///   - fields: the header of the request.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    ///   - subject: what the request is for.
    func decide(_ fields: HTTPFields, from peer: SocketAddress?, _ subject: ViewingSubject) async -> ViewingDecision
}
