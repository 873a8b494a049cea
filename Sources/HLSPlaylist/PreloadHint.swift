/// EXT-X-PRELOAD-HINT (rfc8216bis §4.4.5.3): a resource that a player may request before it is complete; the server
/// holds the response until it is.
package struct PreloadHint: Sendable, Hashable {
    package var type: HintType
    /// The URI under which the playlist will list the resource.
    package var uri: String
    /// First byte of the hinted range; `nil` means 0.
    package var byteRangeStart: Int?
    /// Length of the hinted range in bytes; `nil` means up to the end of the resource.
    package var byteRangeLength: Int?

    /// Kind of resource that is hinted at.
    package enum HintType: String, Sendable, Hashable {
        case part = "PART"
        case map = "MAP"
    }

    package init(type: HintType, uri: String, byteRangeStart: Int? = nil, byteRangeLength: Int? = nil) {
        self.type = type
        self.uri = uri
        self.byteRangeStart = byteRangeStart
        self.byteRangeLength = byteRangeLength
    }

    /// Parses the tag's attributes; `nil` for an unknown type, because such hints are ignored (rfc8216bis §6.3.8).
    init?(_ attributes: AttributeList, line: Int) throws(PlaylistParsingError) {
        guard let type = HintType(rawValue: try attributes.required("TYPE", line: line)) else { return nil }
        self.init(
            type: type, uri: try attributes.required("URI", line: line),
            byteRangeStart: try attributes.integer("BYTERANGE-START", line: line),
            byteRangeLength: try attributes.integer("BYTERANGE-LENGTH", line: line))
    }

    func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-PRELOAD-HINT") { list in
            list.attribute("TYPE", enumerated: type.rawValue)
            list.attribute("URI", uri: uri)
            if let byteRangeStart { list.attribute("BYTERANGE-START", integer: byteRangeStart) }
            if let byteRangeLength { list.attribute("BYTERANGE-LENGTH", integer: byteRangeLength) }
        }
    }
}
