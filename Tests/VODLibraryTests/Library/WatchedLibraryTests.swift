import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import TestSupport
import Testing

@testable import VODLibrary

@Suite(.eachEngine, .timeLimit(.minutes(2))) struct WatchedLibraryTests {
    @Test func aFileIsTakenWhenItIsWholeAndNotBefore() async throws {
        let fixture = try LibraryFixture()
        let running = Task { try await fixture.library.run() }
        // By the first look, a file of any age is whole: the fixture's clock is an hour ahead.
        try await eventually { await fixture.library.scanner.settling.count == 2 }
        let path = fixture.vod("film.mp4")
        let movie = try SampleMedia.movie()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        try #require(descriptor >= 0)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: movie.prefix(1_000))
        try await eventually { await fixture.library.scanner.isBeingWritten("film.mp4", in: .titles) }
        try await fixture.library.scanner.scan(.titles)
        #expect(try await fixture.title("film.mp4") == nil)
        try file.write(contentsOf: movie.dropFirst(1_000))
        try file.close()
        try await eventually { try await fixture.title("film.mp4")?.state == .ready }
        try FileManager.default.removeItem(atPath: path)
        try await eventually { try await fixture.title("film.mp4") == nil }
        running.cancel()
        try await running.value
        fixture.remove()
    }

    /// Some programs make a file, close it, and then open it to write.
    @Test func anEmptyFileThatWasClosedIsLeftToTheNextLook() async throws {
        let fixture = try LibraryFixture()
        try fixture.write(Data(), to: fixture.vod("film.mp4"))
        try await fixture.library.scanner.examine(["film.mp4", "gone.mp4"], in: .titles)
        #expect(try await fixture.catalogue.allTitles().isEmpty)
        #expect(await fixture.library.scanner.scans.sections == [.titles])
        fixture.remove()
    }
}
