import DatabaseTestSupport
import Foundation
import LibraryDetails
import MediaCore
import Testing

@testable import Catalogue

@Suite(.eachEngine) struct CatalogueTests {
    @Test func keepsEveryFieldOfATitle() async throws {
        let temporary = try TemporaryCatalogue()
        var title = TitleRecord.sample("film", state: .failed)
        title.mediaPath = "/data/movies/film.mp4"
        title.progress = 0.5
        title.error = "film.mp4: cut off"
        title.ingestSeconds = 0.25
        title.duration = 12.5
        title.width = 1_280
        title.height = 720
        title.frameRate = 29.97
        title.videoCodec = "H.264"
        title.audioCodec = "AAC"
        title.byteCount = 1 << 40
        title.poster = "/data/posters/film.jpg"
        try await temporary.catalogue.save(title)
        #expect(try await temporary.catalogue.title(id: "film") == title)
        #expect(try await temporary.catalogue.title(file: "film.mp4") == title)
        #expect(try await temporary.catalogue.title(id: "other") == nil)
    }

    @Test func keepsEveryFieldOfATrack() async throws {
        let temporary = try TemporaryCatalogue()
        var track = AudioTrackRecord.sample("song", artist: "Ana", album: "Uno")
        track.year = 1999
        track.trackNumber = 3
        track.genre = "Jazz"
        track.describeFile(track.columnDetails)
        track.codec = "mp3"
        track.sampleRate = 44_100
        track.channels = 2
        track.cover = "/data/covers/song.png"
        track.coverMediaType = "image/png"
        try await temporary.catalogue.save(track)
        #expect(try await temporary.catalogue.track(id: "song") == track)
        #expect(try await temporary.catalogue.track(file: "song.mp3") == track)
    }

    @Test func savingAgainReplacesTheRecordAndItsSearchWords() async throws {
        let temporary = try TemporaryCatalogue()
        try await temporary.catalogue.save(TitleRecord.sample("a", title: "Verano"))
        try await temporary.catalogue.save(TitleRecord.sample("a", title: "Invierno"))
        let page = try await temporary.catalogue.titles(matching: nil, after: nil, limit: 10)
        #expect(page.items.map(\.title) == ["Invierno"])
        #expect(try await temporary.catalogue.titles(matching: "verano", after: nil, limit: 10).items.isEmpty)
        #expect(try await temporary.catalogue.titles(matching: "invierno", after: nil, limit: 10).items.count == 1)
    }

    @Test func aDeletedTitleIsGoneFromListsAndSearch() async throws {
        let temporary = try TemporaryCatalogue()
        try await temporary.catalogue.save(TitleRecord.sample("a"))
        try await temporary.catalogue.deleteTitle(id: "a")
        try await temporary.catalogue.deleteTitle(id: "a")
        #expect(try await temporary.catalogue.titles(matching: nil, after: nil, limit: 10).items.isEmpty)
        #expect(try await temporary.catalogue.titles(matching: "a", after: nil, limit: 10).items.isEmpty)
    }

    @Test func twoTitlesOfOneFileAreRefused() async throws {
        let temporary = try TemporaryCatalogue()
        try await temporary.catalogue.save(TitleRecord.sample("a"))
        var other = TitleRecord.sample("b")
        other.file = "a.mp4"
        await #expect(throws: (any Error).self) { try await temporary.catalogue.save(other) }
        #expect(try await temporary.catalogue.titles(matching: nil, after: nil, limit: 10).items.map(\.id) == ["a"])
    }

    @Test func addingAKnownFileReturnsTheRecordThereIs() async throws {
        let temporary = try TemporaryCatalogue()
        let first = try await temporary.add("Film", file: "film.mp4")
        #expect(try await temporary.add("Other", file: "film.mp4") == first)
        #expect(try await temporary.catalogue.allTitles() == [first])
    }

    @Test func recordsThatAreAddedAtOnceEachGetAnIDOfTheirOwn() async throws {
        let temporary = try TemporaryCatalogue()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { _ = try await temporary.add("News", file: "\(number % 10).mp4") }
            }
            try await group.waitForAll()
        }
        let titles = try await temporary.catalogue.allTitles()
        #expect(titles.count == 10)
        #expect(Set(titles.map(\.id)).count == 10)
    }

    @Test func updatesOnlyTheRevisionThatTheCallerHasSeen() async throws {
        let temporary = try TemporaryCatalogue()
        var title = try await temporary.add("Film", file: "film.mp4")
        var details = title.fileDetails
        details[.title] = .text("Canción")
        title.describeFile(details)
        title.revision = "r2"
        #expect(try await temporary.catalogue.update(title, from: "r1"))
        #expect(try await temporary.catalogue.title(id: "film") == title)
        #expect(try await temporary.catalogue.titles(matching: "cancion", after: nil, limit: 1).items == [title])
        var stale = title
        stale.poster = "/data/posters/old.jpg"
        #expect(try await !temporary.catalogue.update(stale, from: "r1"))
        #expect(try await temporary.catalogue.title(id: "film") == title)
    }

    @Test func anUpdateDoesNotBringADeletedRecordBack() async throws {
        let temporary = try TemporaryCatalogue()
        let title = try await temporary.add("Film", file: "film.mp4")
        try await temporary.catalogue.deleteTitle(id: title.id)
        #expect(try await !temporary.catalogue.update(title, from: title.revision))
        #expect(try await temporary.catalogue.allTitles().isEmpty)
    }

    @Test func countsOnlyWhatIsReady() async throws {
        let temporary = try TemporaryCatalogue()
        for (index, state) in TitleState.allCases.enumerated() {
            try await temporary.catalogue.save(TitleRecord.sample("t\(index)", state: state))
            try await temporary.catalogue.save(AudioTrackRecord.sample("a\(index)", state: state))
        }
        try await temporary.catalogue.save(AudioTrackRecord.sample("one-more"))
        let counts = try await temporary.catalogue.counts()
        #expect(counts.titles == 1)
        #expect(counts.tracks == 2)
    }

    @Test func opensTwiceAndKeepsWhatIsThere() async throws {
        let temporary = try TemporaryCatalogue()
        try await temporary.catalogue.save(TitleRecord.sample("a"))
        let again = try temporary.reopened()
        #expect(try await again.title(id: "a") != nil)
    }
}
