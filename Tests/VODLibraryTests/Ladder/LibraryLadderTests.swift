import Catalogue
import Foundation
import LibAV
import Packaging
import Synchronization
import Testing

@testable import VODLibrary

/// A ladder as the library has it made, by real workers unless a test gets in between.
struct LibraryLadderTests {
    private static let low = LadderPreset(name: "low", width: 96, height: 54, frameRate: 30, videoBitRate: 60_000)
    private static let lower = LadderPreset(name: "lower", width: 64, height: 36, frameRate: 30, videoBitRate: 30_000)

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
        _ folder: String? = nil, before: @escaping @Sendable () throws -> Void = {}
    ) async throws -> LibraryFixture {
        let fixture = try LibraryFixture(folder: folder, worker: worker(before: before))
        if folder == nil {
            try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
            try await fixture.settle()
        }
        return fixture
    }

    /// Does what is queued.
    private static func finish(_ fixture: LibraryFixture, until isOver: (LadderStatus?) -> Bool = isSettled)
        async throws
    {
        async let making: Void = fixture.library.makeLadders()
        let deadline = ContinuousClock.now + .seconds(60)
        while try await !isOver(fixture.library.ladderStatus(ofTitle: "film")), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
        await fixture.library.ladderJobs.close()
        await making
    }

    private static func isSettled(_ status: LadderStatus?) -> Bool {
        status.map { ![.queued, .transcoding].contains($0.state) } ?? false
    }

    @Test func aTitleHasWhatWasMadeOfIt() async throws {
        let fixture = try await Self.fixture()
        let asked = try #require(try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low]))
        #expect(asked.state == .queued)
        #expect(asked.rungs.map(\.name) == ["low"])
        try await Self.finish(fixture)
        #expect(try await fixture.library.ladderStatus(ofTitle: "film")?.state == .ready)
        let record = try #require(try await fixture.title("film.mp4"))
        let title = try #require(try await fixture.library.packagedTitle(record))
        #expect(title.ladder?.rungs.count == 1)
        #expect(try await fixture.library.makeLadder(ofTitle: "nothing", presets: [Self.low]) == nil)
        // Whoever asks again has it.
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
        try await Self.finish(fixture)
        let status = try await fixture.library.ladderStatus(ofTitle: "film")
        #expect(status?.state == .failed)
        #expect(status?.error == "film.mp4: failed while writing the MP4: the disk is full")
        // It plays as before.
        let record = try #require(try await fixture.title("film.mp4"))
        #expect(try await fixture.library.packagedTitle(record)?.ladder == nil)

        isFull.withLock { $0 = false }
        let next = try await Self.fixture(fixture.folder)
        try await next.library.takeUp()
        #expect(try await next.library.ladderStatus(ofTitle: "film")?.state == LadderStatus.State.none)
        _ = try await next.library.makeLadder(ofTitle: "film", presets: [Self.low])
        try await Self.finish(next)
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
        try await Self.finish(fixture)
        let status = try await fixture.library.ladderStatus(ofTitle: "film")
        #expect(status?.error == "film.mp4: the file has changed while its qualities were made")
        // And is another title by the next look, which has none.
        try await fixture.settle()
        #expect(try await fixture.library.ladderStatus(ofTitle: "film")?.state == LadderStatus.State.none)
        #expect(await fixture.library.ladderStore.folders() == [])
        fixture.remove()
    }

    @Test func whatIsWantedOutlivesAKill() async throws {
        let fixture = try await Self.fixture()
        _ = try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low, Self.lower])
        let next = try await Self.fixture(fixture.folder)
        try await next.library.takeUp()
        #expect(try await next.library.ladderStatus(ofTitle: "film")?.state == .queued)
        try await Self.finish(next)
        #expect(try await next.library.ladderStatus(ofTitle: "film")?.rungs.map(\.name) == ["low", "lower"])
        // And one more start, which finds it whole.
        let last = try await Self.fixture(fixture.folder)
        try await last.library.takeUp()
        #expect(try await last.library.ladderStatus(ofTitle: "film")?.state == .ready)
        fixture.remove()
    }

    @Test func foldersOfNoTitleAreDeletedAtTheStart() async throws {
        let fixture = try await Self.fixture()
        let record = try #require(try await fixture.title("film.mp4"))
        let store = await fixture.library.ladderStore
        for name in ["gone/1-2", "film/other-00000000", "film/\(record.revision)-00000000"] {
            try fixture.write(Data("{".utf8), to: "\(store.directory)/\(name)/ladder.json")
        }
        try await fixture.library.takeUp()
        #expect(store.folders() == [])
        fixture.remove()
    }

    @Test func aTitleThatNoPresetMakesSenseForIsLeftAlone() async throws {
        let fixture = try await Self.fixture()
        let huge = LadderPreset(name: "huge", width: 4096, height: 2160, frameRate: 60, videoBitRate: 90_000_000)
        let error = await #expect(throws: LibraryError.self) {
            try await fixture.library.makeLadder(ofTitle: "film", presets: [huge])
        }
        #expect(error?.reason.contains("huge: the source takes") == true)
        #expect(await fixture.library.ladderStore.folders() == [])
        fixture.remove()
    }

    @Test func whatWaitsIsCancelledAtOnce() async throws {
        let fixture = try await Self.fixture()
        _ = try await fixture.library.makeLadder(ofTitle: "film", presets: [Self.low])
        #expect(try await fixture.library.dropLadder(ofTitle: "film")?.state == .cancelled)
        #expect(await fixture.library.ladderStore.folders() == [])
        #expect(try await fixture.library.dropLadder(ofTitle: "film")?.state == LadderStatus.State.none)
        fixture.remove()
    }
}
