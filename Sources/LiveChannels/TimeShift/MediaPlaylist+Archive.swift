import HLSPlaylist

extension MediaPlaylist {
    /// Renders the playlist of the segments in memory, preceded by the segments on disk. The lines of the latter were
    /// rendered once each, so that hours of them cost no more than their bytes.
    ///
    /// - Parameter skips: whether to render a delta update if possible.
    func rendered(behind archived: some Collection<ArchivedSegment>, skips: Bool = false) -> String {
        let lines = archived.map(\.lines) + segments.map(RenderedSegment.init)
        var head = self
        head.segments = []
        head.version = max(head.version, requiredVersion(concatenating: lines))
        let bytes =
            skips ? head.renderedDeltaUpdate(.segments, concatenating: lines) : head.rendered(concatenating: lines)
        return String(decoding: bytes, as: UTF8.self)
    }
}
