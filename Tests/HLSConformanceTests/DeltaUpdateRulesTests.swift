import HLSConformance
import Testing

struct DeltaUpdateRulesTests {
    private static let dateRanges = "#EXT-X-DATERANGE:ID=\"a\"\n#EXT-X-DATERANGE:ID=\"b\"\n"

    /// Ten segments of 2 s: three lie beyond 12 s.
    private static let whole =
        PresentationFixture.lowLatency("v").replacing("UNTIL=12.0", with: "UNTIL=12.0,CAN-SKIP-DATERANGES=YES")
        .replacing("#EXT-X-PRELOAD", with: dateRanges + "#EXT-X-PRELOAD")

    private static let skipped =
        """
        #EXT-X-MAP:URI="v-init.mp4"
        #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
        #EXTINF:2.00000,
        v-0.m4s
        #EXTINF:2.00000,
        v-1.m4s
        #EXTINF:2.00000,
        v-2.m4s

        """

    private static let delta =
        whole.replacing(skipped, with: "#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n").replacing("VERSION:6", with: "VERSION:9")

    private static let deltaV2 =
        delta.replacing("SEGMENTS=3", with: "SEGMENTS=3,RECENTLY-REMOVED-DATERANGES=\"\"")
        .replacing("#EXT-X-DATERANGE:ID=\"a\"\n", with: "").replacing("VERSION:9", with: "VERSION:10")

    private func rules(_ delta: String, of whole: String = Self.whole) -> Set<String> {
        func load(_ text: String) -> PlaylistLoad {
            PlaylistLoad(url: "http://127.0.0.1/v.m3u8", text: text, contentType: nil, contentEncoding: nil)
        }
        return Set(HLSConformance.check(deltaUpdate: load(delta), of: load(whole)).map(\.rule))
    }

    @Test func acceptsUpdatesThatSayTheSame() {
        #expect(Self.whole.contains(Self.skipped))
        #expect(rules(Self.delta) == [])
        #expect(rules(Self.deltaV2) == [])
    }

    @Test func acceptsTheWholeWhereNothingLiesBeyond() {
        let short = PresentationFixture.lowLatency("v", count: 7)
        #expect(rules(short, of: short) == [])
        let ended = Self.whole + "#EXT-X-ENDLIST\n"
        #expect(rules(ended, of: ended) == [])
    }

    @Test(
        arguments: [
            ("SEGMENTS=3", "SEGMENTS=2", ["bis 6.2.5.1"]), ("SEGMENTS=3", "SEGMENTS=4", ["bis 6.2.5.1"]),
            ("SEGMENTS=3", "X=3", ["bis 6.2.5.1", "bis 4.4.5.2"]),
            (
                "#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n", "#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n",
                ["bis 4.4.5.2"]
            ),
            (
                "#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:2.00000,\n",
                "#EXTINF:2.00000,\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n", ["bis 4.4.5.2"]
            ),
            ("VERSION:9", "VERSION:6", ["bis 8"]), ("VERSION:9", "VERSION:10", ["bis 8"]),
            ("#EXT-X-DATERANGE:ID=\"a\"\n", "", ["bis 6.2.5.1"]), ("v-3.m4s", "v-33.m4s", ["bis 6.2.5.1"]),
            ("#EXT-X-DISCONTINUITY-SEQUENCE:0\n", "", ["bis 6.2.5.1"]),
            ("#EXT-X-DISCONTINUITY-SEQUENCE:0\n", "#EXT-X-DISCONTINUITY-SEQUENCE:1\n", ["bis 6.2.5.1"]),
            ("MEDIA-SEQUENCE:0", "MEDIA-SEQUENCE:3", ["bis 6.2.5.1"]),
            ("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"v-10.2.m4s\"\n", "", ["bis 6.2.5.1"]),
            ("#EXTINF:2.00000,\nv-3", "#EXT-X-MAP:URI=\"v-init.mp4\"\n#EXTINF:2.00000,\nv-3", ["bis 6.2.5.1"]),
        ] as [(String, String, Set<String>)])
    func findsWhatAnUpdateBreaks(_ old: String, _ new: String, _ expected: Set<String>) {
        #expect(Self.delta.contains(old))
        #expect(rules(Self.delta.replacing(old, with: new)) == expected)
    }

    @Test func findsAnUpdateOfWhatAllowsNone() {
        let ended = Self.whole + "#EXT-X-ENDLIST\n"
        #expect(rules(Self.delta + "#EXT-X-ENDLIST\n", of: ended) == ["bis 6.2.5.1"])
        let control = ",CAN-SKIP-UNTIL=12.0,CAN-SKIP-DATERANGES=YES"
        #expect(
            rules(Self.delta.replacing(control, with: ""), of: Self.whole.replacing(control, with: ""))
                == ["bis 6.2.5.1"])
        let ranges = ",CAN-SKIP-DATERANGES=YES"
        #expect(
            rules(Self.deltaV2.replacing(ranges, with: ""), of: Self.whole.replacing(ranges, with: ""))
                == ["bis 6.2.5.1"])
    }

    @Test func findsWhatIsNotInTheWhole() {
        #expect(rules(Self.delta + "#EXT-X-RENDITION-REPORT:URI=\"a\"\n") == ["bis 6.2.5.1"])
        #expect(rules(Self.whole) == ["bis 6.2.5.1"])
    }
}
