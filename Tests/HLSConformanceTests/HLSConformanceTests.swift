import HLSConformance
import Testing

/// One way to break a presentation, and the rules that must be found broken.
struct Breakage: Sendable, CustomTestStringConvertible {
    var rules: Set<String>
    var label: String
    var change: @Sendable (inout PresentationFixture) -> Void
    var testDescription: String { "\(rules.sorted().joined(separator: " ")): \(label)" }

    init(_ rules: String..., label: String, _ change: @escaping @Sendable (inout PresentationFixture) -> Void) {
        (self.rules, self.label, self.change) = (Set(rules), label, change)
    }

    /// Replaces text in one of the playlists.
    static func replacing(
        _ rules: String..., in playlist: any WritableKeyPath<PresentationFixture, String> & Sendable, _ old: String,
        with new: String
    ) -> Breakage {
        var breakage = Breakage(label: "\(old) becomes \(new.isEmpty ? "nothing" : new)") { fixture in
            fixture[keyPath: playlist] = fixture[keyPath: playlist].replacing(old, with: new)
        }
        breakage.rules = Set(rules)
        return breakage
    }
}

struct HLSConformanceTests {
    @Test func findsNothingInATitleThatKeepsTheRules() {
        #expect(HLSConformance.check(PresentationFixture().presentation).map(\.description) == [])
    }

    @Test func findsNothingInAChannelThatKeepsTheRules() {
        var fixture = PresentationFixture.live
        fixture.hasFullWindow = true
        #expect(HLSConformance.check(fixture.presentation).map(\.description) == [])
    }

    @Test(arguments: [
        Breakage.replacing("bis 4.4.1.1", in: \.multivariant, "#EXTM3U", with: "#EXTM3"),
        .replacing("9.11", in: \.multivariant, "#EXT-X-INDEPENDENT-SEGMENTS\n", with: ""),
        .replacing("9.1", in: \.multivariant, "CODECS=\"avc1.64001F,mp4a.40.2\",RESOLUTION=640x360,", with: ""),
        .replacing("9.3", in: \.multivariant, "RESOLUTION=640x360,", with: ""),
        .replacing("9.15", in: \.multivariant, "FRAME-RATE=25.000,", with: ""),
        .replacing("9.13", "9.14", in: \.multivariant, ":BANDWIDTH=16000", with: ":X=1"),
        .replacing("9.14", in: \.multivariant, ",AVERAGE-BANDWIDTH=16000", with: ""),
        .replacing("1.10", in: \.multivariant, "avc1.64001F", with: "avc3.64001F"),
        .replacing("8.9", "1.26", "1.27", in: \.multivariant, "AUDIO=\"audio\"", with: "AUDIO=\"sound\""),
        .replacing("8.10", in: \.multivariant, "LANGUAGE=\"und\",", with: ""),
        .replacing("1.26", in: \.multivariant, "AVERAGE-BANDWIDTH=16000", with: "AVERAGE-BANDWIDTH=14000"),
        .replacing("1.27", in: \.multivariant, ":BANDWIDTH=16000", with: ":BANDWIDTH=18500"),
        .replacing("bis 8", in: \.multivariant, "VERSION:6", with: "VERSION:7"),
        .replacing(
            "9.2", "9.4", "9.14", in: \.multivariant, "#EXT-X-STREAM-INF",
            with: "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i.m3u8\"\n#EXT-X-STREAM-INF"),
    ])
    func findsWhatAMultivariantPlaylistBreaks(_ breakage: Breakage) { expectFindings(of: breakage) }

    @Test(arguments: [
        Breakage.replacing("bis 8", in: \.video, "VERSION:6", with: "VERSION:7"),
        .replacing("bis 8", in: \.video, "VERSION:6", with: "VERSION:3"),
        .replacing("7.7", "8.2", in: \.video, "TARGETDURATION:6", with: "TARGETDURATION:5"),
        .replacing("8.2", in: \.video, "TARGETDURATION:6", with: "TARGETDURATION:7"),
        .replacing("8.6", in: \.video, "#EXT-X-PLAYLIST-TYPE:VOD\n", with: ""),
        .replacing("8.4", "8.6", in: \.video, "#EXT-X-ENDLIST\n", with: ""),
        .replacing("8.20", "bis 8", in: \.video, "#EXT-X-MAP:URI=\"video-init.mp4\"\n", with: ""),
        .replacing("8.1", "8.3", in: \.video, "6.00000,\nvideo-1", with: "5.40000,\nvideo-1"),
        .replacing("8.1", in: \.video, "6.00000,\nvideo-1", with: "5.90000,\nvideo-1"),
        .replacing("bis 4.4.4.1", "8.1", in: \.audio, "#EXTINF:6.00000,\naudio-2", with: "audio-2"),
        Breakage("10.4", label: "an unknown type") { $0.contentType = "audio/x-mpegurl" },
        Breakage("10.1", label: "no gzip") { $0.contentEncoding = nil },
    ])
    func findsWhatAMediaPlaylistBreaks(_ breakage: Breakage) { expectFindings(of: breakage) }

