/// EXT-X-RENDITION-REPORT (rfc8216bis §4.4.5.4): the current end of another rendition's playlist, so that a player
/// can switch to it without loading that playlist first.
package struct RenditionReport: Sendable, Hashable {
    /// URI of the other playlist, relative to the playlist that holds the report.
    package var uri: String
    /// LAST-MSN: the media sequence number of the last segment, or of the last part's segment if there are parts.
    /// `nil` in playlists of other servers means the same number as in the playlist that holds the report.
    package var lastMediaSequence: Int?
    /// LAST-PART: the last part's index within that segment; `nil` if the rendition has no parts.
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
