import HLSConformance
import Testing

struct LivePlaylistHistoryTests {
    private func rules(_ texts: String...) -> [String] {
        var history = LivePlaylistHistory()
        for text in texts {
            history.add(
                PlaylistLoad(url: "http://127.0.0.1/v.m3u8", text: text, contentType: nil, contentEncoding: nil))
        }
        return history.findings.map(\.rule)
    }

    private func live(_ first: Int, discontinuities: Set<Int> = [], sequence: Int = 0) -> String {
        PresentationFixture.live("video", first: first, discontinuities: discontinuities)
            .replacing("DISCONTINUITY-SEQUENCE:0", with: "DISCONTINUITY-SEQUENCE:\(sequence)")
    }

    @Test func acceptsAWindowThatSlides() {
        #expect(rules(live(0), live(0), live(1), live(3), live(30)) == [])
    }

    @Test func nothingFollowsAnEndButAnotherPlaylist() {
        let end = "#EXT-X-ENDLIST\n"
        #expect(rules(live(0), live(0) + end, live(0) + end) == [])
        #expect(rules(live(0), live(0) + end, live(50)) == [])
        #expect(rules(live(0), live(0) + end, live(50).replacing("TARGETDURATION:2", with: "TARGETDURATION:3")) == [])
        #expect(rules(live(0), live(0) + end, live(0)) == ["bis 4.4.3.4"])
        #expect(rules(live(0), live(0) + end, live(1) + end) == ["bis 4.4.3.4"])
    }

    @Test func acceptsADiscontinuityThatPassesThroughTheWindow() {
        #expect(
            rules(
                live(0, discontinuities: [4]), live(4, discontinuities: [4]), live(5, sequence: 1), live(6, sequence: 1)
            )
                == [])
    }

    @Test func findsASequenceThatGoesBack() { #expect(rules(live(5), live(4)) == ["bis 6.2.2"]) }

    @Test func findsATargetDurationThatChanges() {
        #expect(rules(live(0), live(1).replacing("TARGETDURATION:2", with: "TARGETDURATION:3")) == ["bis 6.2.1"])
    }

    @Test func findsASegmentThatBecameAnother() {
        #expect(rules(live(0), live(1).replacing("video-3", with: "video-33")) == ["bis 6.2.1"])
    }

    @Test func findsSegmentsThatLeftTheEnd() {
        #expect(rules(live(0), PresentationFixture.live("video", first: 0, count: 5)) == ["bis 6.2.1"])
    }

    @Test func findsADiscontinuitySequenceThatMissedOne() {
        #expect(rules(live(0, discontinuities: [2]), live(4)) == ["bis 6.2.2"])
    }

    @Test func findsADiscontinuitySequenceThatRisesByItself() {
        #expect(rules(live(0), live(1, sequence: 1)) == ["bis 6.2.2"])
    }
}
