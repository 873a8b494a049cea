import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

struct SubtitleDocumentTests {
    private func parse(_ text: String, _ format: SubtitleDocument.Format = .webVTT) -> SubtitleDocument {
        SubtitleDocument(parsing: ByteBuffer(string: text), format: format)
    }

    @Test func readsSubRip() {
        let document = parse(
            """
            1
            00:00:01,000 --> 00:00:02,500 X1:1 Y1:2
            <i>Hola</i> & <font color="red">adiós</font>
            2 < 3 > 1

            2
            00:01:02,5 --> 0:01:04,05
            {\\an8}arriba <B>x</B>

            """, .subRip)
        #expect(document.cues.map(\.start) == [1_000, 62_500])
        #expect(document.cues.map(\.end) == [2_500, 64_050])
        #expect(document.cues[0].text == "<i>Hola</i> &amp; adiós\n2 &lt; 3 &gt; 1")
        #expect(document.cues[1].text == "arriba <b>x</b>")
        #expect(document.cues.allSatisfy { $0.identifier == nil && $0.settings.isEmpty })
    }

    @Test func readsWebVTT() {
        let document = parse(
            """
            WEBVTT - a title
            X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000

            STYLE
            ::cue { color: red }

            REGION
            id:fred

            NOTE
            nobody reads this

            later
            00:10.000 --> 00:12.000 line:0 align:start
            <v Ana>Hola &amp; adiós</v>

            00:01.000 --> 01:00:02.000
            first
            """)
        #expect(document.definitions == ["STYLE\n::cue { color: red }", "REGION\nid:fred"])
        #expect(document.cues.map(\.text) == ["first", "<v Ana>Hola &amp; adiós</v>"])
        #expect(document.cues[0].end == 3_602_000)
        #expect(document.cues[1].identifier == "later")
        #expect(document.cues[1].settings == "line:0 align:start")
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func readsEveryLineEnding(_ end: String) {
        let lines = ["WEBVTT", "", "00:01.000 --> 00:02.000", "a", "b", "", "00:03.000 --> 00:04.000", "c", ""]
        #expect(parse(lines.joined(separator: end)).cues.map(\.text) == ["a\nb", "c"])
    }

    @Test(
        arguments: [
            ([0xEF, 0xBB, 0xBF], Array("ñ".utf8)), ([], Array("ñ".utf8)), ([], [0xF1]), ([0xFF, 0xFE], [0xF1, 0x00]),
            ([0xFE, 0xFF], [0x00, 0xF1]),
        ] as [([UInt8], [UInt8])])
    func findsTheEncoding(_ mark: [UInt8], _ letter: [UInt8]) {
        var bytes = mark
        let isWide = mark.count == 2
        func add(_ text: String) {
            for byte in text.utf8 { bytes += isWide ? (mark[0] == 0xFF ? [byte, 0] : [0, byte]) : [byte] }
        }
        add("1\n00:00:01,000 --> 00:00:02,000\nEspa")
        bytes += letter
        add("a\n")
        let document = SubtitleDocument(parsing: ByteBuffer(bytes: bytes), format: .subRip)
        #expect(document.cues.map(\.text) == ["España"])
    }

    @Test(arguments: [true, false], [SubtitleDocument.Format.subRip, .webVTT])
    func wideTextWithoutAMarkIsRead(isBigEndian: Bool, format: SubtitleDocument.Format) {
        let text = (format == .webVTT ? "WEBVTT\n\n" : "1\n") + "00:00:01.000 --> 00:00:02.000\nEspaña\n"
        let bytes = text.utf16.flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
        #expect(SubtitleDocument(parsing: ByteBuffer(bytes: bytes), format: format).cues.map(\.text) == ["España"])
    }

    @Test func whatWindowsWroteIsReadAsIt() {
        let bytes = Array("1\n00:00:01,000 --> 00:00:02,000\n".utf8) + [0x80, 0x93, 0xE9, 0x94]
        #expect(SubtitleDocument(parsing: ByteBuffer(bytes: bytes), format: .subRip).cues.map(\.text) == ["€“é”"])
    }

    /// The same bytes are different letters in different languages; Python's codecs wrote them.
    @Test(arguments: [
        ("pl", "5a61bff3b3e62067ea9c6cb9206a619ff1", "Zażółć gęślą jaźń"),
        ("cs", "50f8ed6c699a209e6c759d6f75e86bfd206bf9f2", "Příliš žluťoučký kůň"),
        ("hu", "e17276ed7a74fb72f52074fc6bf67266fa72f367e970", "árvíztűrő tükörfúrógép"),
        ("ru", "d1fae5f8fc20e6e520e5f9b8", "Съешь же ещё"),
        ("el", "cee5f3eae5f0dce6f920f4e7ed", "Ξεσκεπάζω την"),
        ("tr", "50696a616d616cfd206861737461207961f0fd7a20fe6f66f67265", "Pijamalı hasta yağız şoföre"),
        ("lt", "c16c696e6b64616d61206665636874756f746f6a6f20f070616761", "Įlinkdama fechtuotojo špaga"),
        ("sr-Latn", "f061e869e6", "đačić"),
        ("sr", "90e0f7e89e", "ђачић"),
    ])
    func theLanguageTellsTheEncoding(_ language: String, _ hexadecimal: String, _ text: String) {
        let bytes = Array("1\n00:00:01,000 --> 00:00:02,000\n".utf8) + bytes(hexadecimal: hexadecimal)
        let document = SubtitleDocument(
            parsing: ByteBuffer(bytes: bytes), format: .subRip, language: LanguageTag(language))
        #expect(document.cues.map(\.text) == [text])
        let unicode = Array("1\n00:00:01,000 --> 00:00:02,000\n\(text)\n".utf8)
        let known = SubtitleDocument(
            parsing: ByteBuffer(bytes: unicode), format: .subRip, language: LanguageTag(language))
        #expect(known.cues.map(\.text) == [text])
    }

    @Test(arguments: [
        "00:01.000 --> 00:01.000", "00:02.000 --> 00:01.000", "00:01.000 -> 00:02.000", "x --> 00:02.000",
        "00:01.000 --> ", "-1:00.000 --> 00:02.000", "00:01.0000 --> 00:02.000", "99999:00:01.000 --> 99999:00:02.000",
        "00:00:00:01.000 --> 00:02.000", "+0:01.000 --> 00:02.000",
    ])
    func timesThatMakeNoSenseCostOneCue(_ timing: String) {
        let document = parse("WEBVTT\n\n\(timing)\nbad\n\n00:03.000 --> 00:04.000\ngood\n")
        #expect(document.cues.map(\.text) == ["good"])
    }

    @Test func aCueIsInEverySegmentThatItIsSeenIn() {
        let document = parse(
            "WEBVTT\n\nSTYLE\n::cue {}\n\n00:05.000 --> 00:07.000\ncrosses\n\n00:06.000 --> 00:06.500\nsecond\n")
        let head = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\nSTYLE\n::cue {}\n"
        let crossing = "\n00:00:05.000 --> 00:00:07.000\ncrosses\n"
        let second = "\n00:00:06.000 --> 00:00:06.500\nsecond\n"
        func segment(_ start: Int64, _ end: Int64) -> String { String(buffer: document.segment(from: start, to: end)) }
        // Each segment ends with an empty line, because libavformat concatenates them.
        let end = "\n"
        #expect(segment(0, 6_000) == head + crossing + end)
        #expect(segment(6_000, 12_000) == head + crossing + second + end)
        #expect(segment(7_000, 12_000) == head + end)
        #expect(segment(0, 5_000) == head + end)
    }

    @Test func limitsHold() {
        let cue = "00:00:01,000 --> 00:00:02,000\nx\n\n"
        let many = String(repeating: cue, count: SubtitleDocument.maximumCueCount + 10)
        #expect(parse(many, .subRip).cues.count == SubtitleDocument.maximumCueCount)
        let long = "00:00:01,000 --> 00:00:02,000\n" + String(repeating: "x", count: 10_000) + "\n\n" + cue
        #expect(parse(long, .subRip).cues.map(\.text) == ["x"])
        let wide = (0..<2_000).map { _ in "00:00:01,000 --> 10:00:00,000\n\(String(repeating: "y", count: 4_000))\n\n" }
        #expect(parse(wide.joined(), .subRip).segment(from: 0, to: 6_000).readableBytes < 2 << 20)
    }

    /// No text of a file starts a block of its own in a segment.
    @Test func textStaysInItsCue() {
        let document = parse(
            "1\n00:00:01,000 --> 00:00:02,000\na --> b\n\n00:00:03,000 --> 00:00:04,000\nok\n", .subRip)
        let text = String(buffer: document.segment(from: 0, to: 10_000))
        #expect(text.components(separatedBy: "-->").count == document.cues.count + 1)
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
