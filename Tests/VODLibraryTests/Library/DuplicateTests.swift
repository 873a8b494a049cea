import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaFolders
import Testing

@testable import VODLibrary

@Suite(.eachEngine) struct DuplicateTests {
    private let fixture: LibraryFixture

    init() throws { fixture = try LibraryFixture() }

    private func duplicates(_ files: String...) async throws -> [String?] {
        for section in LibrarySection.allCases { try await fixture.library.duplicates.search(section) }
        var result: [String?] = []
        for file in files { result.append(try await fixture.title(file)?.duplicateOf) }
        return result
    }

    @Test func theSecondFileWithTheSameContentIsADuplicateOfTheFirst() async throws {
        let movie = try SampleMedia.movie()
        for name in ["z.mp4", "a.mp4"] {
            try fixture.write(movie, to: fixture.vod(name))
            try await fixture.settle()
        }
        try fixture.write(movie + Data(count: 8), to: fixture.vod("other.mp4"))
        try await fixture.settle()
        #expect(try await duplicates("z.mp4", "a.mp4", "other.mp4") == [nil, "z", nil])
        // What else is written to a record leaves it as it is.
        var record = try #require(try await fixture.title("a.mp4"))
        record.duplicateOf = nil
        record.poster = "/p.jpg"
        #expect(try await fixture.catalogue.update(record, from: record.revision))
        #expect(try await fixture.title("a.mp4")?.duplicateOf == "z")
        fixture.remove()
    }

    /// Files that samples do not tell apart are told apart by all of their bytes.
    @Test func filesThatAreAlikeInSomePlacesAreReadWhole() async throws {
        let head = try SampleMedia.movie()
        // Behind the movie, and in none of the places.
        var (first, second) = (head + Data(count: 2_000_000), head + Data(count: 2_000_000))
        first[first.count * 3 / 8] = 1
        second[second.count * 3 / 8] = 2
        for (name, data) in [("a.mp4", first), ("b.mp4", second), ("c.mp4", second)] {
            try fixture.write(data, to: fixture.vod(name))
            try await fixture.settle()
        }
        let sampled = try [fixture.vod("a.mp4"), fixture.vod("b.mp4")].map { try ContentSampling.sample(of: $0).digest }
        #expect(sampled[0] == sampled[1])
        #expect(try await duplicates("a.mp4", "b.mp4", "c.mp4") == [nil, nil, "b"])
        fixture.remove()
    }

    @Test func whenTheFirstGoesTheNextTakesItsPlace() async throws {
        for name in ["a.mp4", "b.mp4", "c.mp4"] {
            try fixture.write(SampleMedia.movie(), to: fixture.vod(name))
            try await fixture.settle()
        }
        #expect(try await duplicates("a.mp4", "b.mp4", "c.mp4") == [nil, "a", "a"])
        #expect(try await fixture.library.deleteTitle(id: "a"))
        #expect(try await duplicates("b.mp4", "c.mp4") == [nil, "b"])
        // Replaced: neither is what it was.
        try fixture.write(SampleMedia.movie() + Data(count: 8), to: fixture.vod("b.mp4"))
        try await fixture.settle()
        #expect(try await duplicates("b.mp4", "c.mp4") == [nil, nil])
        fixture.remove()
    }

    @Test func aFileThatCannotBeReadIsNotTriedAgainAndAgain() async throws {
        let path = try fixture.write(SampleMedia.movie(), to: fixture.vod("a.mp4"))
        try await fixture.settle()
        try FileManager.default.removeItem(atPath: path)
        #expect(try await duplicates("a.mp4") == [nil])
        #expect(await fixture.library.duplicates.unreadable.keys.contains("a"))
        for section in LibrarySection.allCases {
            #expect(await !fixture.library.duplicates.hasUnchecked(in: section))
        }
        fixture.remove()
    }
}

@Suite(.eachEngine) struct DeletingTests {
    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test func deletesATitlesFilesAndNothingElse() async throws {
        let fixture = try LibraryFixture()
        for name in ["sub/film.mkv", "sub/film2.mkv"] {
            try fixture.write(SampleMedia.matroska(), to: fixture.vod(name))
        }
        try fixture.write(Data("1".utf8), to: fixture.vod("sub/film.srt"))
        try await fixture.settle()
        let record = try #require(try await fixture.title("sub/film.mkv"))
        #expect(try await fixture.library.packagedTitle(record) != nil)
        #expect(fixture.dataFiles.count == 4)
        #expect(try await fixture.library.deleteTitle(id: record.id))
        #expect(!exists(fixture.vod("sub/film.mkv")))
        #expect(exists(fixture.vod("sub/film2.mkv")) && exists(fixture.vod("sub/film.srt")))
        #expect(fixture.dataFiles.count == 2)
        #expect(await fixture.library.context.cache.count == 0)
        try await fixture.settle()
        #expect(try await fixture.catalogue.allTitles().map(\.file) == ["sub/film2.mkv"])
        #expect(try await !fixture.library.deleteTitle(id: record.id))
        fixture.remove()
    }

    @Test func deletesTheLinkAndNotWhatItLeadsTo() async throws {
        let fixture = try LibraryFixture()
        let target = try fixture.write(SampleMedia.movie(), to: "\(fixture.folder)/elsewhere/film.mp4")
        try FileManager.default.createSymbolicLink(atPath: fixture.vod("film.mp4"), withDestinationPath: target)
        try await fixture.settle()
        #expect(try await fixture.library.deleteTitle(id: "film"))
        #expect(
            exists(target)
                && (try? FileManager.default.destinationOfSymbolicLink(atPath: fixture.vod("film.mp4"))) == nil)
        fixture.remove()
    }

    @Test func deletesRecordingsAndTracksToo() async throws {
        let fixture = try LibraryFixture()
        let recording = try fixture.write(
            SampleMedia.movie(), to: "\(fixture.folder)/data/recordings/canalA/one.mp4")
        try fixture.write(SampleMedia.movie(), to: fixture.vod("recordings.mp4"))
        try fixture.write(Data("sound".utf8), to: fixture.audio("a.mp3"))
        try await fixture.settle()
        let id = try #require(try await fixture.title("recordings/canalA/one.mp4")).id
        #expect(try await fixture.library.deleteTitle(id: id))
        #expect(!exists(recording) && exists(fixture.vod("recordings.mp4")))
        #expect(try await fixture.library.deleteTrack(id: "a"))
        #expect(!exists(fixture.audio("a.mp3")))
        #expect(try await fixture.track("a.mp3") == nil)
        fixture.remove()
    }

    @Test(.timeLimit(.minutes(1))) func aTitleThatIsBeingConvertedLeavesNothing() async throws {
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let fixture = try LibraryFixture(
            worker: FakeWorker { request, _ in
                signal.yield()
                try await Task.sleep(for: .seconds(3_600))
                return try FakeWorker.succeed(request)
            })
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mkv"))
        let running = Task { try await fixture.library.run() }
        for await _ in started { break }
        #expect(try await fixture.library.deleteTitle(id: "film"))
        #expect(try await fixture.catalogue.allTitles().isEmpty)
        #expect(await fixture.library.jobs().isEmpty)
        #expect(!exists(fixture.vod("film.mkv")) && fixture.dataFiles == [])
        running.cancel()
        try await running.value
        fixture.remove()
    }
}
