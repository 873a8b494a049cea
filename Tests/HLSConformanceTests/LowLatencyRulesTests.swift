import HLSConformance
import Testing

struct LowLatencyRulesTests {
    @Test func findsNothingInAChannelThatKeepsTheRules() {
        #expect(HLSConformance.check(PresentationFixture.lowLatency.presentation).map(\.description) == [])
    }

    @Test(arguments: [
        Breakage.replacing("14.3", in: \.video, "PART-HOLD-BACK=1.5", with: "PART-HOLD-BACK=1.4"),
        .replacing("14.3", in: \.video, ",PART-HOLD-BACK=1.5", with: ""),
        .replacing("bis 4.4.3.8 HOLD-BACK", in: \.video, ",HOLD-BACK=6.0", with: ",HOLD-BACK=5.9"),
        .replacing("bis 4.4.3.8 CAN-SKIP-UNTIL", in: \.video, "UNTIL=12.0", with: "UNTIL=11.9"),
        .replacing("bis 4.4.3.8 CAN-SKIP-UNTIL", in: \.video, "CAN-SKIP-UNTIL=12.0", with: "CAN-SKIP-DATERANGES=YES"),
        .replacing("bis B.1", in: \.video, "CAN-BLOCK-RELOAD=YES,", with: ""),
        .replacing(
            "bis 4.4.5.3", in: \.video, "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=", with: "#EXT-X-PRELOAD-HINT:URI="),
        .replacing("bis 4.4.5.3", "8.6", in: \.video, "#EXT-X-RENDITION-REPORT", with: "#EXT-X-ENDLIST\n#"),
        .replacing(
            "bis 6.2.6", in: \.video, "#EXT-X-PRELOAD-HINT",
            with: "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"x\"\n#EXT-X-PRELOAD-HINT"),
    ])
    func findsWhatAServerControlOrAHintBreaks(_ breakage: Breakage) { breakage.expectFindings(in: .lowLatency) }

    @Test func acceptsAHintOfEachType() {
        var fixture = PresentationFixture.lowLatency
        fixture.video += "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"i\"\n"
        #expect(HLSConformance.check(fixture.presentation).map(\.description) == [])
    }

    @Test(arguments: [
        Breakage.replacing("bis 4.4.4.9", in: \.video, "0.50000,URI=\"video-9.1", with: "0.50200,URI=\"video-9.1"),
        .replacing("bis 4.4.4.9", "bis 4.4.5.4", in: \.video, "#EXT-X-PART-INF:PART-TARGET=0.5\n", with: ""),
        .replacing("bis 4.4.4.9", in: \.video, "URI=\"video-10.1.m4s\"", with: "X=\"\""),
        .replacing(
            "bis 4.4.4.9", "bis 3.2 duration", in: \.video, "DURATION=0.50000,URI=\"video-9.1", with: "URI=\"video-9.1"),
        .replacing(
            "bis 4.4.4.9 short", "bis 3.2 duration", in: \.video, "0.50000,URI=\"video-9.1",
            with: "0.42000,URI=\"video-9.1"),
        .replacing(
            "bis 3.2 duration", in: \.video, "0.50000,URI=\"video-9.3", with: "0.45000,URI=\"video-9.3"),
        .replacing(
            "bis 3.2 duration", "8.3", in: \.video, "#EXTINF:2.00000,\nvideo-8", with: "#EXTINF:1.40000,\nvideo-8"),
        .replacing(
            "bis 4.4.4.9 order", in: \.video, "#EXTINF:2.00000,\nvideo-9",
            with: "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:18.000Z\n#EXTINF:2.00000,\nvideo-9"),
        .replacing(
            "bis 4.4.4.9 order", in: \.video, "#EXT-X-PRELOAD-HINT",
            with: "#EXT-X-MAP:URI=\"video-init.mp4\"\n#EXT-X-PRELOAD-HINT"),
        Breakage("bis 6.2.2 parts", label: "a part that ended 6.5 s before the end") { fixture in
            fixture.video = fixture.video.replacing(
                "#EXTINF:2.00000,\nvideo-7",
                with: "#EXT-X-PART:DURATION=0.5,URI=\"video-7.2.m4s\"\n#EXT-X-PART:DURATION=0.5,URI=\"video-7.3.m4s\"\n"
                    + "#EXTINF:2.00000,\nvideo-7")
            fixture.video = fixture.video.replacing(
                "#EXT-X-PRELOAD-HINT",
                with:
                    "#EXT-X-PART:DURATION=0.5,URI=\"video-10.2.m4s\"\n#EXT-X-PART:DURATION=0.5,URI=\"video-10.3.m4s\"\n"
                    + "#EXT-X-PART:DURATION=0.5,URI=\"video-10.4.m4s\"\n#EXT-X-PRELOAD-HINT")
        },
    ])
    func findsWhatPartsBreak(_ breakage: Breakage) { breakage.expectFindings(in: .lowLatency) }

