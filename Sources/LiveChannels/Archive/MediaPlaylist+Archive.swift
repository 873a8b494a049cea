import HLSPlaylist

extension MediaPlaylist {
    /// The playlist of what memory lists, with what lies on disk in front of it. The lines of the latter were written
    /// once each, so that hours of them cost no more than their bytes.
    ///
    /// - Parameter skips: as a delta update, where it can be one.
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
