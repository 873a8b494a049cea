import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import Logging
import MediaCore
import MediaWorker
import NIOCore
import Synchronization
import Testing

@testable import JobRunning
@testable import VODLibrary

@Suite(.eachEngine) struct LibraryPosterTests {
    /// A library with one film of two seconds and its poster.
    private func fixture(_ worker: FakeWorker = FakeWorker()) async throws -> LibraryFixture {
        let fixture = try LibraryFixture(worker: worker)
        try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
        try await fixture.settle()
        return fixture
    }

    /// A queue of posters and of other jobs, which nobody works off.
    private func runner(_ posters: PosterJob, _ fixture: LibraryFixture) -> JobRunner {
        JobRunner(
            kinds: [posters, fixture.library.storyboards], store: fixture.catalogue, wallClock: .system,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func posters(_ fixture: LibraryFixture) -> [String] {
        fixture.dataFiles.filter { $0.hasPrefix("posters/") }
    }

    private func replace(_ fixture: LibraryFixture, with data: Data) async throws {
        try fixture.write(data, to: fixture.vod("film.mp4"))
        // Not within the same tick of the file system's clock.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: fixture.vod("film.mp4"))
        try await fixture.settle()
        try await fixture.settle()
    }

    @Test func aPosterForWhichTheQueueHadNoRoomIsQueuedLater() async throws {
        let fixture = try await fixture()
        var title = try #require(try await fixture.title("film.mp4"))
        title.poster = nil
        #expect(try await fixture.catalogue.update(title, from: title.revision))
        let posters = PosterJob(context: fixture.library.context, worker: fixture.worker)
        let full = runner(posters, fixture)
        for number in 0..<JobRunner.maximumWaitingCount {
            await full.enqueue(JobRequest(.storyboard, subject: "\(number)", fileName: "x.mp4"))
        }
        await posters.queue(for: title, in: full)
        try await posters.queuePostponed(in: full)
        #expect(await full.openSubjects(of: .poster).isEmpty)
        let free = runner(posters, fixture)
        try await posters.queuePostponed(in: free)
        #expect(await free.openSubjects(of: .poster) == [title.id])
        fixture.remove()
    }

    @Test func aTimeIsKeptAndTheOldImageGoes() async throws {
        let fixture = try await fixture()
        let first = try #require(try await fixture.title("film.mp4"))
        let chosen = try #require(try await fixture.library.setPoster(ofTitle: first.id, at: 1.5))
        #expect(chosen.posterTime == 1.5)
        #expect(chosen.poster != first.poster)
        #expect(posters(fixture).count == 1)
        #expect(
            fixture.worker.requests.last?.task
                == .image(.time(output: chosen.poster ?? "", width: TitleIngest.posterWidth, seconds: 1.5)))
        // After a restart it is the same, and nothing is made again.
        let second = try LibraryFixture(folder: fixture.folder)
        try await second.library.resume()
        try await second.settle()
        #expect(try await second.title("film.mp4") == chosen)
        #expect(second.worker.requests.isEmpty)
        let automatic = try #require(try await second.library.setPoster(ofTitle: first.id, at: nil))
        #expect(automatic.poster == first.poster && automatic.posterTime == nil)
        #expect(posters(second).count == 1)
        fixture.remove()
    }

    @Test func anotherFileHasItsPosterAtTheSameTimeIfItIsLongEnough() async throws {
        let fixture = try await fixture()
        let id = try #require(try await fixture.title("film.mp4")).id
        _ = try await fixture.library.setPoster(ofTitle: id, at: 1.5)
        try await replace(fixture, with: SampleMedia.movie() + Data([0, 0, 0, 8]) + Data("free".utf8))
        var title = try #require(try await fixture.title("film.mp4"))
        #expect(title.state == .ready && title.poster?.contains("-at-1500.jpg") == true, "\(title)")
        // One second of Matroska, by a name that says otherwise: converted, and by the stand-in's movie two seconds.
        try await replace(fixture, with: try SampleMedia.sound())
        title = try #require(try await fixture.title("film.mp4"))
        #expect(title.posterTime == 1.5)
        #expect(title.poster == nil)
        fixture.remove()
    }

    @Test func anUploadedImageStaysWithEveryFile() async throws {
        let fixture = try await fixture()
        let id = try #require(try await fixture.title("film.mp4")).id
        _ = try await fixture.library.setPoster(ofTitle: id, at: 1)
        let sent = try #require(
            try await fixture.library.setPoster(ofTitle: id, to: ByteBuffer(bytes: SampleMedia.jpegBeginning)))
        #expect(sent.poster == sent.uploadedPoster && sent.posterTime == nil)
        #expect(posters(fixture).count == 1)
        try await replace(fixture, with: SampleMedia.movie() + Data([0, 0, 0, 8]) + Data("free".utf8))
        let title = try #require(try await fixture.title("film.mp4"))
        #expect(title.poster == sent.poster && title.state == .ready)
        #expect(title.poster.map(FileManager.default.fileExists(atPath:)) == true)
        #expect(try await fixture.library.deleteTitle(id: id))
        #expect(fixture.dataFiles == [])
        fixture.remove()
    }

