/// bis 4.4.5.2 and 6.2.5.1: a delta update beside the whole playlist of the same revision.
enum DeltaUpdateRules {
    /// The tags that go with the segment that they stand before (bis 4.4.4).
    private static let segmentTags: Set<String> = [
        "EXTINF", "EXT-X-BYTERANGE", "EXT-X-DISCONTINUITY", "EXT-X-KEY", "EXT-X-MAP", "EXT-X-PROGRAM-DATE-TIME",
        "EXT-X-GAP", "EXT-X-BITRATE", "EXT-X-PART",
    ]

    static func check(
        _ delta: PlaylistDocument, _ deltaText: String, of whole: PlaylistDocument, _ wholeText: String
    ) -> [Finding] {
        var findings = placeFindings(delta)
        func report(_ message: String, line: Int? = nil) {
            findings.append(Finding(rule: "bis 6.2.5.1", url: delta.url, line: line, message: message))
        }
        let skip = delta.first("EXT-X-SKIP")
        let expected = skippableCount(of: whole)
        if delta.skippedCount != expected {
            report("\(delta.skippedCount) segments are skipped, \(expected) lie beyond the boundary", line: skip?.line)
        }
        let skipsDateRanges = skip?.attributes["RECENTLY-REMOVED-DATERANGES"] != nil
        if skipsDateRanges, whole.first("EXT-X-SERVER-CONTROL")?.attributes["CAN-SKIP-DATERANGES"] != "YES" {
            report("date ranges are skipped without CAN-SKIP-DATERANGES", line: skip?.line)
        }
        let left = lines(of: delta, deltaText, without: 0)
        let right = lines(of: whole, wholeText, without: delta.skippedCount)
        if let difference = difference(left, right, skipsDateRanges: skipsDateRanges) { report(difference) }
        return findings
    }

    /// One, behind MEDIA-SEQUENCE and in front of every segment's tags.
    private static func placeFindings(_ delta: PlaylistDocument) -> [Finding] {
        let skips = delta.all("EXT-X-SKIP")
        guard let skip = skips.first else { return [] }
        let sequence = delta.first("EXT-X-MEDIA-SEQUENCE")?.line ?? 0
        let firstTag = delta.tags.first { segmentTags.contains($0.name) }?.line ?? .max
        let message: String
        if skips.count > 1 {
            message = "\(skips.count) EXT-X-SKIP"
        } else if !(sequence..<firstTag).contains(skip.line) {
            message = "EXT-X-SKIP does not stand where the segments were"
        } else if skip.attributes["SKIPPED-SEGMENTS"].flatMap({ Int($0) }) == nil {
            message = "no SKIPPED-SEGMENTS"
        } else {
            return []
        }
        return [Finding(rule: "bis 4.4.5.2", url: delta.url, line: skip.line, message: message)]
    }

    /// Segments further from the end of the last one than CAN-SKIP-UNTIL.
    private static func skippableCount(of whole: PlaylistDocument) -> Int {
        guard !whole.isEnded, let boundary = whole.decimal("CAN-SKIP-UNTIL", of: "EXT-X-SERVER-CONTROL") else {
            return 0
        }
        var ends: [Double] = []
        var distance = 0.0
        for segment in whole.segments.reversed() {
            ends.append(distance)
            distance += segment.duration ?? 0
        }
        return ends.filter { $0 > boundary }.count
    }

    /// Line numbers count from 1 and name what is skipped; the version may differ, and the skip is in one text only.
    private static func lines(of document: PlaylistDocument, _ text: String, without count: Int) -> [Substring] {
        var leftOut: Set<Int> = []
        for segment in document.segments.prefix(max(0, count)) {
            leftOut.insert(segment.line)
            leftOut.formUnion(segment.tags.filter { segmentTags.contains($0.name) }.map(\.line))
        }
        for tag in document.tags where ["EXT-X-VERSION", "EXT-X-SKIP"].contains(tag.name) { leftOut.insert(tag.line) }
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { !leftOut.contains($0.offset + 1) && !$0.element.isEmpty }.map(\.element)
    }

    /// The first line that is not the same in both; date ranges may be missing from an update that skips them.
    private static func difference(_ delta: [Substring], _ whole: [Substring], skipsDateRanges: Bool) -> String? {
        var rest = delta[...]
        for line in whole {
            if rest.first == line {
                rest = rest.dropFirst()
            } else if !(skipsDateRanges && line.hasPrefix("#EXT-X-DATERANGE:")) {
                return "the update has \(rest.first ?? "nothing") where the whole playlist has \(line)"
            }
        }
        return rest.first.map { "the update has \($0), the whole playlist has not" }
    }
}
