import JSONDocument
import Testing

@testable import LibraryDetails

struct NamedDetailsTests {
    private func values(_ details: ItemDetails) -> [String: String] {
        var result: [String: String] = [:]
        for field in details.fields { result[field.rawValue] = details[field]?.json.rendered }
        return result
    }

    @Test(arguments: [
        "Rally/Season 2/S02E05 - The jump", "Rally/Temporada 02/Rally 2x05 The jump", "Rally/Season 2/5 - The jump",
        "Rally/Season 2/Episode 5 - The jump", "Rally/S02E05 The_jump", "Rally.S02E05.The jump",
        "Shows/Rally/season 2/Rally - s02e05 - The jump",
    ])
    func theNamesOfEpisodes(path: String) {
        let named = NamedDetails.ofTitle(path.split(separator: "/").map(String.init))
        #expect(named.title == "The jump")
        #expect(values(named.details) == ["series": "\"Rally\"", "season": "2", "episode": "5"])
    }

    @Test func anEpisodeWithoutNameKeepsItsFileName() {
        let named = NamedDetails.ofTitle(["Rally (2019)", "Season 2", "S02E05"])
        #expect(named.title == nil)
        #expect(values(named.details) == ["series": "\"Rally\"", "season": "2", "episode": "5", "year": "2019"])
    }

    @Test func aYearInParenthesesIsTheYear() {
        let named = NamedDetails.ofTitle(["Films", "Garden of life (1987)"])
        #expect(named.title == "Garden of life")
        #expect(values(named.details) == ["year": "1987"])
        #expect(NamedDetails.ofTitle(["(2019)"]).title == nil)
    }

    @Test(arguments: [
        "Summer party", "2001", "1984 - the film", "Lisbon 1080p", "S1/film", "Season 2/film", "vacation 10x8 print",
        "a/b/c", "", "12x100000 grid", "S01E", "e02",
    ])
    func otherNamesSayNothing(path: String) {
        let named = NamedDetails.ofTitle(path.split(separator: "/").map(String.init))
        #expect(named == NamedDetails())
    }

    @Test(arguments: [
        "Ana/Uno (2001)/03 - Mar", "Ana/Uno (2001)/CD 2/1-03 Mar", "Ana - Uno (2001)/03. Mar",
        "Music/Ana/Uno (2001)/03 Mar",
    ])
    func theNamesOfTracks(path: String) {
        let named = NamedDetails.ofTrack(path.split(separator: "/").map(String.init))
        #expect(named.title == "Mar")
        #expect(
            values(named.details) == ["artist": "\"Ana\"", "album": "\"Uno\"", "year": "2001", "trackNumber": "3"])
    }

    @Test(arguments: ["03 - Mar", "Ana/Uno/Mar", "Ana/99 Luftballons", "Ana/1999"])
    func otherTracksSayNothing(path: String) {
        let named = NamedDetails.ofTrack(path.split(separator: "/").map(String.init))
        #expect(named.details.text(.artist) == nil)
        #expect(named.title == nil)
    }

    @Test func numbersBeyondTheLimitsAreLeftOut() {
        let named = NamedDetails.ofTrack(["Ana", "Uno", "000 - Mar"])
        #expect(named.details.number(.trackNumber) == nil)
        #expect(named.title == "Mar")
    }
}