    /// bis 4.4.4.9: the exceptions to 85 %.
    @Test(arguments: [
        Breakage.replacing(
            in: \.video, "0.50000,URI=\"video-9.0.m4s\",INDEPENDENT=YES",
            with: "0.02000,URI=\"video-9.0.m4s\",INDEPENDENT=YES"),
        .replacing(in: \.video, "0.50000,URI=\"video-9.1.m4s\"", with: "0.02000,URI=\"video-9.1.m4s\",GAP=YES"),
        Breakage(label: "a short part before a gap") { fixture in
            fixture.video = fixture.video.replacing("0.50000,URI=\"video-9.1.m4s\"", with: "0.02,URI=\"video-9.1.m4s\"")
                .replacing("URI=\"video-9.2.m4s\"", with: "URI=\"video-9.2.m4s\",GAP=YES")
        },
        .replacing(in: \.video, "0.50000,URI=\"video-9.3.m4s\"", with: "0.02000,URI=\"video-9.3.m4s\""),
    ])
    func acceptsPartsThatMayBeShort(_ breakage: Breakage) {
        var fixture = PresentationFixture.lowLatency
        breakage.change(&fixture)
        // The segment must last as long as its parts then.
        fixture.video = fixture.video.replacing("#EXTINF:2.00000,\nvideo-9", with: "#EXTINF:1.52000,\nvideo-9")
        fixture.resources = [:]
        #expect(HLSConformance.check(fixture.presentation).map(\.description) == [])
    }

    @Test func acceptsAShortPartAtTheOpenEnd() {
        var fixture = PresentationFixture.lowLatency
        fixture.video = fixture.video.replacing("0.50000,URI=\"video-10.1", with: "0.10000,URI=\"video-10.1")
        #expect(HLSConformance.check(fixture.presentation).map(\.description) == [])
    }

    @Test(arguments: [
        Breakage("bis 3.2", label: "another part") { $0.resources["video-9.2.m4s"]?[999] = 1 },
        Breakage("bis 3.2", label: "a part that lacks a byte") { _ = $0.resources["video-9.3.m4s"]?.popLast() },
        Breakage("bis 3.2", label: "a segment with more than its parts") { fixture in
            fixture.resources["video-9.m4s"]? += PresentationFixture.box("free", [])
        },
    ])
    func findsPartsThatHoldSomethingElse(_ breakage: Breakage) { breakage.expectFindings(in: .lowLatency) }

    @Test func readsPartsThatAreByteRanges() {
        var fixture = PresentationFixture.lowLatency
        for (index, range) in ["1000@0", "1001", "1002@2001", "1003"].enumerated() {
            fixture.video = fixture.video.replacing(
                "URI=\"video-9.\(index).m4s\"", with: "URI=\"video-9.m4s\",BYTERANGE=\"\(range)\"")
        }
        #expect(HLSConformance.check(fixture.presentation).map(\.description) == [])
        fixture.video = fixture.video.replacing("1002@2001", with: "1002@2000")
        #expect(HLSConformance.check(fixture.presentation).map(\.rule) == ["bis 3.2"])
    }

    @Test(arguments: [
        Breakage.replacing("bis 6.2.4", in: \.video, "#EXT-X-RENDITION-REPORT:", with: "#EXT-X-OTHER:"),
        .replacing("bis 6.2.4", "bis 4.4.5.4", in: \.video, "URI=\"audio.m3u8\"", with: "URI=\"video.m3u8\""),
        .replacing(
            "bis 4.4.5.4", in: \.video, "URI=\"audio.m3u8\"", with: "URI=\"http://127.0.0.1/vod/title/audio.m3u8\""),
        .replacing("bis 4.4.5.4", in: \.video, "LAST-MSN=10", with: "LAST-MSN=7"),
        .replacing("bis 4.4.5.4", in: \.video, "LAST-MSN=10", with: "LAST-MSN=13"),
        .replacing("bis 4.4.5.4", in: \.video, "LAST-MSN=10", with: "LAST-MSN=ten"),
        .replacing("bis 4.4.5.4", in: \.video, "LAST-MSN=10,LAST-PART=1", with: "LAST-MSN=9,LAST-PART=4"),
        .replacing("bis 4.4.5.4", in: \.video, "LAST-PART=1", with: "LAST-PART=x"),
        Breakage("bis 6.2.4", label: "two reports of one rendition") { fixture in
            fixture.video += "#EXT-X-RENDITION-REPORT:URI=\"audio.m3u8\",LAST-MSN=10,LAST-PART=1\n"
        },
        Breakage("bis 4.4.5.4", label: "a part of a rendition without parts") { fixture in
            fixture.audio = PresentationFixture.live("audio", count: 10)
        },
    ])
    func findsWhatRenditionReportsBreak(_ breakage: Breakage) { breakage.expectFindings(in: .lowLatency) }

    @Test(arguments: ["", "LAST-MSN=10", "LAST-PART=0", "LAST-MSN=9,LAST-PART=3", "LAST-MSN=11,LAST-PART=7"])
    func acceptsReportsThatCanBeTrue(_ attributes: String) {
        var fixture = PresentationFixture.lowLatency
        fixture.video = fixture.video.replacing(
            ",LAST-MSN=10,LAST-PART=1", with: attributes.isEmpty ? "" : "," + attributes)
        #expect(HLSConformance.check(fixture.presentation).map(\.description) == [])
    }
}