    @Test(arguments: [
        Breakage("7.4", label: "no key frame first") { fixture in
            fixture.videoSegments = PresentationFixture.segments(sync: false)
        },
        Breakage("7.1", label: "a segment that starts late") { fixture in
            fixture.audioSegments[1] = PresentationFixture.segment(
                decodeTime: 6_010, sampleDuration: 40, sampleCount: 150, sync: true)
            fixture.audioSegments[2] = PresentationFixture.segment(
                decodeTime: 12_010, sampleDuration: 40, sampleCount: 150, sync: true)
        },
        Breakage("7.3", label: "a gap between two fragments") { fixture in
            let half = {
                PresentationFixture.segment(
                    decodeTime: $0, sampleDuration: 40, sampleCount: 75, sync: true, byteCount: 3_000)
            }
            fixture.videoSegments[1] = half(6_000) + half(9_001)
        },
        Breakage("8.1", "7.1", label: "a segment that lacks a frame") { fixture in
            fixture.videoSegments[1] = PresentationFixture.segment(
                decodeTime: 6_000, sampleDuration: 40, sampleCount: 148, sync: true)
        },
        Breakage("1.10", label: "parameter sets in band") { $0.videoEntry = "avc3" },
        Breakage("8.20", label: "no fragment") { $0.videoSegments[2] = [UInt8](repeating: 0, count: 6_000) },
        Breakage("10.4", label: "a type that is none") { $0.segmentType = "application/octet-stream" },
    ])
    func findsWhatSegmentsBreak(_ breakage: Breakage) { expectFindings(of: breakage) }

    @Test(arguments: [
        Breakage("8.11", label: "a short window") { fixture in
            fixture.hasFullWindow = true
            fixture.video = PresentationFixture.live("video", count: 5)
        },
        .replacing("8.4", in: \.video, "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z\n", with: ""),
        .replacing("8.6", in: \.video, "#EXT-X-MAP", with: "#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-MAP"),
        Breakage("8.13", label: "a discontinuity in video only") { fixture in
            fixture.video = PresentationFixture.live("video", discontinuities: [3])
        },
        Breakage("8.17", label: "no discontinuity sequence") { fixture in
            fixture.video = PresentationFixture.live("video", discontinuities: [3])
                .replacing("#EXT-X-DISCONTINUITY-SEQUENCE:0\n", with: "")
            fixture.audio = PresentationFixture.live("audio", discontinuities: [3])
        },
    ])
    func findsWhatAChannelBreaks(_ breakage: Breakage) { expectFindings(of: breakage, in: .live) }

    /// A gap holds no media, so it needs no initialization section.
    @Test func acceptsAGapInFrontOfTheFirstInitializationSection() {
        var fixture = PresentationFixture.live
        fixture.video = fixture.video.replacing("#EXT-X-MAP:URI=\"video-init.mp4\"\n", with: "#EXT-X-GAP\n")
            .replacing("#EXTINF:2.00000,\nvideo-1", with: "#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:2.00000,\nvideo-1")
        #expect(HLSConformance.check(fixture.presentation).map(\.description) == [])
    }

    @Test func namesTheLineThatBreaksARule() throws {
        var fixture = PresentationFixture()
        fixture.multivariant = fixture.multivariant.replacing("LANGUAGE=\"und\",", with: "")
        let finding = try #require(HLSConformance.check(fixture.presentation).first)
        #expect(finding.line == 4)
        #expect(finding.description == "http://127.0.0.1/vod/title/playlist.m3u8:4: 8.10: no LANGUAGE")
    }

    @Test func bearsBytesThatAreCutAnywhere() {
        let whole = PresentationFixture.segments(sync: true)[0]
        for count in 0..<140 {
            var fixture = PresentationFixture()
            fixture.videoSegments[0] = Array(whole.prefix(count))
            #expect(!HLSConformance.check(fixture.presentation).isEmpty)
        }
    }

    private func expectFindings(of breakage: Breakage, in start: PresentationFixture = PresentationFixture()) {
        breakage.expectFindings(in: start)
    }
}

extension Breakage {
    /// Exactly the rules that are broken must be named.
    func expectFindings(in start: PresentationFixture, sourceLocation: SourceLocation = #_sourceLocation) {
        var fixture = start
        change(&fixture)
        let findings = HLSConformance.check(fixture.presentation)
        #expect(Set(findings.map(\.rule)) == rules, "\(findings)", sourceLocation: sourceLocation)
    }
}
