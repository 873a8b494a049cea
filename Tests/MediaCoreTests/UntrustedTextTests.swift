import MediaCore
import Testing

struct UntrustedTextTests {
    @Test(arguments: [
        ("Canal 1", "Canal 1"), ("C:\\new\\table", "C:\\new\\table"),
        ("ana\n2026-11-22 forged", #"ana\n2026-11-22 forged"#),
        ("a\r\nb\tc", #"a\r\nb\tc"#), ("\u{1B}[31mred\u{7}", #"\u{1b}[31mred\u{7}"#), ("\0\u{7F}", #"\u{0}\u{7f}"#),
        ("\u{9B}31m\u{85}", #"\u{9b}31m\u{85}"#), ("a\u{2028}b\u{2029}c", #"a\u{2028}b\u{2029}c"#),
        ("film\u{202E}4pm.exe", #"film\u{202e}4pm.exe"#),
        ("\u{2066}x\u{2069}\u{200F}\u{61C}", #"\u{2066}x\u{2069}\u{200f}\u{61c}"#),
        ("ad\u{200B}min\u{FEFF}\u{AD}\u{2060}", #"ad\u{200b}min\u{feff}\u{ad}\u{2060}"#),
        ("ad\u{200D}min", #"ad\u{200d}min"#),
        ("\u{3164}\u{E0041}", #"\u{3164}\u{e0041}"#),
        // Ordinary text of any script is returned unchanged.
        ("Garten des Lebens – ñandú, Straße", "Garten des Lebens – ñandú, Straße"), ("مرحبا שלום 你好", "مرحبا שלום 你好"),
        ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("👩‍👩‍👧 ❤️‍🔥 🏴󠁧󠁢󠁳󠁣󠁴󠁿 1️⃣", "👩‍👩‍👧 ❤️‍🔥 🏴󠁧󠁢󠁳󠁣󠁴󠁿 1️⃣"), ("", ""),
    ])
    func escapesWhatForgesLinesOrHides(_ text: String, _ expected: String) {
        #expect(Array(UntrustedText.escaped(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func everyControlAndFormatCharacterIsEscaped() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                let escaped = UntrustedText.escaped("a\(Character(scalar))b")
                #expect(
                    escaped.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 },
                    "U+\(String(value, radix: 16))")
                #expect(UntrustedText.stripped("a\(Character(scalar))b").count <= 3)
            default: break
            }
        }
    }

    @Test func longTextIsCut() {
        #expect(UntrustedText.escaped(String(repeating: "x", count: 2_000)).count == 1_001)
        #expect(UntrustedText.escaped("ñandú", maximumCharacterCount: 4) == "ñand…")
        #expect(UntrustedText.escaped("ñandú", maximumCharacterCount: 5) == "ñandú")
        // Readers see one character, but a terminal processes a thousand marks.
        #expect(UntrustedText.escaped("a" + String(repeating: "\u{301}", count: 5_000)).unicodeScalars.count == 1_001)
    }

    @Test func pagesGetNeitherControlsNorEscapes() {
        #expect(UntrustedText.stripped("a\nb\u{1B}[31m \u{202E}c\u{200B}d") == "a b [31m cd")
    }
}
