/// A Media Playlist (rfc8216bis §4.4.3) as a value. The packager decides what it contains; ``rendered()`` decides how
/// it is written.
package struct MediaPlaylist: Sendable, Hashable {
    /// The protocol version (EXT-X-VERSION).
    package var version: Int
    /// EXT-X-TARGETDURATION in seconds; no segment's rounded duration exceeds it.
    package var targetDuration: Int
    /// The media sequence number of the first segment.
    package var mediaSequence: Int
    /// EXT-X-DISCONTINUITY-SEQUENCE; `nil` omits the tag, which suits a playlist that cannot have a discontinuity.
    package var discontinuitySequence: Int?
    /// EXT-X-PLAYLIST-TYPE; `nil` for a live playlist, from whose start segments are removed.
    package var playlistType: PlaylistType?
    /// EXT-X-INDEPENDENT-SEGMENTS: every segment can be decoded on its own.
    package var hasIndependentSegments: Bool
    /// EXT-X-ENDLIST: no segment will be added.
    package var hasEndList: Bool
    package var segments: [MediaSegment]
    /// EXT-X-I-FRAMES-ONLY: every segment is a single I-frame.
    package var isIFramesOnly: Bool
    /// EXT-X-START; `nil` leaves the start position to the player.
    package var start: StartPoint?
    /// EXT-X-SERVER-CONTROL; `nil` omits the tag.
    package var serverControl: ServerControl?
    /// EXT-X-PART-INF in seconds; no part is longer. If it is `nil`, parts are not written (rfc8216bis §4.4.3.7).
    package var partTarget: Double?
    /// Segments that a delta update omits before ``segments``; `nil` for a whole playlist.
    package var skip: SkippedSegments?
    package var dateRanges: [DateRange]
    /// The segment that follows ``segments`` and is not complete yet.
    package var openSegment: OpenSegment?
    /// Preload hints, at most one of each type (rfc8216bis §6.2.6).
    package var preloadHints: [PreloadHint]
    package var renditionReports: [RenditionReport]
    /// Encryption of all segments and of the initialization sections that they name; `nil` if they are not encrypted.
    package var encryption: SegmentEncryption?

    /// Value of EXT-X-PLAYLIST-TYPE (rfc8216bis §4.4.3.5).
    package enum PlaylistType: String, Sendable, Hashable {
        case vod = "VOD"
        case event = "EVENT"
    }

    /// The tags that few playlists have are left out.
    package init(
        version: Int, targetDuration: Int, mediaSequence: Int = 0, discontinuitySequence: Int? = nil,
        playlistType: PlaylistType? = nil, hasIndependentSegments: Bool = true, hasEndList: Bool = false,
        segments: [MediaSegment] = [], isIFramesOnly: Bool = false, partTarget: Double? = nil,
        dateRanges: [DateRange] = [], preloadHints: [PreloadHint] = [], renditionReports: [RenditionReport] = []
    ) {
        self.version = version
        self.targetDuration = targetDuration
        self.mediaSequence = mediaSequence
        self.discontinuitySequence = discontinuitySequence
        self.playlistType = playlistType
        self.hasIndependentSegments = hasIndependentSegments
        self.hasEndList = hasEndList
        self.segments = segments
        self.isIFramesOnly = isIFramesOnly
        self.partTarget = partTarget
        self.dateRanges = dateRanges
        self.preloadHints = preloadHints
        self.renditionReports = renditionReports
    }
}
