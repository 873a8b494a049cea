import Announcements
import Testing

struct AnnouncementTextTests {
    @Test(
        arguments: [
            ("at **ten** *sharp*", [.plain("at "), .strong("ten"), .plain(" "), .emphasis("sharp")]),
            (
                "see [the plan](/comunidad) now",
                [.plain("see "), .link("the plan", address: "/comunidad"), .plain(" now")]
            ),
            ("a\n\nb", [.plain("a"), .lineBreak, .lineBreak, .plain("b")]),
            ("[x](https://example.org/a?b=1)", [.link("x", address: "https://example.org/a?b=1")]),
        ] as [(String, [AnnouncementText.Span])])
    func marksBecomeSpans(_ text: String, _ spans: [AnnouncementText.Span]) {
        #expect(AnnouncementText.spans(text) == spans)
    }

    /// Text without a complete mark stays text, and no address runs a script or leads to another site unseen.
    @Test(arguments: [
        "2 * 3 * 4", "**open", "*", "****", "** x **", "[x](javascript:alert(1))", "[x](//evil.example)",
        "[x](/\\evil.example)", "[x](data:text/html,x)", "[x] (/a)", "[](/a)", "<b>x</b>", "[x](https://a b)",
    ])
    func everythingElseIsText(_ text: String) {
        #expect(AnnouncementText.spans(text) == [.plain(text)])
    }

    @Test func marksWithoutAnEndAreText() {
        let text = String(repeating: "[", count: 1_000)
        #expect(AnnouncementText.spans(text) == [.plain(text)])
    }
}
