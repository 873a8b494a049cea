import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import LibraryDetails
import MediaWorker
import Packaging
import Synchronization
import Testing

@testable import JobRunning
@testable import MediaIntake
@testable import VODLibrary

@Suite(.eachEngine) struct IngestTests {
    @Test func aMovieFromOutsideIsCopiedAndReadyAtOnce() async throws {
        let fixture = try LibraryFixture()
        let path = try fixture.write(SampleMedia.movie(), to: "\(fixture.folder)/from/film.mp4")
        guard case .title(let title) = try await fixture.library.ingest(path: path) else {
            Issue.record("no title")
            return
        }
        #expect(title.state == .ready && title.file == "film.mp4" && title.id == "film")
        let kept = try #require(try await fixture.title("film.mp4"))
        #expect(kept.state == .ready && kept.id == title.id && kept.mediaPath == title.mediaPath)
        try await fixture.settle()
        #expect(try await fixture.title("film.mp4")?.poster != nil)
        #expect(try Data(contentsOf: URL(filePath: path)) == SampleMedia.movie())
        #expect(try await fixture.catalogue.allTitles().count == 1)
        fixture.remove()
    }

    @Test func aMovieIsIndexedInPlaceWithOneWriteAndNoWorker() async throws {
        let fixture = try LibraryFixture()
        try fixture.write(SampleMedia.movie(), to: fixture.vod("Summer_party.mp4"))
        try await fixture.library.scanner.scan(.titles)
        #expect(await fixture.library.runner.waitingCount(in: .indexing) == 0)
        #expect(fixture.catalogue.writeCount == 1)
        #expect(fixture.worker.requests.isEmpty)
        let title = try #require(try await fixture.title("Summer_party.mp4"))
        #expect(title.state == .ready)
        #expect(title.id == "summer-party")
        #expect(title.title == "A title")
        #expect(title.mediaPath == fixture.vod("Summer_party.mp4"))
        #expect(abs((title.duration ?? 0) - 2) < 0.1)
        #expect(title.width == 320 && title.height == 180 && title.videoCodec == "H.264" && title.audioCodec == "AAC")
        #expect((title.ingestSeconds ?? 0) > 0)
        fixture.remove()
    }

    @Test func anIngestedTitleIsOpenOnlyWhileItIsWatched() async throws {
        let fixture = try LibraryFixture()
        try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
        try await fixture.settle()
        #expect(await fixture.library.context.cache.count == 0)
        let title = try #require(try await fixture.title("film.mp4"))
        #expect(try await fixture.library.packagedTitle(title) != nil)
        #expect(await fixture.library.context.cache.count == 1)
        fixture.remove()
    }

    @Test func theFirstViewerOfANewTitleNeedNotWaitForItToBeReadAgain() async throws {
        let fixture = try LibraryFixture()
        try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
        try await fixture.settle()
        let title = try #require(try await fixture.title("film.mp4"))
        let cache = fixture.library.context.cache
        let offered = try await cache.inspect(path: fixture.vod("film.mp4"))
        await cache.offer(offered, path: fixture.vod("film.mp4"))
        #expect(try await fixture.library.packagedTitle(title)?.instance == offered.instance)
        // From now on it is one of those that are watched, and an old offer does not take its place.
        await cache.offer(try await cache.inspect(path: fixture.vod("film.mp4")), path: fixture.vod("film.mp4"))
        #expect(try await fixture.library.packagedTitle(title)?.instance == offered.instance)
        fixture.remove()
    }

    @Test func aNewTitleThatNobodyAsksForIsHeldForTwoLooksAtMost() async throws {
        let fixture = try LibraryFixture()
        let path = fixture.vod("film.mp4")
        try fixture.write(SampleMedia.movie(), to: path)
        let cache = fixture.library.context.cache
        let offered = try await cache.inspect(path: path)
        await cache.offer(offered, path: path)
        await cache.dropAgedIngested()
        await cache.dropAgedIngested()
        #expect(try await cache.title(path: path).instance != offered.instance)
        fixture.remove()
    }

    @Test func aNewTitleWhoseFileWasReplacedIsReadAgain() async throws {
        let fixture = try LibraryFixture()
        let path = fixture.vod("film.mp4")
        try fixture.write(SampleMedia.movie(), to: path)
        let cache = fixture.library.context.cache
        let offered = try await cache.inspect(path: path)
        await cache.offer(offered, path: path)
        try FileManager.default.removeItem(atPath: path)
        try fixture.write(SampleMedia.movie(), to: path)
        #expect(try await cache.title(path: path).instance != offered.instance)
        fixture.remove()
    }

