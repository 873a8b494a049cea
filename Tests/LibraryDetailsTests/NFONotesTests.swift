import Testing
import XMLDocument

@testable import LibraryDetails

struct NFONotesTests {
    @Test func theNotesOfAFilm() throws {
        let details = try NFONotes.read(
            Array(
                """
                <?xml version="1.0" encoding="UTF-8" standalone="yes" ?>
                <movie>
                  <title>Garden &amp; life</title><plot>One.
                Two.</plot><premiered>1987-05-01</premiered>
                  <genre>Drama</genre><genre>Nature / drama</genre>
                  <actor><name>Ana</name></actor><website>https://example.org/garden</website>
                </movie>
                https://www.example.org/title/1
                """.utf8))
        #expect(details.text(.title) == "Garden & life")
        #expect(details.text(.description) == "One.\nTwo.")
        #expect(details.number(.year) == 1987)
        #expect(details.texts(.genres) == ["Drama", "Nature"])
        #expect(details.text(.website) == "https://example.org/garden")
    }

    @Test func theNotesOfAnEpisodeAndOfItsShow() throws {
        let episode = try NFONotes.read(
            Array(
                "<episodedetails><title>The jump</title><season>2</season><episode>5</episode></episodedetails>".utf8))
        let show = try NFONotes.read(Array("<tvshow><title>Rally</title><genre>Sport</genre></tvshow>".utf8))
        let both = episode.over(show)
        #expect(both.text(.title) == "The jump")
        #expect(both.text(.series) == "Rally")
        #expect(both.number(.season) == 2)
        #expect(both.texts(.genres) == ["Sport"])
    }

    @Test func theNotesOfAnAlbumDoNotNameItsTracks() throws {
        let details = try NFONotes.read(Array("<album><title>Uno</title><year>2001</year></album>".utf8))
        #expect(details.text(.title) == nil)
        #expect(details.text(.album) == "Uno")
    }

    @Test func notesThatHoldAnAddressOnlySayNothing() throws {
        #expect(try NFONotes.read(Array("https://www.example.org/title/1\n".utf8)).isEmpty)
    }

    @Test(arguments: ["<movie><title>a</movie>", "<html><title>a</title></html>", "<!DOCTYPE movie [<!ENTITY a 'b'>]>"])
    func damagedNotesAreRefused(text: String) {
        #expect(throws: XMLReader.Failure.self) { try NFONotes.read(Array(text.utf8)) }
    }

    @Test func whatIsBeyondTheLimitsIsCutOrLeftOut() throws {
        let long = String(repeating: "x", count: 1_000)
        let details = try NFONotes.read(
            Array(
                """
                <movie><title>\(long)\u{7}</title><year>99999</year><season>-1</season><website>javascript:1</website>
                <genre>\(long)</genre></movie>
                """.utf8))
        #expect(details.text(.title)?.count == DetailField.maximumLineLength)
        #expect(details.fields == [.title, .year])
        #expect(details.number(.year) == 9999)
    }
}
