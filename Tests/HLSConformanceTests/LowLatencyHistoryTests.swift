import HLSConformance
import Testing

struct LowLatencyHistoryTests {
    private func rules(_ texts: String...) -> [String] {
        var history = LivePlaylistHistory()
        for text in texts {
            history.add(
                PlaylistLoad(url: "http://127.0.0.1/v.m3u8", text: text, contentType: nil, contentEncoding: nil))
        }
        return history.findings.map(\.rule)
    }

    private func playlist(_ first: Int, _ openPartCount: Int) -> String {
        PresentationFixture.lowLatency("v", first: first, openPartCount: openPartCount)
    }

    @Test func acceptsAPlaylistThatGrowsByParts() {
        #expect(
            rules(
                playlist(0, 0), playlist(0, 0), playlist(0, 1), playlist(0, 2), playlist(0, 3), playlist(1, 0),
                playlist(1, 1), playlist(2, 0)) == [])
    }

    @Test func acceptsLoadsFarApart() {
        #expect(rules(playlist(0, 3), playlist(1, 2), playlist(2, 3), playlist(5, 1), playlist(50, 0)) == [])
    }

    @Test(arguments: [
        ("PART-TARGET=0.5", "PART-TARGET=0.51", "bis 4.4.3.7 change"),
        ("PART-TARGET=0.5", "X=1", "bis 4.4.3.7 change"),
        (",HOLD-BACK=6.0", ",HOLD-BACK=6.5", "bis 4.4.3.8 change"),
        (",HOLD-BACK=6.0", "", "bis 4.4.3.8 change"),
        ("PART-HOLD-BACK=1.5", "PART-HOLD-BACK=1.6", "bis 4.4.3.8 change"),
        ("CAN-SKIP-UNTIL=12.0", "CAN-SKIP-UNTIL=13.0", "bis 4.4.3.8 change"),
        ("TARGETDURATION:2", "TARGETDURATION:3", "bis 6.2.1"),
    ])
    func findsAValueThatChanges(_ old: String, _ new: String, _ rule: String) {
        #expect(rules(playlist(0, 1), playlist(0, 2).replacing(old, with: new)) == [rule])
    }

    @Test func findsAPartThatBecameAnother() {
        #expect(rules(playlist(0, 2), playlist(0, 3).replacing("v-10.0.", with: "v-10.00.")) == ["bis 6.2.1 parts"])
        #expect(rules(playlist(0, 2), playlist(1, 0).replacing("v-10.0.", with: "v-10.00.")) == ["bis 6.2.1 parts"])
        #expect(rules(playlist(0, 2), playlist(0, 2).replacing("v-9.3.", with: "v-9.33.")) == ["bis 6.2.1 parts"])
        #expect(
            rules(playlist(0, 2), playlist(0, 2).replacing("0.50000,URI=\"v-9.3", with: "0.49,URI=\"v-9.3"))
                == ["bis 6.2.1 parts"])
    }

    @Test func findsPartsThatLeftTheEnd() {
        #expect(rules(playlist(0, 2), playlist(0, 1)) == ["bis 6.2.1 parts"])
        #expect(rules(playlist(0, 2), playlist(0, 0)) == ["bis 6.2.1 parts"])
    }

    @Test func findsAHintThatDidNotComeTrue() {
        let hint = "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"v-10"
        let other = "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"w-10"
        // The next part is in the same segment, in the next, or the first of the open one.
        #expect(rules(playlist(0, 1).replacing(hint, with: other), playlist(0, 2)) == ["bis 6.2.6 hint"])
        #expect(rules(playlist(0, 0).replacing(hint, with: other), playlist(0, 1)) == ["bis 6.2.6 hint"])
        #expect(rules(playlist(0, 3).replacing(hint, with: other), playlist(1, 1)) == ["bis 6.2.6 hint"])
        // Nothing has come yet.
        #expect(rules(playlist(0, 1).replacing(hint, with: other), playlist(0, 1)) == [])
    }

    /// A segment may end early: then what was hinted as its next part is the first of the one after it.
    @Test func readsAHintBeyondTheEndOfASegment() {
        let hinted = playlist(0, 4)
        let kept = playlist(1, 1).replacing("v-11.0.", with: "v-10.4.")
        #expect(rules(hinted, kept) == [])
        #expect(rules(hinted, playlist(1, 1)) == ["bis 6.2.6 hint"])
    }

    @Test func acceptsADiscontinuityInPlaceOfTheHint() {
        let next = playlist(1, 1).replacing(
            "#EXT-X-PART:DURATION=0.50000,URI=\"v-11.0",
            with: "#EXT-X-DISCONTINUITY\n#EXT-X-PART:DURATION=0.50000,URI=\"n")
        #expect(rules(playlist(0, 4), next) == [])
    }
}
