/// EXT-X-PART (rfc8216bis §4.4.4.9): a Partial Segment of the segment that follows it in the playlist.
package struct PartialSegmentReference: Sendable, Hashable {
    package var uri: String
    /// Duration in seconds, at most the part target.
    package var duration: Double
    /// INDEPENDENT: the part holds an independent frame.
    package var isIndependent: Bool
    /// GAP: the part's media is missing.
    package var isGap: Bool
    /// Byte range of the part; `nil` if it is the whole resource.
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
