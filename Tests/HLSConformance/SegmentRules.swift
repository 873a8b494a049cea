/// The rules for a rendition's bytes: 1.10, 7.1 to 7.4, 8.1, 10.4.
enum SegmentRules {
    static func check(_ rendition: RenditionLoad, _ document: PlaylistDocument) -> [Finding] {
        var checker = SegmentChecker(rendition: rendition, document: document)
        checker.run()
        return checker.findings
    }
}

private struct SegmentChecker {
    let rendition: RenditionLoad
    let document: PlaylistDocument
    var findings: [Finding] = []
    /// Where the next segment must start; `nil` after a discontinuity or a segment that was not loaded.
    private var expectedTime: UInt64?
    /// EXTINF and media durations since `expectedTime` was last unknown, in seconds.
    private var declaredSum = 0.0
    private var mediaSum = 0.0
    private var sections: [String: InitializationInspection] = [:]

    init(rendition: RenditionLoad, document: PlaylistDocument) {
        self.rendition = rendition
        self.document = document
    }

    private mutating func report(_ rule: String, line: Int, _ message: String) {
        findings.append(Finding(rule: rule, url: document.url, line: line, message: message))
    }

    mutating func run() {
        for (segment, section) in zip(document.segments, document.initializationSections) {
            if segment.tag("EXT-X-DISCONTINUITY") != nil { forgetTime() }
            guard let load = rendition.resources[resolve(segment.uri, against: document.url)] else {
                forgetTime()
                continue
            }
            guard let section else { continue }
            guard let track = inspect(section: section, line: segment.line) else { continue }
            checkType(load.contentType, track, line: segment.line)
            guard let fragments = FragmentInspection(load.bytes, in: track), track.timescale > 0 else {
                report("8.20", line: segment.line, "no movie fragment in \(segment.uri)")
                forgetTime()
                continue
            }
            check(fragments, of: track, segment)
        }
    }

    private mutating func forgetTime() {
        expectedTime = nil
        (declaredSum, mediaSum) = (0, 0)
    }

    private mutating func inspect(section: String, line: Int) -> InitializationInspection? {
        let url = resolve(section, against: document.url)
        if let known = sections[url] { return known }
        guard let load = rendition.resources[url] else { return nil }
        guard let track = InitializationInspection(load.bytes) else {
            report("8.20", line: line, "\(section) is no initialization section")
            return nil
        }
        sections[url] = track
        if ["avc3", "hev1"].contains(track.sampleEntry) {
            report("1.10", line: line, "the sample entry of \(section) is \(track.sampleEntry)")
        }
        return track
    }

    private mutating func checkType(_ contentType: String?, _ track: InitializationInspection, line: Int) {
        let allowed =
            track.handler == "vide" ? ["video/mp4", "video/iso.segment"] : ["audio/mp4", "video/iso.segment"]
        if let contentType, !allowed.contains(contentType) {
            report("10.4", line: line, "the segment's type is \(contentType)")
        }
    }

    private mutating func check(
        _ fragments: FragmentInspection, of track: InitializationInspection, _ segment: PlaylistDocument.Segment
    ) {
        if track.handler == "vide", !fragments.startsWithSyncSample {
            report("7.4", line: segment.line, "\(segment.uri) does not start with a sync sample")
        }
        if !fragments.isContinuous { report("7.3", line: segment.line, "a gap inside \(segment.uri)") }
        if let expectedTime, expectedTime != fragments.decodeTime {
            report("7.1", line: segment.line, "tfdt is \(fragments.decodeTime), it should be \(expectedTime)")
        }
        expectedTime = fragments.decodeTime &+ fragments.duration
        let timescale = Double(track.timescale)
        let frame = Double(fragments.longestSample) / timescale
        mediaSum += Double(fragments.duration) / timescale
        declaredSum += segment.duration ?? 0
        if abs(mediaSum - declaredSum) > frame + 0.001 {
            report("8.1", line: segment.line, "EXTINF adds up to \(declaredSum) s so far, the media to \(mediaSum) s")
        }
    }
}
