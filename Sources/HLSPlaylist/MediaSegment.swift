/// A Media Segment and the tags that apply to it (rfc8216bis §4.4.4).
package struct MediaSegment: Sendable, Hashable {
    package var uri: String
    /// EXTINF in seconds. This is where media time leaves the integer clocks.
    package var duration: Double
    /// Whether EXT-X-DISCONTINUITY precedes the segment.
    package var isDiscontinuous: Bool
    /// URI in EXT-X-MAP; the tag is written only if it differs from the previous segment's.
    package var initializationSection: String?
    /// EXT-X-PROGRAM-DATE-TIME in milliseconds since 1970-01-01T00:00:00Z.
    package var programDateTime: Int64?
    /// EXT-X-GAP: the segment's media is missing.
    package var isGap: Bool
    /// EXT-X-BYTERANGE: the segment is a byte range of the resource; `nil` if it is the whole resource.
    package var byteRange: ByteRange?
    /// BYTERANGE attribute of EXT-X-MAP.
    package var initializationByteRange: ByteRange?
    /// Parts of the segment, written as EXT-X-PART before it.
    package var parts: [PartialSegmentReference]

    package init(
        uri: String, duration: Double, isDiscontinuous: Bool = false, initializationSection: String? = nil,
        programDateTime: Int64? = nil, isGap: Bool = false, byteRange: ByteRange? = nil,
        parts: [PartialSegmentReference] = []
    ) {
        self.uri = uri
        self.duration = duration
        self.isDiscontinuous = isDiscontinuous
        self.initializationSection = initializationSection
        self.programDateTime = programDateTime
        self.isGap = isGap
        self.byteRange = byteRange
        self.parts = parts
    }
}
