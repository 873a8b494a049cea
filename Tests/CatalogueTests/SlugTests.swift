import Testing

@testable import Catalogue

struct SlugTests {
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

    @Test func takesTheFirstFreeNumber() async throws {
        let temporary = try TemporaryCatalogue()
        for expected in ["news", "news-2", "news-3"] {
            let id = try await temporary.catalogue.freeTitleID(for: "News")
            #expect(id == expected)
            try await temporary.catalogue.save(TitleRecord.sample(id))
        }
        #expect(try await temporary.catalogue.freeTrackID(for: "News") == "news")
        try await temporary.catalogue.deleteTitle(id: "news-2")
        #expect(try await temporary.catalogue.freeTitleID(for: "News") == "news-2")
    }
}
