import MediaCore
import NIOCore
import Packaging
import Testing

struct EmbeddedSubtitlesTests {
    private func texts(_ texts: [String], _ format: EmbeddedText.Format) -> [String] {
        SubtitleDocument(
            texts.enumerated().map { index, text in
                EmbeddedText(start: Int64(index) * 1_000, end: Int64(index) * 1_000 + 900, bytes: Array(text.utf8))
            }, format: format
        ).cues.map(\.text)
    }

    @Test(
        "Overrides of Sub Station Alpha",
        arguments: [
            ("Hola", "Hola"),
            (#"uno\Ndos\n\htres"#, "uno\ndos  tres"),
            (#"{\i1}canta{\i0} y habla"#, "<i>canta</i> y habla"),
            (#"{\b1}{\i1}a{\b0}b"#, "<b><i>a</i></b><i>b</i>"),
            (#"{\i1}uno\Ndos"#, "<i>uno</i>\n<i>dos</i>"),
            (#"{\b700}fett{\b400} normal"#, "<b>fett</b> normal"),
            (#"{\an8\pos(10,20)\fs30\c&H00FF00&\blur2\bord3}arriba"#, "arriba"),
            (#"{\iclip(1,2,3,4)\be1}a"#, "a"),
            (#"{\i1}a{\r}b{\i1}c{\rDefault}d"#, "<i>a</i>b<i>c</i>d"),
            (#"{\p1}m 0 0 l 100 0{\p0}visible"#, "visible"),
            (#"{a comment}a < b & c > d"#, "a &lt; b &amp; c &gt; d"),
            (#"C:\dir, and more, commas"#, #"C:\dir, and more, commas"#),
            (#"a {never closed"#, "a"),
            (#"\N\N  \N"#, ""), ("", ""),
        ]) func readsSubStation(_ event: String, _ expected: String)
    {
        let found = texts(["12,0,Default,Ana,0,0,0,,\(event)"], .subStation)
        #expect(found == (expected.isEmpty ? [] : [expected]))
    }

    @Test func whatIsNoEventIsLeftOut() {
        #expect(texts(["Hola", "1,2,3", ",,,,,,,,ok"], .subStation) == ["ok"])
    }

    @Test func readsTheOtherFormats() {
        #expect(texts(["<i>a</i> & <font color=\"red\">b</font>\r\n\r\nc"], .subRip) == ["<i>a</i> &amp; b\nc"])
        #expect(texts(["<v Ana>a &amp; b"], .webVTT) == ["<v Ana>a &amp; b"])
        #expect(texts(["a <b>\0"], .plain) == ["a &lt;b&gt;"])
        #expect(texts(["\0\u{3}abcdef", "\0", "\u{7F}\u{7F}xy"], .timedText) == ["abc", "xy"])
        // The length counts bytes.
        #expect(texts(["\0\u{4}año"], .timedText) == ["año"])
    }

    /// Programs that put subtitle files into a container leave their bytes as they are.
    @Test(arguments: [("pl", "zażółć"), ("es", "za¿ó³æ"), (nil, "za¿ó³æ")] as [(String?, String)])
    func theLanguageTellsTheEncoding(_ language: String?, _ expected: String) {
        let bytes: [UInt8] = [0x7A, 0x61, 0xBF, 0xF3, 0xB3, 0xE6]
        let document = SubtitleDocument(
            [EmbeddedText(start: 0, end: 900, bytes: bytes)], format: .subRip,
            language: language.flatMap { LanguageTag($0) })
        #expect(document.cues.map(\.text) == [expected])
    }

    /// Each bracket may start a tag: the search for its end must not take quadratic time. A text takes 20 ms in a debug
    /// build; quadratic time took minutes for all.
    @Test(.timeLimit(.minutes(1)), arguments: ["<", "{", "<i", "\\", "&"]) func brackets(_ piece: String) {
        let text = String(repeating: piece, count: 16_000 / piece.utf8.count)
        for format in [EmbeddedText.Format.subRip, .subStation] {
            _ = texts((0..<20).map { _ in "0,0,,,0,0,0,,\(text)>" }, format)
        }
    }

    @Test func timesMakeSense() {
        func cue(_ start: Int64, _ end: Int64?) -> EmbeddedText { EmbeddedText(start: start, end: end, bytes: [0x61]) }
        let document = SubtitleDocument(
            [cue(5_000, nil), cue(6_000, nil), cue(1_000, 2_000), cue(-500, 300), cue(9_000, 8_000), cue(.max, nil)],
            format: .plain)
        #expect(document.cues.map(\.start) == [0, 1_000, 5_000, 6_000])
        // A cue without an end lasts until the next one, or for its reading time.
        #expect(document.cues.map(\.end) == [300, 2_000, 6_000, 11_000])
    }

    @Test func arrowsAndLongTextsAreLeftOut() {
        #expect(texts(["a --> b", String(repeating: "x", count: 5_000), "c"], .webVTT) == ["c"])
    }

    @Test func whatIsWrittenIsReadAgain() {
        let document = SubtitleDocument(
            [
                EmbeddedText(start: 3_600_001, end: 3_602_500, settings: "line:0", bytes: Array("<i>a</i>\nb".utf8)),
                EmbeddedText(start: 0, end: 10, bytes: Array("NOTE no comment".utf8)),
            ], format: .webVTT)
        let text = document.webVTT()
        #expect(text.contains("01:00:00.001 --> 01:00:02.500 line:0\n<i>a</i>\nb\n"))
        #expect(SubtitleDocument(parsing: ByteBuffer(string: text), format: .webVTT).cues == document.cues)
    }
}
