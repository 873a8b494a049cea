/// EXT-X-RENDITION-REPORT (§4.4.5.4): how far another rendition's playlist has come, so that a player can change over
/// without loading it first.
package struct RenditionReport: Sendable, Hashable {
    /// Relative to the playlist that holds the report.
    package var uri: String
    /// The last segment's number, or the last part's where there are parts. `nil`, in others' playlists: the same as in
    /// the playlist that holds the report.
    package var lastMediaSequence: Int?
    /// The last part's index within that segment; `nil` where the rendition has no parts.
    package var lastPart: Int?

    package init(uri: String, lastMediaSequence: Int?, lastPart: Int? = nil) {
        self.uri = uri
        self.lastMediaSequence = lastMediaSequence
        self.lastPart = lastPart
    }

    init(_ attributes: AttributeList, line: Int) throws(PlaylistParsingError) {
        self.init(
            uri: try attributes.required("URI", line: line),
            lastMediaSequence: try attributes.integer("LAST-MSN", line: line),
            lastPart: try attributes.integer("LAST-PART", line: line))
    }

    func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-RENDITION-REPORT") { list in
            list.attribute("URI", uri: uri)
            if let lastMediaSequence { list.attribute("LAST-MSN", integer: lastMediaSequence) }
            if let lastPart { list.attribute("LAST-PART", integer: lastPart) }
        }
    }
}
