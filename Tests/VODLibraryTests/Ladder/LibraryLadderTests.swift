import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaCore
import MediaWorker
import MediaWorkerTestSupport
import Packaging
import Synchronization
import Testing
import Transcoding

@testable import JobRunning
@testable import VODLibrary

/// A ladder made by the library with real workers, unless a test intercepts them.
@Suite(.eachEngine) struct LibraryLadderTests {
    private static let low = QualityPreset(
        name: "low", width: 96, height: 54, frameRate: 30, videoBitRate: 60_000, audioBitRate: 0)
    private static let lower = QualityPreset(
        name: "lower", width: 64, height: 36, frameRate: 30, videoBitRate: 30_000, audioBitRate: 0)

    /// - Parameter before: runs in front of each encoding.
    private static func worker(
        before: @escaping @Sendable () throws -> Void = {}
    ) -> FakeWorker {
        FakeWorker { request, _ in
            if case .ladder(let work) = request.task, case .encode = work.step { try before() }
            return try await IngestWorkerProcess(executable: WorkerFixtures.executable).run(request) { _ in }
        }
    }

    private static func fixture(
        _ folder: String? = nil, ladder: LadderPolicy = LadderPolicy(),
        before: @escaping @Sendable () throws -> Void = {}
    ) async throws -> LibraryFixture {
        let fixture = try LibraryFixture(folder: folder, worker: worker(before: before), ladder: ladder)
        if folder == nil {
            try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
            try await fixture.settle()
        }
        return fixture
    }

    @Test func aTitleHasWhatWasMadeOfIt() async throws {
        let fixture = try await Self.fixture()
        let asked = try #require(try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low]))
        #expect(asked.state == .queued)
        #expect(asked.rungs.map(\.name) == ["low"])
        try await fixture.finishJobs()
        #expect(try await fixture.library.ladderStatus(ofTitle: "film")?.state == .ready)
        let record = try #require(try await fixture.title("film.mp4"))
        let title = try #require(try await fixture.library.packagedTitle(record))
        #expect(title.ladder?.rungs.count == 1)
        #expect(try await fixture.library.makeLadder(ofTitle: "nothing", presets: [Self.low]) == nil)
        // A second request gets it.
        #expect(try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low])?.state == .ready)
        fixture.remove()
    }

