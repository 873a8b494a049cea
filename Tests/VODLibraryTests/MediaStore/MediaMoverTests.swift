import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryStorage
import MediaCore
import MediaIntake
import MediaWorker
import Packaging
import Testing

@testable import VODLibrary

@Suite(.eachEngine) struct MediaMoverTests {
    @Test func aTitleIsMovedAndPlays() async throws {
        try await StoredLibrary.with { test in
            let path = try test.fixture.write(SampleMedia.movie(), to: test.fixture.vod("film.mp4"))
            try await test.fixture.settle()
            let before = try #require(try await test.fixture.title("film.mp4"))
            let poster = try #require(before.poster)
            try await test.move()
            #expect(!test.isLocal(path) && !test.isLocal(poster))
            let status = await test.mover.status
            #expect(status.movedCount == 2 && status.waitingCount == 0 && status.error == nil)
            // It stays what it was, through scans and for viewers.
            try await test.fixture.settle()
            let after = try #require(try await test.fixture.title("film.mp4"))
            #expect(after.id == before.id && after.revision == before.revision && after.state == .ready)
            let title = try #require(try await test.fixture.library.packagedTitle(after))
            #expect(title.file.isRemote && title.file.path == path)
            #expect(title.duration.seconds > 1.5)
            let image = try #require(try await test.fixture.library.servedFile(at: poster))
            #expect(image.isRemote && image.byteCount > 0)
        }
    }

    @Test func convertedMoviesAndTracksAreMovedToo() async throws {
        try await StoredLibrary.with { test in
            try test.fixture.write(SampleMedia.matroska(), to: test.fixture.vod("old.mkv"))
            try test.fixture.write(SampleMedia.matroska(), to: test.fixture.audio("song.mp3"))
            try await test.fixture.settle()
            try await test.move()
            let title = try #require(try await test.fixture.title("old.mkv"))
            let track = try #require(try await test.fixture.track("song.mp3"))
            for path in [title.sourcePath, title.mediaPath, track.sourcePath, track.mediaPath].compactMap(\.self) {
                #expect(!test.isLocal(path) && test.stored.file(at: path) != nil, "\(path)")
            }
            #expect(try await test.fixture.library.packagedTitle(title)?.file.isRemote == true)
            #expect(try await test.fixture.library.packagedTrack(track)?.file.isRemote == true)
            #expect(try await test.fixture.library.trackFile(track)?.isRemote == true)
        }
    }

    @Test func filesComeBackOnRequest() async throws {
        try await StoredLibrary.with { test in
            let path = try test.fixture.write(SampleMedia.movie(), to: test.fixture.vod("film.mp4"))
            try await test.fixture.settle()
            let before = try #require(try await test.fixture.title("film.mp4"))
            try await test.move()
            await test.mover.choose(.folder)
            try await test.mover.moveAll()
            #expect(test.isLocal(path) && test.stored.paths.isEmpty)
            try await test.fixture.settle()
            let after = try #require(try await test.fixture.title("film.mp4"))
            #expect(after.id == before.id && after.revision == before.revision && after.addedAt == before.addedAt)
            #expect(try await test.fixture.library.packagedTitle(after)?.file.isRemote == false)
        }
    }

    @Test func aTitleThatIsNotReadyStays() async throws {
        let worker = FakeWorker { _, _ in throw WorkerFailure(reason: "it is broken") }
        try await StoredLibrary.with(worker: worker) { test in
            let path = try test.fixture.write(Data("nonsense".utf8), to: test.fixture.vod("film.mkv"))
            try await test.fixture.settle()
            #expect(try await test.fixture.title("film.mkv")?.state == .failed)
            try await test.move()
            #expect(test.isLocal(path) && test.stored.paths.isEmpty)
        }
    }

    @Test func aDeletedTitleLeavesNothingInTheStore() async throws {
        try await StoredLibrary.with { test in
            try test.fixture.write(SampleMedia.movie(), to: test.fixture.vod("film.mp4"))
            try await test.fixture.settle()
            try await test.move()
            #expect(test.stored.paths.count == 2)
            #expect(try await test.fixture.library.deleteTitle(id: "film"))
            #expect(test.stored.paths.isEmpty)
            try await test.fixture.settle()
            #expect(try await test.fixture.title("film.mp4") == nil)
            let objects = FileManager.default.enumerator(atPath: test.storeFolder)?.allObjects as? [String] ?? []
            #expect(objects.filter { $0.contains(".mp4.") }.isEmpty)
        }
    }

    @Test func workersGetACopy() async throws {
        try await StoredLibrary.with { test in
            let path = try test.fixture.write(SampleMedia.movie(), to: test.fixture.vod("film.mp4"))
            try await test.fixture.settle()
            try await test.move()
            let title = try await test.fixture.library.setPoster(ofTitle: "film", at: 1)
            #expect(title?.posterTime == 1)
            let input = try #require(test.fixture.worker.requests.last?.input)
            #expect(input != path && input.hasSuffix("-film.mp4"))
            // The copy is gone again.
            #expect(!test.isLocal(input))
        }
    }

    @Test func anUploadDoesNotTakeTheNameOfAFileInTheStore() async throws {
        try await StoredLibrary.with { test in
            try test.fixture.write(SampleMedia.movie(), to: test.fixture.vod("film.mp4"))
            try await test.fixture.settle()
            try await test.move()
            let elsewhere = try test.fixture.write(SampleMedia.movie(), to: "\(test.fixture.folder)/other/film.mp4")
            guard case .title(let title) = try await test.fixture.library.ingest(path: elsewhere) else {
                Issue.record("no title")
                return
            }
            #expect(title.file == "film-2.mp4")
        }
    }

    @Test func aFileOfTheSameNameReplacesTheTitle() async throws {
        try await StoredLibrary.with { test in
            let path = try test.fixture.write(SampleMedia.movie(), to: test.fixture.vod("film.mp4"))
            try await test.fixture.settle()
            let before = try #require(try await test.fixture.title("film.mp4"))
            try await test.move()
            try test.fixture.write(SampleMedia.movie() + Data(count: 8), to: path)
            try await test.fixture.settle()
            let after = try #require(try await test.fixture.title("film.mp4"))
            #expect(after.id == before.id && after.revision != before.revision && after.state == .ready)
            #expect(try await test.fixture.library.packagedTitle(after)?.file.isRemote == false)
            #expect(test.stored.file(at: path) == nil, "the former film does not come back")
            try await test.move()
            #expect(try await test.fixture.library.packagedTitle(after)?.file.isRemote == true)
        }
    }
}
