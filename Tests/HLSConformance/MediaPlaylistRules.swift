/// The rules that a media playlist follows by itself.
enum MediaPlaylistRules {
    static func check(_ document: PlaylistDocument, hasFullWindow: Bool) -> [Finding] {
        var checker = MediaPlaylistChecker(document: document)
        checker.checkSegments()
        checker.checkKind(hasFullWindow: hasFullWindow)
        return checker.findings
    }
}

private struct MediaPlaylistChecker {
    let document: PlaylistDocument
    var findings: [Finding] = []

    private mutating func report(_ rule: String, line: Int? = nil, _ message: String) {
        findings.append(Finding(rule: rule, url: document.url, line: line, message: message))
    }

    mutating func checkSegments() {
        if document.firstLine != "#EXTM3U" { report("bis 4.4.1.1", line: 1, "no #EXTM3U") }
        if document.targetDuration <= 0 { report("bis 4.4.3.1", "no EXT-X-TARGETDURATION") }
        for (segment, section) in zip(document.segments, document.initializationSections) {
            guard let duration = segment.duration else {
                report("bis 4.4.4.1", line: segment.line, "a segment without EXTINF")
                continue
            }
            if duration > Double(document.targetDuration) + 0.5 {
                report(
                    "7.7", line: segment.line, "\(duration) s with a target duration of \(document.targetDuration) s")
            }
            let path = segment.uri.prefix { $0 != "?" }
            let isGap = segment.tag("EXT-X-GAP") != nil
            if section == nil, !isGap, path.hasSuffix(".m4s") || path.hasSuffix(".mp4") {
                report("8.20", line: segment.line, "an fMP4 segment without EXT-X-MAP")
            }
        }
    }

    mutating func checkKind(hasFullWindow: Bool) {
        let type = document.first("EXT-X-PLAYLIST-TYPE")
        if document.isEnded {
            if type?.value != "VOD", document.mediaSequence == 0 {
                report("8.6", line: type?.line, "ENDLIST without EXT-X-PLAYLIST-TYPE:VOD")
            }
            return
        }
        if let type { report("8.6", line: type.line, "a sliding window with EXT-X-PLAYLIST-TYPE:\(type.value)") }
        if !document.segments.isEmpty, document.first("EXT-X-PROGRAM-DATE-TIME") == nil {
            report("8.4", "a live playlist without EXT-X-PROGRAM-DATE-TIME")
        }
        if hasFullWindow, document.segments.count < 6 {
            report("8.11", "only \(document.segments.count) segments in the window")
        }
        if let tag = document.first("EXT-X-DISCONTINUITY"), document.first("EXT-X-DISCONTINUITY-SEQUENCE") == nil {
            report("8.17", line: tag.line, "EXT-X-DISCONTINUITY without EXT-X-DISCONTINUITY-SEQUENCE")
        }
    }
}

/// The rules on which all renditions of a presentation must agree.
enum RenditionRules {
    static func check(_ documents: [PlaylistDocument]) -> [Finding] {
        guard let first = documents.first else { return [] }
        return documents.dropFirst().flatMap { other in
            var findings: [Finding] = []
            if other.targetDuration != first.targetDuration {
                findings.append(
                    Finding(
                        rule: "8.2", url: other.url, line: other.first("EXT-X-TARGETDURATION")?.line,
                        message: "target duration \(other.targetDuration), \(first.targetDuration) in \(first.url)"))
            }
            findings += durationFindings(first, other)
            findings += discontinuityFindings(first, other)
            return findings
        }
    }

    /// 8.3; the last segment of a complete playlist holds what is left of its track.
    private static func durationFindings(_ first: PlaylistDocument, _ other: PlaylistDocument) -> [Finding] {
        shared(first, other).compactMap { number in
            let (left, right) = (number - first.mediaSequence, number - other.mediaSequence)
            let isLast = left == first.segments.count - 1 || right == other.segments.count - 1
            guard !isLast, let expected = first.segments[left].duration, let found = other.segments[right].duration,
                abs(expected - found) > 0.5
            else { return nil }
            return Finding(
                rule: "8.3", url: other.url, line: other.segments[right].line,
                message: "\(found) s, \(expected) s in \(first.url)")
        }
    }

    /// 8.13 to 8.15; only segments that both playlists hold are compared, they are loaded one after the other.
    private static func discontinuityFindings(_ first: PlaylistDocument, _ other: PlaylistDocument) -> [Finding] {
        let numbers = Set(shared(first, other))
        let differing = first.discontinuities.intersection(numbers)
            .symmetricDifference(other.discontinuities.intersection(numbers))
        return differing.sorted().map { number in
            Finding(
                rule: "8.13", url: other.url,
                message: "EXT-X-DISCONTINUITY before segment \(number) in one rendition only")
        }
    }

    private static func shared(_ first: PlaylistDocument, _ other: PlaylistDocument) -> Range<Int> {
        let start = max(first.mediaSequence, other.mediaSequence)
        let end = min(
            first.mediaSequence + first.segments.count, other.mediaSequence + other.segments.count)
        return start..<max(start, end)
    }
}
