import Testing

@testable import Forum

struct MarkupTests {
    @Test(arguments: [
        ("plain <b>text</b>", [MarkupSpan.plain("plain <b>text</b>")]),
        ("**a** *b* `c*`", [.strong("a"), .plain(" "), .emphasis("b"), .plain(" "), .code("c*")]),
        ("a * b * c", [.plain("a * b * c")]), ("2 * 3 ** 4", [.plain("2 * 3 ** 4")]),
        ("[x](https://example.org/a)", [.link("x", address: "https://example.org/a")]),
        ("[x](/comunidad)", [.link("x", address: "/comunidad")]),
        ("[x](//evil.example)", [.plain("[x](//evil.example)")]),
        ("[x](javascript:alert(1))", [.plain("[x](javascript:alert(1))")]),
        ("[x](/\\evil.example)", [.plain("[x](/\\evil.example)")]),
        ("[x](data:text/html,y)", [.plain("[x](data:text/html,y)")]),
        (
            "see https://example.org/a?b=1. Yes",
            [
                .plain("see "), .link("https://example.org/a?b=1", address: "https://example.org/a?b=1"),
                .plain(". Yes"),
            ]
        ),
        (
            "(HTTP://example.org)\"",
            [.plain("("), .link("HTTP://example.org", address: "HTTP://example.org"), .plain(")\"")]
        ),
        ("https://", [.plain("https://")]), ("xhttps://a.b", [.plain("xhttps://a.b")]),
        (
            "at 12:34 and 1:02:03.",
            [
                .plain("at "), .time("12:34", seconds: 754), .plain(" and "), .time("1:02:03", seconds: 3_723),
                .plain("."),
            ]
        ),
        ("12:64 112:34:01 1:2:3 12:345", [.plain("12:64 112:34:01 1:2:3 12:345")]),
        ("see #12, #0 and a#3", [.plain("see "), .comment(place: 12), .plain(", #0 and a#3")]),
        ("ñ #5ñ", [.plain("ñ #5ñ")]),
    ])
    func linesHaveFewMarks(_ text: String, _ spans: [MarkupSpan]) {
        #expect(MarkupText(text).blocks == [.paragraph(spans)])
    }

    @Test func blocksAreParagraphsQuotesListsHeadingsAndCode() {
        let text = """
            # Rules
            First
            second

            1. one
            2. **two**
            - three
            > #12 @ana
            > quoted
            >> deeper

            ```
            <b>*code*</b>
            ```
            """
        #expect(
            MarkupText(text).blocks == [
                .heading(1, [.plain("Rules")]),
                .paragraph([.plain("First"), .lineBreak, .plain("second")]),
                .list([[.plain("one")], [.strong("two")]], isOrdered: true),
                .list([[.plain("three")]], isOrdered: false),
                .quote(
                    [
                        .paragraph([.plain("quoted")]),
                        .quote([.paragraph([.plain("deeper")])], place: nil, author: nil),
                    ], place: 12, author: "ana"),
                .code("<b>*code*</b>"),
            ])
    }

    /// A megabyte of marks without an end takes no longer than a megabyte of words.
    @Test(.timeLimit(.minutes(1)), arguments: ["[", "*", "**a ", "`", "> ", "1:", "https://", "[a](", "#1", "é"])
    func longTextsOfMarksAreParsedInTime(unit: String) {
        let text = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
        #expect(!MarkupText(text).blocks.isEmpty)
        let lines = String(repeating: unit + "\n", count: 200_000)
        #expect(!MarkupText(lines).blocks.isEmpty)
    }

    @Test func quotesOfQuotesEnd() {
        let blocks = MarkupText(String(repeating: ">", count: 10_000) + "x").blocks
        var (depth, inner) = (0, blocks)
        while case .quote(let next, _, _) = inner.first { (depth, inner) = (depth + 1, next) }
        #expect(depth == 4 && inner.count == 1)
    }
}
