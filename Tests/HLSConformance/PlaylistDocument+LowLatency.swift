extension PlaylistDocument {
    /// An EXT-X-PART.
    package struct Part: Sendable {
        package var line: Int
        package var uri: String?
        package var duration: Double?
        package var isIndependent: Bool
        package var isGap: Bool
        /// `n[@o]`
        package var byteRange: String?

        init?(_ tag: Tag) {
            guard tag.name == "EXT-X-PART" else { return nil }
            let attributes = tag.attributes
            line = tag.line
            uri = attributes["URI"]
            duration = attributes["DURATION"].flatMap { Double($0) }
            isIndependent = attributes["INDEPENDENT"] == "YES"
            isGap = attributes["GAP"] == "YES"
            byteRange = attributes["BYTERANGE"]
        }
    }

    /// The parts of one segment.
    package struct PartGroup: Sendable {
        package var sequenceNumber: Int
        package var parts: [Part]
        /// `nil` for the segment that is still being made.
        package var segment: Segment?
        package var isDiscontinuous: Bool

        /// Parts leave a segment before it does, and not all at once.
        var mayLackParts: Bool {
            guard let duration = segment?.duration else { return false }
            return parts.reduce(0) { $0 + ($1.duration ?? 0) } < duration - LowLatencyRules.frameTolerance
        }
    }

    package var skippedCount: Int { first("EXT-X-SKIP")?.attributes["SKIPPED-SEGMENTS"].flatMap { Int($0) } ?? 0 }

    func madePartGroups() -> [PartGroup] {
        let first = mediaSequence &+ skippedCount
        let complete = segments.enumerated().map { index, segment in
            PartGroup(sequenceNumber: first &+ index, tags: segment.tags, segment: segment)
        }
        return complete + [PartGroup(sequenceNumber: first &+ segments.count, tags: trailingTags, segment: nil)]
    }

    package var partTarget: Double? { decimal("PART-TARGET", of: "EXT-X-PART-INF") }

    func decimal(_ attribute: String, of tag: String) -> Double? {
        first(tag)?.attributes[attribute].flatMap { Double($0) }
    }

    /// The last part's place: `nil` where there are no parts. Only the open segment's parts or the last segment's
    /// count.
    var lastPart: (sequenceNumber: Int, index: Int)? {
        partGroups.suffix(2).last { !$0.parts.isEmpty }.map { ($0.sequenceNumber, $0.parts.count - 1) }
    }
}

extension PlaylistDocument.PartGroup {
    fileprivate init(sequenceNumber: Int, tags: [PlaylistDocument.Tag], segment: PlaylistDocument.Segment?) {
        self.init(
            sequenceNumber: sequenceNumber, parts: tags.compactMap { PlaylistDocument.Part($0) }, segment: segment,
            isDiscontinuous: tags.contains { $0.name == "EXT-X-DISCONTINUITY" })
    }
}
