import DatabaseTestSupport
import Foundation
import MediaCore
import Testing

@testable import Catalogue

@Suite(.eachEngine) struct MovedFileTests {
    private let store: TemporaryCatalogue
    private let catalogue: Catalogue

    init() throws {
        store = try TemporaryCatalogue()
        catalogue = store.catalogue
    }

    private func addFilm() async throws -> TitleRecord {
        var film = TitleRecord.sample("film")
        film.mediaPath = film.sourcePath
        return try await catalogue.add(film)
    }

    @Test func aMovedFileKeepsItsRecordAndItsOldNameLeadsToIt() async throws {
        let film = try await addFilm()
        let moved = try #require(
            try await catalogue.moveTitle(
                id: "film", from: "film.mp4", to: MovedFile(name: "b/new.mp4", path: "/media/vod/b/new.mp4")))
        #expect(moved.id == film.id && moved.revision == film.revision && moved.title == film.title)
        #expect(moved.mediaPath == "/media/vod/b/new.mp4" && moved.sourcePath == "/media/vod/b/new.mp4")
        #expect(try await catalogue.title(file: "b/new.mp4")?.id == "film")
        #expect(try await catalogue.title(file: "film.mp4")?.id == "film")
        #expect(try await catalogue.titles(matching: "new", after: nil, limit: 9).items.map(\.id) == ["film"])
        // An older job knows the file by another name.
        #expect(try await !catalogue.update(film, from: film.revision))
        #expect(
            try await catalogue.moveTitle(id: "film", from: "film.mp4", to: MovedFile(name: "c", path: "/c")) == nil)
    }

    @Test func anotherFileTakesAnOldNameAndADeletedRecordGivesItUp() async throws {
        _ = try await addFilm()
        _ = try await catalogue.moveTitle(
            id: "film", from: "film.mp4", to: MovedFile(name: "new.mp4", path: "/new.mp4"))
        var other = TitleRecord.sample("other")
        other.file = "film.mp4"
        _ = try await catalogue.add(other)
        #expect(try await catalogue.title(file: "film.mp4")?.id == "other")
        try await catalogue.deleteTitle(id: "other")
        #expect(try await catalogue.title(file: "film.mp4") == nil)
        _ = try await catalogue.moveTitle(
            id: "film", from: "new.mp4", to: MovedFile(name: "last.mp4", path: "/last.mp4"))
        #expect(try await catalogue.title(file: "new.mp4")?.id == "film")
        try await catalogue.deleteTitle(id: "film")
        #expect(try await catalogue.title(file: "new.mp4") == nil)
    }

    @Test func aNameThatAnotherRecordHasIsNotTaken() async throws {
        _ = try await addFilm()
        _ = try await catalogue.add(TitleRecord.sample("other"))
        #expect(
            try await catalogue.moveTitle(
                id: "film", from: "film.mp4", to: MovedFile(name: "other.mp4", path: "/other.mp4")) == nil)
    }
}
