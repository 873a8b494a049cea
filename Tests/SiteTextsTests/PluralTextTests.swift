import Foundation
import Testing

@testable import SiteTexts

/// Numbers with nouns, and other values in texts.
struct PluralTextTests {
    /// The integer samples of CLDR's plural rules.
    @Test(
        arguments: [
            ("en", [0: .other, 1: .one, 2: .other, 21: .other]),
            ("es", [0: .other, 1: .one, 2: .other]),
            ("fr", [0: .one, 1: .one, 2: .other]),
            ("ja", [0: .other, 1: .other, 5: .other]),
            ("ru", [1: .one, 21: .one, 11: .many, 2: .few, 24: .few, 12: .many, 5: .many, 100: .many]),
            ("hr", [1: .one, 21: .one, 3: .few, 11: .other, 13: .other]),
            ("pl", [1: .one, 21: .many, 2: .few, 22: .few, 12: .many, 0: .many]),
            ("cs", [1: .one, 2: .few, 4: .few, 5: .other, 0: .other]),
            ("sl", [1: .one, 101: .one, 2: .two, 103: .few, 5: .other]),
            ("lt", [1: .one, 21: .one, 2: .few, 10: .other, 11: .other]),
            ("lv", [0: .zero, 10: .zero, 11: .zero, 1: .one, 21: .one, 2: .other]),
            ("ro", [1: .one, 0: .few, 2: .few, 101: .few, 20: .other]),
            ("ar", [0: .zero, 1: .one, 2: .two, 3: .few, 110: .few, 11: .many, 99: .many, 100: .other, 102: .other]),
            ("he", [1: .one, 2: .two, 3: .other]),
            ("ga", [1: .one, 2: .two, 6: .few, 10: .many, 11: .other]),
            ("cy", [0: .zero, 1: .one, 2: .two, 3: .few, 6: .many, 4: .other, 7: .other]),
            ("xx", [1: .one, 2: .other]),
        ] as [(String, [Int: PluralRule.Form])])
    func aNumberHasTheFormOfTheLanguage(_ tag: String, _ expected: [Int: PluralRule.Form]) {
        for (number, form) in expected { #expect(PluralRule(tag).form(number) == form, "\(tag) \(number)") }
    }

    private func text(_ json: String) throws -> PluralText {
        try JSONDecoder().decode(PluralText.self, from: Data(json.utf8))
    }

    @Test func aTextTakesItsValues() throws {
        let text = try text(
            #"{"one": "{actor} likes it", "other": "{actor} and {others} more like it, {count} in all"}"#)
        #expect(text(1, ["actor": "Ana"]) == "Ana likes it")
        #expect(text(3, isLimit: true, ["actor": "Ana", "others": "2"]) == "Ana and 2 more like it, 3+ in all")
        #expect(text.json == #"{"one":"{actor} likes it","other":"{actor} and {others} more like it, {count} in all"}"#)
        #expect(throws: DecodingError.self) { try self.text(#"{"one": "a form for all numbers is missing"}"#) }
    }

    /// What a member has written cannot become a part of the pattern.
    @Test func aValueIsNotAPattern() {
        #expect("{name}: {video}".filled("name", with: "{video}", ["video": "{name}"]) == "{video}: {name}")
        #expect("{unknown} {name".filled("name", with: "a") == "{unknown} {name")
    }

    @Test(arguments: [
        ("es", "es"), ("es-MX,en;q=0.5", "es"), ("en,es;q=0.9", "en"), ("de,es;q=0.4,en;q=0.3", "es"), ("de", "en"),
        ("est", "en"), ("es;q=0", "en"), ("", "en"), (";;,,q=", "en"), (" ES ;q=0.1", "es"),
    ])
    func aVisitorPrefersALanguage(_ accept: String, _ expected: String) {
        #expect(SiteLanguage.preferred(accept).rawValue == expected)
    }
}
