import HLSPlaylist

extension MediaPlaylist {
    /// The playlist with tags that few playlists have.
    func with(
        start: StartPoint? = nil, serverControl: ServerControl? = nil, skip: SkippedSegments? = nil,
        openSegment: OpenSegment? = nil
    ) -> MediaPlaylist {
        var playlist = self
        (playlist.start, playlist.serverControl) = (start, serverControl)
        (playlist.skip, playlist.openSegment) = (skip, openSegment)
        return playlist
    }
}

extension MediaSegment {
    /// The segment with the byte range of its initialization section.
    func with(initializationByteRange: ByteRange) -> MediaSegment {
        var segment = self
        segment.initializationByteRange = initializationByteRange
        return segment
    }
}
