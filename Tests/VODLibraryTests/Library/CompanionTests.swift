import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import LibraryDetails
import MediaFolders
import MediaWorker
import TestSupport
import Testing

@testable import JobRunning
@testable import VODLibrary

/// Notes and images beside media files, and the names of folders.
@Suite(.eachEngine) struct CompanionTests {
    let fixture: LibraryFixture

    init() throws { fixture = try LibraryFixture() }

    private func write(_ text: String, to name: String) throws {
        try fixture.write(Data(text.utf8), to: fixture.vod(name))
    }

    @Test func notesAreReadWhenTheyComeChangeAndGo() async throws {
        try fixture.write(SampleMedia.movie(), to: fixture.vod("Film/film.mp4"))
        try await fixture.settle()
        #expect(try await fixture.title("Film/film.mp4")?.title == "A title")
        try write("<movie><title>Garden</title><year>1987</year></movie>", to: "Film/film.nfo")
        try await fixture.settle()
        var title = try #require(try await fixture.title("Film/film.mp4"))
        #expect(title.title == "Garden" && title.details.number(.year) == 1987)
        // An operator goes first.
        _ = try await fixture.library.chooseDetails(of: title.id, in: .titles, version: nil) {
            $0[.title] = .text("Mine")
        }
        try write("<movie><title>Garden of life</title></movie>", to: "Film/film.nfo")
        try await fixture.settle()
        title = try #require(try await fixture.title("Film/film.mp4"))
        #expect(title.title == "Mine" && title.details.number(.year) == nil)
        _ = try await fixture.library.chooseDetails(of: title.id, in: .titles, version: nil) { $0[.title] = nil }
        #expect(try await fixture.title("Film/film.mp4")?.title == "Garden of life")
        try FileManager.default.removeItem(atPath: fixture.vod("Film/film.nfo"))
        try await fixture.settle()
        #expect(try await fixture.title("Film/film.mp4")?.title == "A title")
        fixture.remove()
    }

    @Test func damagedNotesCostNothingElse() async throws {
        try fixture.write(SampleMedia.movie(), to: fixture.vod("Film/film.mp4"))
        try write("<movie><title>Garden", to: "Film/film.nfo")
        try write("<tvshow><title>Show</title></tvshow>", to: "Film/tvshow.nfo")
        try await fixture.settle()
        let title = try #require(try await fixture.title("Film/film.mp4"))
        #expect(title.title == "A title" && title.details.text(.series) == "Show")
        fixture.remove()
    }

    @Test func foldersAreSeriesAndSeasons() async throws {
        let name = "Rally/Season 2/S02E05 - The jump.mp4"
        try fixture.write(SampleMedia.movie(), to: fixture.vod(name))
        try await fixture.settle()
        let title = try #require(try await fixture.title(name))
        // The file's own tag goes before its name.
        #expect(title.title == "A title")
        #expect(title.details.text(.series) == "Rally")
        #expect(title.details.number(.season) == 2 && title.details.number(.episode) == 5)
        // In another folder it is an episode of another series.
        try FileManager.default.moveItem(atPath: fixture.vod("Rally"), toPath: fixture.vod("Circuit"))
        try await fixture.settle()
        let moved = try #require(try await fixture.title("Circuit/Season 2/S02E05 - The jump.mp4"))
        #expect(moved.id == title.id && moved.details.text(.series) == "Circuit")
        fixture.remove()
    }

    @Test func anImageBesideATitleIsItsPosterUnlessAnOperatorChoseOne() async throws {
        try fixture.write(SampleMedia.movie(), to: fixture.vod("Film/film.mp4"))
        try await fixture.settle()
        let before = try #require(try await fixture.title("Film/film.mp4")).poster
        try write("image", to: "Film/poster.jpg")
        try await fixture.settle()
        let beside = try #require(try await fixture.title("Film/film.mp4"))
        #expect(beside.poster != before && beside.poster?.contains("-beside-") == true)
        let chosen = try #require(try await fixture.library.setPoster(ofTitle: beside.id, at: 0.2))
        #expect(chosen.poster?.contains("-beside-") == false)
        try write("another image", to: "Film/poster.jpg")
        try await fixture.settle()
        #expect(try await fixture.title("Film/film.mp4")?.poster == chosen.poster)
        // Without the choice, the new image.
        let back = try #require(try await fixture.library.setPoster(ofTitle: beside.id, at: nil))
        #expect(back.poster?.contains("-beside-") == true && back.poster != beside.poster)
        fixture.remove()
    }

    /// The image comes while the frame that would be the poster is being made.
    @Test func anImageThatComesWhileAPosterIsMadeIsNotForgotten() async throws {
        let (worker, started, release) = FakeWorker.pausingAtPosters()
        let fixture = try LibraryFixture(worker: worker)
        try fixture.write(SampleMedia.movie(), to: fixture.vod("Film/film.mp4"))
        try await fixture.library.scanner.scan(.titles)
        let job = try #require(await fixture.library.runner.next(in: .short))
        async let made: Void = fixture.library.runner.perform(job)
        for await _ in started { break }
        try fixture.write(Data("image".utf8), to: fixture.vod("Film/poster.jpg"))
        try await fixture.library.scanner.scan(.titles)
        release.yield()
        try await made
        try await fixture.finishJobs()
        #expect(try await fixture.title("Film/film.mp4")?.poster?.contains("-beside-") == true)
        fixture.remove()
    }
}
