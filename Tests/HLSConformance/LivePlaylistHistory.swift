/// Successive loads of one live media playlist: bis 6.2.1 and 6.2.2.
package struct LivePlaylistHistory: Sendable {
    package internal(set) var findings: [Finding] = []
    private var last: PlaylistDocument?

    package init() {}

    /// The newest playlist's highest media sequence number; `nil` before the first load.
    package var lastSequenceNumber: Int? { last.map { $0.mediaSequence + $0.segments.count - 1 } }

    package mutating func add(_ load: PlaylistLoad) {
        let document = PlaylistDocument(load)
        defer { last = document }
        guard let last else { return }
        check(document, after: last)
    }

    mutating func report(_ rule: String, _ document: PlaylistDocument, _ tag: String, _ message: String) {
        findings.append(Finding(rule: rule, url: document.url, line: document.first(tag)?.line, message: message))
    }

    private mutating func check(_ document: PlaylistDocument, after last: PlaylistDocument) {
        // A playlist that comes after the end of another one is cut again from its beginning.
        if document.targetDuration != last.targetDuration, !last.isEnded {
            report(
                "bis 6.2.1", document, "EXT-X-TARGETDURATION",
                "the target duration changed from \(last.targetDuration) to \(document.targetDuration)")
        }
        if document.mediaSequence < last.mediaSequence {
            report(
                "bis 6.2.2", document, "EXT-X-MEDIA-SEQUENCE",
                "the media sequence went back from \(last.mediaSequence) to \(document.mediaSequence)")
            return
        }
        if last.isEnded {
            checkBehindEnd(document, after: last)
            return
        }
        let end = document.mediaSequence + document.segments.count
        if end < last.mediaSequence + last.segments.count {
            report("bis 6.2.1", document, "EXT-X-MEDIA-SEQUENCE", "segments left the end of the playlist")
        }
        checkSegments(document, after: last)
        checkDiscontinuitySequence(document, after: last)
        checkLowLatency(document, after: last)
    }

    /// bis 4.4.3.4: nothing is added to a playlist that has ended. Another one under the same URL has none of its
    /// segments.
    private mutating func checkBehindEnd(_ document: PlaylistDocument, after last: PlaylistDocument) {
        let isSame = document.isEnded && document.segments.map(\.uri) == last.segments.map(\.uri)
        guard !isSame, document.mediaSequence < last.mediaSequence + last.segments.count else { return }
        report("bis 4.4.3.4", document, "EXT-X-MEDIA-SEQUENCE", "the playlist goes on after its EXT-X-ENDLIST")
    }

    /// A number means one segment for ever: the same URI, duration and discontinuity.
    private mutating func checkSegments(_ document: PlaylistDocument, after last: PlaylistDocument) {
        for (index, segment) in document.segments.enumerated() {
            let old = document.mediaSequence + index - last.mediaSequence
            guard last.segments.indices.contains(old) else { continue }
            let before = last.segments[old]
            guard before.uri != segment.uri || before.duration != segment.duration else { continue }
            findings.append(
                Finding(
                    rule: "bis 6.2.1", url: document.url, line: segment.line,
                    message: "segment \(document.mediaSequence + index) was \(before.uri), now it is \(segment.uri)"))
        }
    }

    /// bis 6.2.2: one more for each DISCONTINUITY that left with its segment.
    private mutating func checkDiscontinuitySequence(_ document: PlaylistDocument, after last: PlaylistDocument) {
        let removed = document.mediaSequence - last.mediaSequence
        // Segments that came and went between two loads were never seen.
        guard removed <= last.segments.count else { return }
        let gone = last.segments.prefix(removed).filter { $0.tag("EXT-X-DISCONTINUITY") != nil }.count
        let expected = last.discontinuitySequence + gone
        // A server may count a DISCONTINUITY when its segment leaves, or when that segment becomes the first.
        let startsWith = document.segments.first?.tag("EXT-X-DISCONTINUITY") == nil
        let wasFirst = last.discontinuities.contains(document.mediaSequence)
        let allowed = startsWith && wasFirst ? [expected, expected + 1] : [expected]
        guard !allowed.contains(document.discontinuitySequence) else { return }
        report(
            "bis 6.2.2", document, "EXT-X-DISCONTINUITY-SEQUENCE",
            "the discontinuity sequence is \(document.discontinuitySequence), it should be \(expected)")
    }
}
