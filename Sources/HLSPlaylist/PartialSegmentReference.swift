/// EXT-X-PART (§4.4.4.9): a Partial Segment of the segment that it stands before.
package struct PartialSegmentReference: Sendable, Hashable {
    package var uri: String
    /// Seconds; not above the part target.
    package var duration: Double
    /// It holds an independent frame.
    package var isIndependent: Bool
    /// Its media is missing.
    package var isGap: Bool
    package var byteRange: ByteRange?

    package init(
        uri: String, duration: Double, isIndependent: Bool = false, isGap: Bool = false, byteRange: ByteRange? = nil
    ) {
        self.uri = uri
        self.duration = duration
        self.isIndependent = isIndependent
        self.isGap = isGap
        self.byteRange = byteRange
    }

    init(_ attributes: AttributeList, line: Int) throws(PlaylistParsingError) {
        guard let duration = try attributes.decimal("DURATION", line: line) else {
            throw PlaylistParsingError(line: line, "DURATION is missing")
        }
        self.init(
            uri: try attributes.required("URI", line: line), duration: duration,
            isIndependent: attributes["INDEPENDENT"] == "YES", isGap: attributes["GAP"] == "YES",
            byteRange: try attributes.byteRange("BYTERANGE", line: line))
    }

    func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-PART") { list in
            list.attribute("DURATION", decimal: DecimalFloatingPoint(duration))
            list.attribute("URI", uri: uri)
            if let byteRange { list.attribute("BYTERANGE", byteRange: byteRange) }
            if isIndependent { list.attribute("INDEPENDENT", enumerated: "YES") }
            if isGap { list.attribute("GAP", enumerated: "YES") }
        }
    }
}

/// The segment that is still being made: its parts, and the tags that stand before the first of them. It has no EXTINF
/// and no URI yet.
package struct OpenSegment: Sendable, Hashable {
    package var parts: [PartialSegmentReference]
    package var isDiscontinuous: Bool
    package var initializationSection: String?
    package var initializationByteRange: ByteRange?
    /// Milliseconds since 1970-01-01T00:00:00Z.
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
