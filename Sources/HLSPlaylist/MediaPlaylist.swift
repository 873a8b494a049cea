/// A Media Playlist (draft-pantos-hls-rfc8216bis §4.4.3) as a value. What stands in it is the packager's policy; how
/// it is written is ``rendered()``'s.
package struct MediaPlaylist: Sendable, Hashable {
    package var version: Int
    /// Seconds; no segment's duration, rounded, is above it.
    package var targetDuration: Int
    package var mediaSequence: Int
    /// `nil` leaves the tag out: for a playlist that can have no discontinuity.
    package var discontinuitySequence: Int?
    package var playlistType: PlaylistType?
    /// EXT-X-INDEPENDENT-SEGMENTS: every segment can be decoded by itself.
    package var hasIndependentSegments: Bool
    package var hasEndList: Bool
    package var segments: [MediaSegment]
    /// EXT-X-I-FRAMES-ONLY: every segment is one picture.
    package var isIFramesOnly: Bool
    package var start: StartPoint?
    package var serverControl: ServerControl?
    /// EXT-X-PART-INF: seconds; no part is longer. Parts are written only where this is set, as §4.4.3.7 asks.
    package var partTarget: Double?
    /// What a delta update leaves out in front of ``segments``.
    package var skip: SkippedSegments?
    package var dateRanges: [DateRange]
    /// The segment behind the last that is still being made.
    package var openSegment: OpenSegment?
    /// At most one of each type (§6.2.6).
    package var preloadHints: [PreloadHint]
    package var renditionReports: [RenditionReport]
    /// Of all segments, and of the initialization sections that they name.
    package var encryption: SegmentEncryption?

    package enum PlaylistType: String, Sendable, Hashable {
        case vod = "VOD"
        case event = "EVENT"
    }

    package init(
        version: Int, targetDuration: Int, mediaSequence: Int = 0, discontinuitySequence: Int? = nil,
        playlistType: PlaylistType? = nil, hasIndependentSegments: Bool = true, hasEndList: Bool = false,
        segments: [MediaSegment] = [], isIFramesOnly: Bool = false, start: StartPoint? = nil,
        serverControl: ServerControl? = nil, partTarget: Double? = nil, skip: SkippedSegments? = nil,
        dateRanges: [DateRange] = [], openSegment: OpenSegment? = nil, preloadHints: [PreloadHint] = [],
        renditionReports: [RenditionReport] = [], encryption: SegmentEncryption? = nil
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
        self.start = start
        self.serverControl = serverControl
        self.partTarget = partTarget
        self.skip = skip
        self.dateRanges = dateRanges
        self.openSegment = openSegment
        self.preloadHints = preloadHints
        self.renditionReports = renditionReports
        self.encryption = encryption
    }
}

/// A Media Segment and the tags that apply to it (§4.4.4).
package struct MediaSegment: Sendable, Hashable {
    package var uri: String
    /// Seconds: the point where media time leaves the integer clocks.
    package var duration: Double
    /// EXT-X-DISCONTINUITY before it.
    package var isDiscontinuous: Bool
    /// EXT-X-MAP; written where it differs from the segment before.
    package var initializationSection: String?
    /// EXT-X-PROGRAM-DATE-TIME: milliseconds since 1970-01-01T00:00:00Z.
    package var programDateTime: Int64?
    /// EXT-X-GAP: its media is missing.
    package var isGap: Bool
    /// EXT-X-BYTERANGE: the segment is a part of what the URI names.
    package var byteRange: ByteRange?
    /// BYTERANGE of EXT-X-MAP.
    package var initializationByteRange: ByteRange?
    /// EXT-X-PART before it.
    package var parts: [PartialSegmentReference]

    package init(
        uri: String, duration: Double, isDiscontinuous: Bool = false, initializationSection: String? = nil,
        programDateTime: Int64? = nil, isGap: Bool = false, byteRange: ByteRange? = nil,
        initializationByteRange: ByteRange? = nil, parts: [PartialSegmentReference] = []
    ) {
        self.uri = uri
        self.duration = duration
        self.isDiscontinuous = isDiscontinuous
        self.initializationSection = initializationSection
        self.programDateTime = programDateTime
        self.isGap = isGap
        self.byteRange = byteRange
        self.initializationByteRange = initializationByteRange
        self.parts = parts
    }
}
