import HTTPTypes

/// The last media request of a connection, because a live player requests the same playlist repeatedly.
struct RecentRequest {
    private var last: (target: String, media: MediaRequest)?
    /// The last request, if it was for a playlist and identical bytes may be answered again without parsing.
    private(set) var repeatable: (request: HTTPRequest, media: MediaRequest)?

    /// Longest target that is kept; those of players have a hundred bytes, and a signature.
    private static let maximumTargetByteCount = 1_024

    /// The media request; `nil` passes the request on to the router, because it is not for media or has another method.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - cache: what other connections have requested.
    mutating func media(of request: HTTPRequest, _ cache: MediaRequestCache) -> MediaRequest? {
        guard request.method == .get || request.method == .head, let target = request.path else { return nil }
        if let last, last.target == target { return last.media }
        guard let media = cache.request(for: target) else { return nil }
        // It is kept as long as the connection.
        last = target.utf8.count <= Self.maximumTargetByteCount ? (target, media) : nil
        return media
    }

    /// Keeps a request that is about to be answered.
    ///
    /// - Returns: whether the client asks to close the connection after the response.
    mutating func begin(_ request: HTTPRequest, media: MediaRequest) -> Bool {
        let closesAfterwards = request.asksToClose
        repeatable = closesAfterwards || !media.isPlaylist ? nil : (request, media)
        return closesAfterwards
    }

    mutating func removeRepeatable() { repeatable = nil }
}
