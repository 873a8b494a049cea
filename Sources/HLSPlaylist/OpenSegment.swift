/// The segment that is not complete yet: its parts, and the tags that precede the first of them. It does not have an
/// EXTINF and a URI yet.
package struct OpenSegment: Sendable, Hashable {
    package var parts: [PartialSegmentReference]
    package var isDiscontinuous: Bool
    /// URI in EXT-X-MAP; the tag is written only if it differs from that of the last segment.
    package var initializationSection: String?
    /// BYTERANGE attribute of EXT-X-MAP.
    package var initializationByteRange: ByteRange?
    /// EXT-X-PROGRAM-DATE-TIME in milliseconds since 1970-01-01T00:00:00Z.
    package var programDateTime: Int64?

    package init(
        parts: [PartialSegmentReference], isDiscontinuous: Bool = false, initializationSection: String? = nil,
        initializationByteRange: ByteRange? = nil, programDateTime: Int64? = nil
    ) {
        self.parts = parts
        self.isDiscontinuous = isDiscontinuous
        self.initializationSection = initializationSection
        self.initializationByteRange = initializationByteRange
        self.programDateTime = programDateTime
    }
}