    @Test func anythingElseIsConvertedOnce() async throws {
        let fixture = try LibraryFixture(
            worker: FakeWorker { request, _ in try FakeWorker.succeed(request, tags: ["title": " Tagged\nname "]) })
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mkv"))
        // By name a movie, by content not: found out by a look, then converted.
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("other.mp4"))
        try await fixture.settle()
        for name in ["film.mkv", "other.mp4"] {
            let title = try #require(try await fixture.title(name))
            #expect(title.state == .ready)
            #expect(title.title == "Tagged name")
            #expect(title.mediaPath?.hasPrefix("\(fixture.folder)/data/movies/") == true)
            #expect(title.poster?.hasPrefix("\(fixture.folder)/data/posters/") == true)
        }
        #expect(fixture.worker.requests.count == 4)
        fixture.remove()
    }

    /// An operator's choice, and a note beside the file, take precedence.
    @Test func aTitleHasTheArtistAndTheAlbumOfItsFile() async throws {
        let tags = ["title": "Noche", "artist": " Ana\n", "album": "Uno"]
        let fixture = try LibraryFixture(
            worker: FakeWorker { request, _ in try FakeWorker.succeed(request, tags: tags) })
        try fixture.write(Data("film".utf8), to: fixture.vod("a.mkv"))
        try fixture.write(Data("film".utf8), to: fixture.vod("b.mkv"))
        try fixture.write(Data("<movie><artist>Eva</artist></movie>".utf8), to: fixture.vod("b.nfo"))
        try await fixture.settle()
        let title = try #require(try await fixture.title("a.mkv"))
        #expect(title.details.text(.artist) == "Ana" && title.details.text(.album) == "Uno")
        let noted = try #require(try await fixture.title("b.mkv"))
        #expect(noted.details.text(.artist) == "Eva" && noted.details.text(.album) == "Uno")
        fixture.remove()
    }

    @Test func aTrackHasTheTagsOfItsFile() async throws {
        let tags = [
            "title": "Noche", "artist": "Ana", "album": "Uno", "date": "1999-05-01", "track": "3/12", "genre": "Jazz",
        ]
        let fixture = try LibraryFixture(
            worker: FakeWorker { request, _ in try FakeWorker.succeed(request, tags: tags, hasCover: true) })
        try fixture.write(Data("sound".utf8), to: fixture.audio("a.mp3"))
        try await fixture.settle()
        let track = try #require(try await fixture.track("a.mp3"))
        #expect(track.title == "Noche" && track.artist == "Ana" && track.album == "Uno" && track.genre == "Jazz")
        #expect(track.year == 1_999 && track.trackNumber == 3)
        #expect(track.state == .ready && track.codec == "mp3" && track.sampleRate == 48_000)
        #expect(track.coverMediaType == "image/png")
        #expect(track.cover.map(FileManager.default.fileExists(atPath:)) == true)
        fixture.remove()
    }

    /// Together with the real worker, as they would lie in a folder.
    @Test func eachBadFileFailsItsOwnJobWithItsNameAndAReason() async throws {
        let fixture = try LibraryFixture(realWorker: true)
        let movie = try SampleMedia.movie()
        var lying = movie
        let offsets = try #require(lying.range(of: Data("stco".utf8)))
        for place in 0..<4 { lying[offsets.upperBound + 8 + place] = 0x7F }
        let hls = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\ngood.mp4\n#EXT-X-ENDLIST\n"
        let bad: [String: Data] = [
            "cut.mp4": movie.prefix(movie.count / 2), "lying.mp4": lying, "empty.mp4": Data(),
            "text.mp4": Data(String(repeating: "The quick brown fox. ", count: 500).utf8), "hls.mp4": Data(hls.utf8),
            "concat.mp4": Data("ffconcat version 1.0\nfile good.mp4\n".utf8),
            "sub/noise.mkv": Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) }),
        ]
        for (name, data) in bad { try fixture.write(data, to: fixture.vod(name)) }
        try fixture.write(Data(), to: fixture.vod("sparse.mp4"))
        try FileHandle(forWritingTo: URL(filePath: fixture.vod("sparse.mp4"))).truncate(atOffset: 4 << 30)
        try fixture.write(movie, to: fixture.vod("good.mp4"))
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("good.mkv"))
        // A playlist lies beside media; thumbnails of a NAS have the names of media.
        try fixture.write(Data(hls.utf8), to: fixture.vod("list.m3u8"))
        try fixture.write(movie.prefix(100), to: fixture.vod("@eaDir/good.mp4/thumb.mp4"))
        try await fixture.settle()
        #expect(try await fixture.title("list.m3u8") == nil)
        #expect(try await fixture.title("@eaDir/good.mp4/thumb.mp4") == nil)
        #expect(await fixture.library.misplacedFiles().isEmpty)
        for name in bad.keys + ["sparse.mp4"] {
            let title = try #require(try await fixture.title(name))
            let error = try #require(title.error, "\(name) is \(title.state)")
            #expect(title.state == .failed)
            #expect(error.hasPrefix("\(name): "))
            let last = String(name.split(separator: "/").last ?? "")
            #expect(error.components(separatedBy: last).count == 2, "\(error)")
            #expect(error.count > name.count + 10)
            #expect(!error.contains(fixture.folder), "\(error)")
        }
        for name in ["good.mp4", "good.mkv"] {
            let title = try #require(try await fixture.title(name))
            #expect(title.state == .ready, "\(title.error ?? "")")
            #expect(title.poster != nil)
        }
        #expect(!fixture.dataFiles.contains { $0.hasSuffix(".part") })
        fixture.remove()
    }

    @Test func aRestartTakesUpWhatWasCutOff() async throws {
        let first = try LibraryFixture(worker: FakeWorker { _, _ in throw CancellationError() })
        try first.write(SampleMedia.matroska(), to: first.vod("film.mkv"))
        try first.write(SampleMedia.movie(), to: first.vod("plays.mp4"))
        try await first.library.scanner.scan(.titles)
        let job = try #require(await first.library.runner.next(in: .conversion))
        try? await first.library.runner.perform(job)
        #expect(try await first.title("film.mkv")?.state == .queued)
        #expect(try await first.title("plays.mp4")?.state == .ready)
        #expect(try await first.title("plays.mp4")?.poster == nil)
        try first.write(Data("half".utf8), to: "\(first.folder)/data/movies/film-x.mp4.part")
        try first.write(Data("half".utf8), to: first.vod("\(MediaImport.temporaryPrefix)1.part"))
        // A kill here.
        let second = try LibraryFixture(folder: first.folder)
        try await second.library.resume()
        #expect(second.dataFiles == [])
        #expect(!FileManager.default.fileExists(atPath: first.vod("\(MediaImport.temporaryPrefix)1.part")))
        try await second.settle()
        #expect(try await second.title("film.mkv")?.state == .ready)
        #expect(try await second.title("film.mkv")?.poster != nil)
        #expect(try await second.title("plays.mp4")?.poster != nil)
        second.remove()
    }

    @Test func aTitleDeletedWhileItIsConvertedLeavesNothing() async throws {
        let fixture = try LibraryFixture()
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mkv"))
        try await fixture.library.scanner.scan(.titles)
        let worker = FakeWorker { [fixture] request, _ in
            try await fixture.catalogue.deleteTitle(id: "film")
            return try FakeWorker.succeed(request)
        }
        let other = try LibraryFixture(folder: fixture.folder, worker: worker)
        try await other.library.scanner.scan(.titles)
        try await other.finishJobs()
        #expect(try await other.title("film.mkv") == nil)
        #expect(other.dataFiles == [])
        fixture.remove()
    }

    @Test func progressIsLaidOverTheRecordsOfRunningJobs() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let (reports, reporter) = AsyncStream.makeStream(of: Void.self)
        let fixture = try LibraryFixture(
            worker: FakeWorker { request, onProgress in
                if case .toMovie = request.task {
                    onProgress(0.25)
                    reporter.yield()
                    for await _ in gate { break }
                }
                return try FakeWorker.succeed(request)
            })
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mkv"))
        try await fixture.library.scanner.scan(.titles)
        async let done: Void = fixture.finishJobs()
        for await _ in reports { break }
        while await fixture.library.jobs().first?.progress == nil { await Task.yield() }
        let record = try #require(try await fixture.title("film.mkv"))
        #expect(record.state == .queued)
        let shown = await fixture.library.withProgress([record])
        #expect(shown.map(\.state) == [.transcoding])
        #expect(shown.map(\.progress) == [0.25])
        opener.yield()
        try await done
        #expect(try await fixture.title("film.mkv")?.state == .ready)
        #expect(try await fixture.title("film.mkv")?.progress == nil)
        fixture.remove()
    }

    @Test(.timeLimit(.minutes(1)))
    func aMovieIsIndexedWhileAllConversionsAreBusy() async throws {
        let fixture = try LibraryFixture(
            worker: FakeWorker { request, _ in
                // For as long as the server runs.
                if case .toMovie = request.task { try await Task.sleep(for: .seconds(3_600)) }
                return try FakeWorker.succeed(request)
            })
        for name in ["a.mkv", "b.mkv", "c.mkv"] { try fixture.write(SampleMedia.matroska(), to: fixture.vod(name)) }
        try fixture.write(SampleMedia.movie(), to: fixture.vod("d.mp4"))
        let running = Task { try await fixture.library.run() }
        for await title in fixture.catalogue.updates where title.file == "d.mp4" && title.poster != nil { break }
        #expect(try await fixture.title("d.mp4")?.state == .ready)
        #expect(try await fixture.title("a.mkv")?.state == .queued)
        running.cancel()
        try await running.value
        fixture.remove()
    }
}
