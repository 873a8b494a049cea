/// EXT-X-SKIP (rfc8216bis §4.4.5.2): the segments and date ranges that a delta update omits.
package struct SkippedSegments: Sendable, Hashable {
    /// The number of segments that are left out.
    package var count: Int
    /// IDs of removed date ranges; `nil` if date ranges are not skipped (`_HLS_skip=YES`), empty if none was removed
    /// (`v2`).
    package var recentlyRemovedDateRanges: [String]?

    package init(count: Int, recentlyRemovedDateRanges: [String]? = nil) {
        self.count = count
        self.recentlyRemovedDateRanges = recentlyRemovedDateRanges
    }

    init(_ attributes: AttributeList, line: Int) throws(PlaylistParsingError) {
        guard let count = try attributes.integer("SKIPPED-SEGMENTS", line: line) else {
            throw PlaylistParsingError(line: line, "SKIPPED-SEGMENTS is missing")
        }
        let removed = attributes["RECENTLY-REMOVED-DATERANGES"]?.split(separator: "\t").map(String.init)
        self.init(count: count, recentlyRemovedDateRanges: removed)
    }

    func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-SKIP") { list in
            list.attribute("SKIPPED-SEGMENTS", integer: count)
            if let recentlyRemovedDateRanges {
                list.attribute("RECENTLY-REMOVED-DATERANGES", quotedElements: recentlyRemovedDateRanges)
            }
        }
    }
}