    @Test func aWishForATitleThatIsNotReadyIsGrantedWhenItIs() async throws {
        let fixture = try LibraryFixture()
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mkv"))
        try await fixture.library.scanner.scan(.titles)
        let queued = try #require(try await fixture.title("film.mkv"))
        let wished = try #require(try await fixture.library.setPoster(ofTitle: queued.id, at: 1))
        #expect(wished.state == .queued && wished.posterTime == 1 && wished.poster == nil)
        try await fixture.settle()
        #expect(try await fixture.title("film.mkv")?.poster?.contains("-at-1000.jpg") == true)
        fixture.remove()
    }

    @Test func whatCannotBeLeavesThePosterAsItWas() async throws {
        let fixture = try await fixture(
            FakeWorker { request, _ in
                if case .image = request.task { throw WorkerFailure(reason: "film.mp4: no picture") }
                return try FakeWorker.succeed(request)
            })
        let before = try #require(try await fixture.title("film.mp4"))
        for seconds in [-1, 2.5, 1e12, .nan, .infinity, 1] {
            await #expect(throws: LibraryError.self) {
                _ = try await fixture.library.setPoster(ofTitle: before.id, at: seconds)
            }
        }
        await #expect(throws: LibraryError.self) {
            _ = try await fixture.library.setPoster(ofTitle: before.id, to: ByteBuffer(string: "no picture"))
        }
        #expect(try await fixture.library.setPoster(ofTitle: "nobody", at: 1) == nil)
        #expect(try await fixture.title("film.mp4") == before)
        #expect(posters(fixture).count == 1)
        fixture.remove()
    }

    /// Before the work, so that it is not done in vain, and in the transaction.
    @Test(arguments: [[false], [true, false]]) func aPosterOfATitleThatWasChangedMeanwhileIsNotKept(
        _ answers: [Bool]
    ) async throws {
        let fixture = try await fixture()
        let id = try #require(try await fixture.title("film.mp4")).id
        let chosen = try #require(try await fixture.library.setPoster(ofTitle: id, at: 1.5))
        let library = fixture.library
        let asked = Mutex(0)
        let condition: RecordCondition<TitleRecord> = { _ in
            asked.withLock { count in
                count += 1
                return answers[count - 1]
            }
        }
        // The same frame, another one, and an image.
        for seconds in [1.5, 1] {
            asked.withLock { $0 = 0 }
            await #expect(throws: Refusal.self) {
                _ = try await library.setPoster(ofTitle: id, at: seconds, if: condition)
            }
        }
        asked.withLock { $0 = 0 }
        await #expect(throws: Refusal.self) {
            _ = try await library.setPoster(
                ofTitle: id, to: ByteBuffer(bytes: SampleMedia.jpegBeginning), if: condition)
        }
        #expect(try await fixture.title("film.mp4") == chosen)
        #expect(chosen.poster.map(FileManager.default.fileExists(atPath:)) == true && posters(fixture).count == 1)
        fixture.remove()
    }

    /// A worker's words begin with the name of the file that it was given, which is one of the library's own.
    @Test func aRefusedImageIsNotCalledByTheLibrarysNameForIt() async throws {
        let fixture = try await fixture(
            FakeWorker { request, _ in
                guard case .image = request.task else { return try FakeWorker.succeed(request) }
                throw WorkerFailure(reason: "\(URL(filePath: request.input).lastPathComponent): is damaged")
            })
        let id = try #require(try await fixture.title("film.mp4")).id
        let error = await #expect(throws: LibraryError.self) {
            _ = try await fixture.library.setPoster(ofTitle: id, to: ByteBuffer(bytes: SampleMedia.jpegBeginning))
        }
        #expect(error?.reason == "the uploaded image: is damaged")
        fixture.remove()
    }

    /// The job has read its record before the operator came, and ends after.
    @Test func aWishThatComesWhileAPosterIsMadeIsNotLost() async throws {
        let (worker, started, release) = FakeWorker.pausingAtPosters()
        let fixture = try LibraryFixture(worker: worker)
        try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
        try await fixture.library.scanner.scan(.titles)
        let job = try #require(await fixture.library.runner.next(in: .short))
        async let made: Void = fixture.library.runner.perform(job)
        for await _ in started { break }
        let chosen = try #require(try await fixture.library.setPoster(ofTitle: job.id, at: 1))
        release.yield()
        try await made
        #expect(try await fixture.title("film.mp4") == chosen)
        #expect(chosen.poster.map(FileManager.default.fileExists(atPath:)) == true)
        #expect(posters(fixture).count == 1)
        fixture.remove()
    }

    // MARK: Storyboards

    @Test func aStoryboardIsMadeWhenNothingElseIsToBeDone() async throws {
        let fixture = try LibraryFixture()
        for name in ["a.mp4", "b.mp4"] { try fixture.write(SampleMedia.movie(), to: fixture.vod(name)) }
        try fixture.write(SampleMedia.sound(), to: fixture.audio("c.m4a"))
        try await fixture.library.scanner.scan(.titles)
        try await fixture.library.storyboards.queueNext(in: fixture.library.runner)
        #expect(await fixture.library.runner.waitingCount(in: .background) == 0)
        try await fixture.settle()
        try await fixture.library.storyboards.queueNext(in: fixture.library.runner)
        #expect(await fixture.library.runner.waitingCount(in: .background) == 2)
        try await fixture.finishJobs()
        for name in ["a.mp4", "b.mp4"] {
            let title = try #require(try await fixture.title(name))
            #expect(title.storyboard == "\(fixture.folder)/data/storyboards/\(title.id)-\(title.revision)")
            #expect(title.storyboardFile(named: Storyboard.fileName).map(FileManager.default.fileExists) == true)
        }
        try await fixture.library.storyboards.queueNext(in: fixture.library.runner)
        #expect(await fixture.library.runner.isEmpty)
        // A restart keeps them; what no record names goes.
        try fixture.write(Data(), to: "\(fixture.folder)/data/storyboards/stray-1/storyboard-1.jpg")
        let second = try LibraryFixture(folder: fixture.folder)
        try await second.library.resume()
        #expect(second.dataFiles.filter { $0.hasPrefix("storyboards/") }.count == 2)
        #expect(try await second.library.deleteTitle(id: "a"))
        #expect(second.dataFiles.filter { $0.hasPrefix("storyboards/") }.count == 1)
        fixture.remove()
    }

    @Test func aStoryboardThatFailsIsTriedOnceInARun() async throws {
        let fixture = try await fixture(
            FakeWorker { request, _ in
                if case .image = request.task { throw WorkerFailure(reason: "film.mp4: no picture") }
                return try FakeWorker.succeed(request)
            })
        try await fixture.library.storyboards.queueNext(in: fixture.library.runner)
        let job = try #require(await fixture.library.runner.next(in: .background))
        await #expect(throws: WorkerFailure.self) { try await fixture.library.runner.perform(job) }
        #expect(fixture.dataFiles.filter { $0.hasPrefix("storyboards/") } == [])
        #expect(try await fixture.title("film.mp4")?.storyboard == nil)
        try await fixture.library.storyboards.queueNext(in: fixture.library.runner)
        try await fixture.library.storyboards.queueNext(in: fixture.library.runner)
        #expect(await fixture.library.runner.isEmpty)
        fixture.remove()
    }
}
