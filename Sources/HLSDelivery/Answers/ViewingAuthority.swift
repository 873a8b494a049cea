/// Decides who may watch. It is asked for every request for media: playlists, parts, segments, keys, subtitles, files.
package protocol ViewingAuthority: Sendable {
    /// Whether something is for everyone. Called on event loops, so it must not wait.
    func isForEveryone(_ subject: ViewingSubject) -> Bool

    /// Whether others than invited people must not learn that something exists. Called on event loops for what is not
    /// for everyone.
    func isConcealed(_ subject: ViewingSubject) -> Bool

    /// Decides about a signature in a path if that can be done without waiting. Called on event loops.
    ///
    /// - Parameters:
    ///   - signature: the text between `/signed/` and the rest of the path.
    ///   - address: what is requested.
    /// - Returns: `nil` if ``decide(_:)`` has to be asked.
    func decideNow(signature: String, _ address: MediaAddress) -> ViewingDecision?

    /// Decides about somebody who wants to watch what is not for everyone.
    func decide(_ request: ViewingRequest) async -> ViewingDecision
}