    @Test func whatFailsSaysWhyAndIsNotTriedAgainByItself() async throws {
        let isFull = Mutex(true)
        let fixture = try await Self.fixture {
            if isFull.withLock({ $0 }) {
                throw WorkerFailure(reason: "film.mp4: failed while writing the MP4: the disk is full")
            }
        }
        _ = try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low])
        try await fixture.finishJobs()
        let status = try await fixture.library.ladderStatus(ofTitle: "film")
        #expect(status?.state == .failed)
        #expect(status?.error == "film.mp4: failed while writing the MP4: the disk is full")
        // It plays as before.
        let record = try #require(try await fixture.title("film.mp4"))
        #expect(try await fixture.library.packagedTitle(record)?.ladder == nil)

        isFull.withLock { $0 = false }
        let next = try await Self.fixture(fixture.folder)
        try await next.library.resume()
        // Nor is it forgotten by a restart, though the job's own end was not written any more.
        #expect(try await next.library.ladderStatus(ofTitle: "film") == status)
        let job = try #require(try await jobs(next).first)
        #expect(job.state == .failed && job.error == status?.error)
        #expect(try await next.library.retryJob(number: job.number)?.state == .queued)
        try await next.finishJobs()
        #expect(try await next.library.ladderStatus(ofTitle: "film")?.state == .ready)
        fixture.remove()
    }

    @Test func aSourceThatChangesMeanwhileFailsTheWork() async throws {
        let path = Mutex("")
        let fixture = try await Self.fixture {
            let file = FileHandle(forWritingAtPath: path.withLock { $0 })
            try file?.seekToEnd()
            try file?.write(contentsOf: Data([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]))
            try file?.close()
        }
        path.withLock { $0 = fixture.vod("film.mp4") }
        _ = try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low])
        try await fixture.finishJobs()
        let status = try await fixture.library.ladderStatus(ofTitle: "film")
        #expect(status?.error == "film.mp4: the file changed while its renditions were made")
        // And is another title by the next look, which has none.
        try await fixture.settle()
        #expect(try await fixture.library.ladderStatus(ofTitle: "film")?.state == LadderStatus.State.none)
        #expect(fixture.library.ladders.store.folders() == [])
        fixture.remove()
    }

    /// A clip that is so short that the encoder's buffer is most of it, with loud audio: the rendition is encoded again
    /// until it keeps its limit, and a restart finds all of it.
    @Test func theLowestRenditionKeepsItsLimit() async throws {
        let fixture = try LibraryFixture(worker: Self.worker())
        let files = try WorkerFixtures()
        let film = try files.makeMedia(
            "film.mp4", seconds: 1,
            "-t 0.4 -vf noise=alls=90:allf=t -af volume=30dB -c:v libx264 -preset ultrafast -b:v 4M -pix_fmt yuv420p "
                + "-c:a ac3 -b:a 448k")
        try fixture.write(Data(contentsOf: URL(filePath: film)), to: fixture.vod("film.mp4"))
        try await fixture.settle()
        let mobile = QualityPreset(
            name: "mobile", width: 320, height: 180, frameRate: 24, videoBitRate: 150_000, audioBitRate: 0)
        _ = try await fixture.library.makeLadder(ofTitle: "film", presets: [mobile], bandwidthLimit: 400_000)
        try await fixture.finishJobs()
        let record = try #require(try await fixture.title("film.mp4"))
        let title = try #require(try await fixture.library.packagedTitle(record))
        #expect(title.lowestBandwidth < 400_000)
        #expect(title.ladder?.audio.count == 1)
        let store = fixture.library.ladders.store
        let manifest = try #require(store.lastManifest(ofTitle: "film", revision: record.revision))
        #expect(manifest.movies.first?.rung.loweringCount ?? 0 > 0)
        // All of its files move to a media store.
        #expect(record.localFiles(ladders: store).map { URL(filePath: $0).lastPathComponent }.contains("audio.0.mp4"))

        try await fixture.library.runner.flush()
        let next = try await Self.fixture(fixture.folder)
        try await next.library.resume()
        let again = try #require(try await next.library.packagedTitle(record))
        #expect(again.lowestBandwidth == title.lowestBandwidth)
        _ = try await next.library.dropLadder(ofTitle: "film")
        #expect(store.folders() == [])
        fixture.remove()
    }

    @Test func whatIsWantedOutlivesAKill() async throws {
        let fixture = try await Self.fixture()
        _ = try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low, Self.lower])
        let next = try await Self.fixture(fixture.folder)
        try await next.library.resume()
        #expect(try await next.library.ladderStatus(ofTitle: "film")?.state == .queued)
        try await next.finishJobs()
        #expect(try await next.library.ladderStatus(ofTitle: "film")?.rungs.map(\.name) == ["low", "lower"])
        // And one more start, which finds it whole.
        try await next.library.runner.flush()
        let last = try await Self.fixture(fixture.folder)
        try await last.library.resume()
        #expect(try await last.library.ladderStatus(ofTitle: "film")?.state == .ready)
        fixture.remove()
    }

    @Test func foldersOfNoTitleAreDeletedAtTheStart() async throws {
        let fixture = try await Self.fixture()
        let record = try #require(try await fixture.title("film.mp4"))
        let store = fixture.library.ladders.store
        for name in ["gone/1-2", "film/other-00000000", "film/\(record.revision)-00000000"] {
            try fixture.write(Data("{".utf8), to: "\(store.directory)/\(name)/ladder.json")
        }
        try await fixture.library.resume()
        #expect(store.folders() == [])
        fixture.remove()
    }

    @Test func aTitleThatNoPresetMakesSenseForIsLeftAlone() async throws {
        let fixture = try await Self.fixture()
        let huge = QualityPreset(
            name: "huge", width: 4096, height: 2160, frameRate: 60, videoBitRate: 90_000_000, audioBitRate: 0)
        let error = await #expect(throws: LibraryError.self) {
            try await fixture.library.makeLadder(ofTitle: "film", presets: [huge])
        }
        #expect(error?.reason.contains("huge") == true)
        #expect(fixture.library.ladders.store.folders() == [])
        fixture.remove()
    }

    @Test func whatWaitsIsCancelledAtOnce() async throws {
        let fixture = try await Self.fixture()
        _ = try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low])
        #expect(try await fixture.library.dropLadder(ofTitle: "film")?.state == .cancelled)
        #expect(try await jobs(fixture).map(\.state) == [.cancelled])
        #expect(try await fixture.library.dropLadder(ofTitle: "film")?.state == LadderStatus.State.none)
        fixture.remove()
    }

    // MARK: The job list

    private func jobs(_ fixture: LibraryFixture) async throws -> [JobRecord] {
        try await fixture.library.jobs(matching: nil, after: nil, limit: 100).items.filter { $0.kind == .ladder }
    }

    @Test func aLadderIsAJobLikeOthers() async throws {
        let fixture = try await Self.fixture()
        let listener = try await fixture.library.listenToJobs(after: nil)
        let asked = try #require(try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low]))
        let number = try #require(asked.job)
        let queued = try #require(try await fixture.library.job(number: number))
        #expect(queued.state == .queued && queued.subject == "film" && queued.file == "film.mp4")
        #expect(try await fixture.library.prioritizeJob(number: number, 7)?.priority == 7)
        try await fixture.finishJobs()
        let done = try #require(try await fixture.library.job(number: number))
        #expect(done.state == .ready && done.attempt == 1 && done.progress == nil && done.error == nil)
        // A browser sees it move.
        listener.end()
        var progress: [Double] = []
        for await message in listener.messages {
            if case .event(let event) = message, event.job.number == number { progress += [event.job.progress ?? -1] }
        }
        progress.removeAll { $0 < 0 }
        #expect(!progress.isEmpty && progress == progress.sorted() && progress.allSatisfy { $0 <= 1 })
        fixture.remove()
    }

    @Test func otherTitlesWaitAndAreNotLost() async throws {
        let fixture = try await Self.fixture()
        for name in ["second.mp4", "third.mp4"] { try fixture.write(SampleMedia.movie(), to: fixture.vod(name)) }
        try await fixture.settle()
        for (id, priority) in [("film", 0), ("second", 0), ("third", 5)] {
            let status = try await fixture.library.makeLadder(ofTitle: id, presets: [Self.low])
            let number = try #require(status?.job)
            _ = try await fixture.library.prioritizeJob(number: number, priority)
        }
        // As after a kill.
        let next = try await Self.fixture(fixture.folder)
        try await next.library.resume()
        #expect(
            await next.library.openJobs().filter { $0.kind == .ladder }.map(\.subject) == ["third", "film", "second"])
        try await next.finishJobs()
        for id in ["film", "second", "third"] {
            #expect(try await next.library.ladderStatus(ofTitle: id)?.state == .ready)
        }
        fixture.remove()
    }

    /// The ladder that was requested last is the one that is made.
    @Test func anotherRequestTakesThePlaceOfTheOneBefore() async throws {
        let fixture = try await Self.fixture()
        let first = try #require(try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low])?.job)
        let same = try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low])
        #expect(same?.job == first)
        let second = try #require(try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.lower])?.job)
        #expect(second != first)
        #expect(try await fixture.library.job(number: first)?.state == .cancelled)
        try await fixture.finishJobs()
        #expect(try await fixture.library.ladderStatus(ofTitle: "film")?.rungs.map(\.name) == ["lower"])
        // The one that is there stays until another one is whole.
        _ = try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low])
        let record = try #require(try await fixture.title("film.mp4"))
        #expect(try await fixture.library.packagedTitle(record)?.ladder?.rungs.count == 1)
        #expect(try await fixture.library.dropLadder(ofTitle: "film")?.state == .cancelled)
        #expect(try await fixture.library.packagedTitle(record)?.ladder?.rungs.count == 1)
        // A request for what is there is done.
        #expect(try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.lower])?.state == .ready)
        fixture.remove()
    }

    @Test(.timeLimit(.minutes(1)))
    func aRunningOneIsCancelledByItsJob() async throws {
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let fixture = try LibraryFixture(
            worker: FakeWorker { request, _ in
                guard case .ladder = request.task else {
                    return try await IngestWorkerProcess(executable: WorkerFixtures.executable).run(request) { _ in }
                }
                signal.yield()
                try await Task.sleep(for: .seconds(3_600))
                return WorkerResult()
            })
        try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
        try await fixture.settle()
        let running = Task { try await fixture.library.run(watching: false) }
        let number = try #require(
            try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low, Self.lower])?.job)
        for await _ in started { break }
        #expect(try await fixture.library.ladderStatus(ofTitle: "film")?.state == .transcoding)
        #expect(try await fixture.library.cancelJob(number: number)?.state == .cancelled)
        #expect(try await fixture.library.ladderStatus(ofTitle: "film")?.state == .cancelled)
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(fixture.folder)/data/ladders")
        #expect(!files.contains { $0.hasSuffix(".mp4") || $0.contains("chunks") })
        // It begins again at once.
        #expect(try await fixture.library.retryJob(number: number)?.state != .cancelled)
        for await _ in started { break }
        // A title goes with all that is being made of it.
        #expect(try await fixture.library.deleteTitle(id: "film"))
        #expect(fixture.library.ladders.store.folders() == [])
        #expect(try await fixture.library.job(number: number)?.state == .cancelled)
        running.cancel()
        _ = await running.result
        fixture.remove()
    }

    /// Otherwise a replaced film would not be noticed for hours.
    @Test func aFileThatIsReplacedMeanwhileIsNoticed() async throws {
        let fixture = try await Self.fixture()
        _ = try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low])
        let before = try #require(try await fixture.title("film.mp4"))
        try fixture.write(
            SampleMedia.movie() + Data([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]), to: fixture.vod("film.mp4"))
        for section in LibrarySection.allCases { try await fixture.library.scanner.scan(section) }
        let after = try #require(try await fixture.title("film.mp4"))
        #expect(after.revision != before.revision)
        #expect(try await jobs(fixture).map(\.state) == [.cancelled])
        #expect(try await fixture.library.ladderStatus(ofTitle: "film")?.state == LadderStatus.State.none)
        fixture.remove()
    }

    // MARK: The configuration

    @Test func whatTheConfigurationWantsIsMadeOfEveryTitleOnce() async throws {
        let policy = LadderPolicy(presets: [Self.low])
        let fixture = try await Self.fixture(ladder: policy)
        #expect(try await fixture.library.ladderStatus(ofTitle: "film")?.rungs.map(\.name) == ["low"])
        #expect(try await jobs(fixture).map(\.state) == [.ready])
        // Dropped is dropped, also at the next start.
        #expect(try await fixture.library.dropLadder(ofTitle: "film")?.state == LadderStatus.State.none)
        let next = try await Self.fixture(fixture.folder, ladder: policy)
        try await next.library.resume()
        #expect(await next.library.openJobs().isEmpty)
        // A title that was there before the configuration said so.
        try next.write(SampleMedia.movie(), to: next.vod("old.mp4"))
        let plain = try await Self.fixture(fixture.folder)
        try await plain.settle()
        #expect(try await plain.library.ladderStatus(ofTitle: "old")?.state == LadderStatus.State.none)
        let last = try await Self.fixture(fixture.folder, ladder: policy)
        try await last.library.resume()
        try await last.finishJobs()
        #expect(try await last.library.ladderStatus(ofTitle: "old")?.state == .ready)
        #expect(try await last.library.ladderStatus(ofTitle: "film")?.state == LadderStatus.State.none)
        fixture.remove()
    }

    @Test func aJobOfAConfigurationThatIsNoMoreEnds() async throws {
        let fixture = try await Self.fixture()
        let other = try await Self.fixture(fixture.folder, ladder: LadderPolicy(presets: [Self.low]))
        try await other.library.resume()
        try await other.library.runner.flush()
        let next = try await Self.fixture(fixture.folder)
        try await next.library.resume()
        try await next.finishJobs()
        #expect(try await jobs(next).map(\.state) == [.cancelled])
        #expect(next.library.ladders.store.folders() == [])
        fixture.remove()
    }
}
