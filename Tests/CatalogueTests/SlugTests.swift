import DatabaseTestSupport
import Testing

@testable import Catalogue

@Suite(.eachEngine) struct SlugTests {
    @Test(arguments: [
        ("News at nine", "news-at-nine"), ("  --News!!", "news"), ("Canción del Ñandú", "cancion-del-nandu"),
        ("Cancio\u{301}n", "cancion"), ("Straße", "strasse"), ("Ærø", "aero"), ("../../etc/passwd", "etc-passwd"),
        ("a%2F?b#c", "a-2f-b-c"), ("", "title"), ("你好", "title"), ("🎬", "title"), ("2024", "2024"),
    ])
    func isMadeOfLettersDigitsAndHyphens(name: String, slug: String) {
        #expect(Slug(name, fallback: "title").description == slug)
    }

    @Test func isNeverLongerThanItsLimit() {
        let slug = Slug(String(repeating: "ßa ", count: 10_000), fallback: "title").description
        #expect(slug.utf8.count <= Slug.maximumByteCount + 2)
        #expect(!slug.hasSuffix("-"))
    }

    @Test(arguments: [1, 2, 3, 7, 64, 10_000, 10_001])
    func asksAFewDozenTimesHoweverManyNumbersAreTaken(_ count: Int) {
        var questionCount = 0
        let taken = Set((1...count).map { $0 == 1 ? "news" : "news-\($0)" })
        let free = Slug("News", fallback: "title").unique { candidate in
            questionCount += 1
            return taken.contains(candidate)
        }
        #expect(free == (count == 1 ? "news-2" : "news-\(count + 1)"))
        #expect(questionCount < 40)
    }

    @Test func idsTakeTheFirstFreeNumber() async throws {
        let catalogue = try TemporaryCatalogue()
        for expected in ["news", "news-2", "news-3"] {
            #expect(try await catalogue.add("News", file: "\(expected).mp4").id == expected)
        }
        var track = AudioTrackRecord.sample("", title: "News")
        track = try await catalogue.catalogue.add(track)
        #expect(track.id == "news")
        try await catalogue.catalogue.deleteTitle(id: "news-2")
        #expect(try await catalogue.add("News", file: "other.mp4").id == "news-2")
        #expect(try await catalogue.add("你好", file: "hello.mp4").id == "title")
        track = AudioTrackRecord.sample("The news!", title: "Tonight")
        #expect(try await catalogue.catalogue.add(track).id == "the-news")
    }
}
