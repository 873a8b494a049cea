import Testing

@testable import LibAV

struct CodecNameTests {
    private func tag(_ text: String) -> UInt32 { text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    @Test func namesWhatLibavDoesNotKnow() {
        #expect(CodecName(libavName: "none", tag: tag("vvc1")).text == "VVC (H.266)")
        #expect(CodecName(libavName: "vvc", tag: 0).text == "VVC (H.266)")
        #expect(CodecName(libavName: "ac4", tag: tag("ac-4")).text == "AC-4")
        #expect(CodecName(libavName: "none", tag: tag("xyz1")).text == "the codec 'xyz1'")
        #expect(CodecName(libavName: "truemotion9", tag: 0).text == "the codec 'truemotion9'")
        #expect(CodecName(libavName: "none", tag: 0).text == "an unknown codec")
    }
}
