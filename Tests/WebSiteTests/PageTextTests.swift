import MediaCore
import SiteTexts
import Testing

@testable import WebSite

/// Points in time on pages, which the script shows in the visitor's time zone.
struct PageTextTests {
    private let time = WallClockTime(secondsSince1970: 1_800_000_000)

    @Test func timesAreApartFromTheWords() throws {
        let text: PageText = "until \(PageText(time, locale: "en_GB")), then \(3) more"
        let values = text.values
        #expect(values[0]["words"] as? String == "until ")
        #expect(values.dropFirst(2).compactMap { $0["words"] as? String }.joined() == ", then 3 more")
        let instant = try #require(values[1]["instant"] as? [String: Any])
        #expect(instant["date"] as? String == "2027-01-15T08:00:00Z")
        let shown = try #require(instant["shown"] as? String)
        #expect(shown.hasPrefix("15 Jan 2027") && shown.hasSuffix("UTC"))
        #expect(text.plain == "until \(shown), then 3 more")
    }

    /// All pages of a language have one format.
    @Test(arguments: [("en", "15 Jan 2027"), ("es", "15 ene 2027")])
    func theFormatIsThatOfTheLanguage(_ language: String, _ expected: String) {
        let times = [
            ClubText.preferred(language).time(time), AccountText.preferred(language).time(time),
        ]
        for text in times { #expect(text.plain.hasPrefix(expected) && text == times[0], "\(text.plain)") }
    }

    @Test func whatIsMissingLeavesNoSeparator() {
        #expect(PageText(joining: [nil, "a", nil, "b"], with: " · ").plain == "a · b")
        #expect(PageText(joining: [nil], with: " · ").plain == "" && PageText("").values.isEmpty)
    }
}
