import Catalogue
import DatabaseTestSupport
import Foundation
import LibAV
import LibraryStorage
import MediaCore
import MediaWorker
import Testing
import Transcoding

@testable import JobRunning
@testable import VODLibrary

/// Ladders whose movies lie in the media store.
@Suite(.eachEngine) struct StoredLadderTests {
    private static let rung = LadderRung(name: "low", width: 96, height: 54, frameRate: 30, bitRate: 60_000)
    private static let preset = QualityPreset(
        name: "lower", width: 64, height: 36, frameRate: 30, videoBitRate: 30_000, audioBitRate: 0)

    /// Describes a video, and makes no ladder.
    private static func worker() -> FakeWorker {
        FakeWorker { request, _ in
            switch request.task {
            case .ladder: throw WorkerFailure(reason: "film.mp4: the test says so")
            case .probe:
                var stream = StreamDescription(index: 0, type: "video", codec: "h264", width: 320, height: 180)
                stream.shownSize = ShownSize(width: 320, height: 180)
                return WorkerResult(
                    description: MediaDescription(
                        container: "mp4", duration: 2, streams: [stream], tags: [:], hasCoverImage: false))
            default: return try FakeWorker.succeed(request)
            }
        }
    }

    /// Writes a complete ladder as another run may have left it.
    ///
    /// - Returns: the path of its movie.
    private func writeLadder(_ fixture: LibraryFixture, revision: String) throws -> String {
        let store = fixture.library.ladders.store
        let folder = store.folder(titleID: "film", revision: revision, key: "00000000")
        var request = LadderRequest(encoder: "libx264")
        request.rungs = [Self.rung]
        let movie = LadderManifest.Movie(rung: Self.rung, start: 0, timescale: 90_000)
        try store.finish(LadderManifest(request: request, movies: [movie]), in: folder)
        return try fixture.write(Data("a movie".utf8), to: folder.files.moviePath(Self.rung))
    }

    enum Deletion: CaseIterable {
        case atTheStart, afterAFailure, onRetry, beforeAnotherIsMade
    }

    @Test(arguments: Deletion.allCases) func aDeletedLadderLeavesNothingInTheStore(_ deletion: Deletion) async throws {
        try await StoredLibrary.with(worker: Self.worker()) { test in
            let (fixture, library) = (test.fixture, test.fixture.library)
            let film = try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
            try await fixture.settle()
            let record = try #require(try await fixture.title("film.mp4"))
            // A file that was replaced while the server was down has another revision.
            let movie = try writeLadder(fixture, revision: deletion == .atTheStart ? "other" : record.revision)
            try await test.move()
            #expect(test.stored.file(at: movie) != nil && !test.isLocal(movie))
            switch deletion {
            case .atTheStart: try await library.resume()
            case .afterAFailure: await library.ladders.noteEnding(.failed, ofTitle: "film")
            case .onRetry:
                let key = JobKey(kind: .ladder, subject: "film")
                let job = LibraryJob(key: key, number: 1, fileName: "film.mp4", lane: .ladder)
                #expect(try await library.ladders.retry(job))
            case .beforeAnotherIsMade:
                #expect(try await library.makeLadder(ofTitle: "film", presets: [Self.preset])?.state == .queued)
                try await fixture.finishJobs()
                #expect(try await library.ladderStatus(ofTitle: "film")?.state == .failed)
            }
            #expect(test.stored.file(at: movie) == nil)
            #expect(!test.isLocal(movie.replacing("low.mp4", with: "ladder.json")))
            // The title is not touched.
            #expect(test.stored.file(at: film) != nil)
            let objects = FileManager.default.enumerator(atPath: test.storeFolder)?.allObjects as? [String] ?? []
            #expect(!objects.contains { $0.contains("low.mp4") })
        }
    }
}
