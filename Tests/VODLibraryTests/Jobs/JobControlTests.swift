import Catalogue
import Database
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaCore
import MediaWorker
import NIOCore
import TestSupport
import Testing

@testable import JobRunning
@testable import VODLibrary

@Suite(.eachEngine) struct JobControlTests {
    /// A worker that reports once and then waits until it is cancelled.
    private static func patientWorker(_ started: AsyncStream<String>.Continuation) -> FakeWorker {
        FakeWorker { request, onProgress in
            guard case .toMovie(let output) = request.task else { return try FakeWorker.succeed(request) }
            try Data("half".utf8).write(to: URL(filePath: output + ".part"))
            defer { try? FileManager.default.removeItem(atPath: output + ".part") }
            onProgress(0.5)
            started.yield(request.input)
            try await Task.sleep(for: .seconds(3_600))
            return try FakeWorker.succeed(request)
        }
    }

    private func jobs(_ fixture: LibraryFixture, _ kind: JobKind = .title) async throws -> [JobRecord] {
        try await fixture.library.jobs(matching: nil, after: nil, limit: 100).items.filter { $0.kind == kind }
    }

    @Test func aTitleIsOneJobFromItsFirstLookToItsConversion() async throws {
        let fixture = try LibraryFixture()
        // By name a movie, by content not.
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mp4"))
        try await fixture.settle()
        let job = try #require(try await jobs(fixture).first)
        #expect(try await jobs(fixture).count == 1)
        #expect(job.state == .ready && job.attempt == 1 && job.subject == "film" && job.file == "film.mp4")
        #expect(job.startedAt != nil && job.endedAt != nil && job.progress == nil)
        #expect(try await jobs(fixture, .poster).map(\.state) == [.ready])
        fixture.remove()
    }

    @Test func aTitleThatWasReadyAtOnceHasAJobToo() async throws {
        let fixture = try LibraryFixture()
        let path = try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
        _ = try await fixture.library.ingest(path: path)
        // Nothing but the title itself has been written when the caller has its answer.
        #expect(fixture.catalogue.writeCount == 1)
        #expect(try await jobs(fixture).map(\.state) == [.ready])
        fixture.remove()
    }

    @Test func aFailureSaysWhyAndCanBeRetried() async throws {
        let fixture = try LibraryFixture(worker: FakeWorker { _, _ in throw WorkerFailure(reason: "film.mkv: is bad") })
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mkv"))
        try await fixture.settle()
        let failed = try #require(try await jobs(fixture).first)
        #expect(failed.state == .failed && failed.error == "film.mkv: is bad")
        let queued = try #require(try await fixture.library.retryJob(number: failed.number))
        #expect(queued.state == .queued && queued.error == nil && queued.number == failed.number)
        #expect(try await fixture.title("film.mkv")?.state == .queued)
        await #expect(throws: LibraryError.self) { try await fixture.library.retryJob(number: failed.number) }
        try await fixture.finishJobs()
        let again = try #require(try await fixture.library.job(number: failed.number))
        #expect(again.state == .failed && again.attempt == 2)
        #expect(try await fixture.library.retryJob(number: 99) == nil)
        fixture.remove()
    }

    @Test(.timeLimit(.minutes(1)))
    func cancellingEndsTheWorkerAndLeavesNothing() async throws {
        let (started, signal) = AsyncStream.makeStream(of: String.self)
        let fixture = try LibraryFixture(worker: Self.patientWorker(signal))
        for name in ["a.mkv", "b.mkv", "c.mkv"] { try fixture.write(SampleMedia.matroska(), to: fixture.vod(name)) }
        let running = Task { try await fixture.library.run() }
        var count = 0
        for await _ in started {
            count += 1
            if count == 2 { break }
        }
        try await eventually { try await jobs(fixture).count == 3 }
        let all = try await jobs(fixture)
        #expect(all.map(\.file) == ["c.mkv", "b.mkv", "a.mkv"])
        #expect(all.map(\.state) == [.queued, .transcoding, .transcoding])
        // One that waits, and one that runs.
        for job in all.prefix(2) {
            let cancelled = try #require(try await fixture.library.cancelJob(number: job.number))
            #expect(cancelled.state == .cancelled)
            #expect(try await fixture.title(job.file)?.state == .cancelled)
            #expect(try await fixture.title(job.file)?.error?.contains("stopped by an operator") == true)
            await #expect(throws: LibraryError.self) { try await fixture.library.cancelJob(number: job.number) }
        }
        // Of the one that goes on: its movie, and the folder for what it says.
        #expect(fixture.dataFiles.map { $0.hasPrefix("movies/a-") } == [true, true])
        #expect(try await fixture.library.job(number: all[2].number)?.state == .transcoding)
        // The next look at the folder does not begin again what nobody wants.
        for section in LibrarySection.allCases { try await fixture.library.scanner.scan(section) }
        #expect(try await jobs(fixture).filter { !$0.state.isFinal }.map(\.file) == ["a.mkv"])
        let again = try #require(try await fixture.library.retryJob(number: all[1].number))
        #expect(again.state == .queued || again.state == .transcoding)
        try await eventually { try await fixture.library.job(number: all[1].number)?.attempt == 2 }
        running.cancel()
        try await running.value
        #expect(fixture.dataFiles == [])
        fixture.remove()
    }

    @Test func aCancelledTitleStaysThatAfterARestartUntilItsJobIsRetried() async throws {
        let first = try LibraryFixture()
        try first.write(SampleMedia.matroska(), to: first.vod("film.mkv"))
        try first.write(SampleMedia.matroska(), to: first.audio("song.wma"))
        for section in LibrarySection.allCases { try await first.library.scanner.scan(section) }
        let (title, track) = (
            try #require(try await jobs(first).first), try #require(try await jobs(first, .track).first)
        )
        for job in [title, track] { _ = try await first.library.cancelJob(number: job.number) }
        let second = try LibraryFixture(folder: first.folder)
        try await second.library.resume()
        try await second.settle()
        #expect(try await second.title("film.mkv")?.state == .cancelled)
        #expect(try await second.track("song.wma")?.state == .cancelled)
        #expect(try await jobs(second).map(\.state) == [.cancelled])
        for job in [title, track] { _ = try await second.library.retryJob(number: job.number) }
        #expect(try await second.title("film.mkv")?.state == .queued)
        try await second.finishJobs()
        #expect(try await second.title("film.mkv")?.state == .ready)
        #expect(try await second.track("song.wma")?.state == .ready)
        #expect(try await jobs(second).map(\.state) == [.ready])
        second.remove()
    }

    @Test func higherPrioritiesGoFirstAndAStartKeepsTheOrder() async throws {
        let first = try LibraryFixture(worker: FakeWorker { _, _ in throw CancellationError() })
        for name in ["a.mkv", "b.mkv", "c.mkv"] { try first.write(SampleMedia.matroska(), to: first.vod(name)) }
        try await first.library.scanner.scan(.titles)
        let all = try await jobs(first)
        #expect(try await first.library.prioritizeJob(number: all[0].number, 500)?.priority == 100)
        #expect(try await first.library.prioritizeJob(number: all[1].number, -1)?.priority == -1)
        #expect(await first.library.runner.statuses().map(\.file) == ["c.mkv", "a.mkv", "b.mkv"])
        // Cut off in the middle of the first.
        let job = try #require(await first.library.runner.next(in: .conversion))
        try? await first.library.runner.perform(job)
        try await first.library.runner.flush()
        #expect(try await first.catalogue.job(number: all[0].number)?.state == .transcoding)

        let second = try LibraryFixture(folder: first.folder)
        try await second.library.resume()
        #expect(await second.library.runner.statuses().map(\.file) == ["c.mkv", "a.mkv", "b.mkv"])
        try await second.settle()
        let ended = try await jobs(second)
        #expect(ended.map(\.number) == all.map(\.number))
        #expect(ended.map(\.state) == [.ready, .ready, .ready])
        #expect(ended.map(\.attempt) == [2, 1, 1])
        second.remove()
    }

    /// The title's own record is what counts where a kill came between it and the job's.
    @Test func aJobWhoseEndWasNotWrittenIsTakenFromItsTitle() async throws {
        let first = try LibraryFixture()
        try first.write(SampleMedia.movie(), to: first.vod("film.mp4"))
        try first.write(SampleMedia.movie(), to: first.vod("gone.mp4"))
        try await first.settle()
        let all = try await jobs(first)
        for var job in all {
            job.state = .indexing
            job.endedAt = nil
            try await first.catalogue.write([job], durability: .soon)
        }
        try await first.catalogue.deleteTitle(id: "gone")
        let second = try LibraryFixture(folder: first.folder)
        try await second.library.resume()
        #expect(try await jobs(second).map(\.state).sorted { $0.rawValue < $1.rawValue } == [.cancelled, .ready])
        second.remove()
    }

    @Test func listenersGetASnapshotThenEventsAndAfterABreakWhatTheyMissed() async throws {
        let fixture = try LibraryFixture()
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mkv"))
        try await fixture.library.scanner.scan(.titles)
        let listener = try await fixture.library.listenToJobs(after: nil)
        #expect(listener.backlog.map(\.job.state) == [.queued])
        try await fixture.finishJobs()
        var states: [JobState] = []
        for await message in listener.messages {
            guard case .event(let event) = message, event.job.kind == .title else { continue }
            states.append(event.job.state)
            if event.job.state.isFinal { break }
        }
        #expect(states == [.transcoding, .ready])
        let seen = try #require(listener.backlog.last?.id)
        let back = try await fixture.library.listenToJobs(after: seen)
        #expect(back.backlog.filter { $0.job.kind == .title }.map(\.job.state) == [.transcoding, .ready])
        // Another run's, or one of the future: a snapshot.
        for id in ["7-1", "\(seen.epoch)-99999"] {
            let other = try await fixture.library.listenToJobs(after: JobEvent.ID(parsing: id))
            #expect(other.backlog.isEmpty)
        }
        for text in ["", "1", "a-b", "1-2-3", "-1-2"] { #expect(JobEvent.ID(parsing: text) == nil) }
        fixture.remove()
    }

    private static func client(_ number: Int) throws -> AddressGroup {
        AddressGroup(try SocketAddress(ipAddress: "192.0.2.\(number)", port: 1))
    }

    @Test func listenersAreBoundedAndOneThatDoesNotReadIsLetGo() async throws {
        let hub = JobEventHub(epoch: 1)
        let job = JobRecord(number: 1, kind: .title, file: "a", createdAt: Date())
        let slow = try hub.listen(by: try Self.client(1), after: nil, snapshot: [])
        for _ in 0...JobEventHub.maximumBufferedCount { hub.publish(job) }
        #expect(hub.listenerCount == 0)
        var count = 0
        for await _ in slow.messages { count += 1 }
        #expect(count == JobEventHub.maximumBufferedCount)
        var held: [JobEventHub.Listener] = []
        for _ in 0..<JobEventHub.maximumListenerCountPerClient {
            held.append(try hub.listen(by: try Self.client(1), after: nil, snapshot: []))
        }
        #expect(throws: LibraryError.self, "one address takes no more") {
            try hub.listen(by: try Self.client(1), after: nil, snapshot: [])
        }
        held.append(try hub.listen(by: try Self.client(2), after: nil, snapshot: []))
        held.removeAll()
        #expect(hub.listenerCount == 0)
        let last = try hub.listen(by: try Self.client(1), after: nil, snapshot: [])
        hub.close()
        for await _ in last.messages {}
        #expect(throws: LibraryError.self) { try hub.listen(by: try Self.client(1), after: nil, snapshot: []) }
    }

    /// However many addresses have all places, one that has none gets one.
    @Test func whoHasMostListenersMakesRoomForWhoHasNone() async throws {
        let hub = JobEventHub(epoch: 1)
        var held: [Int: [JobEventHub.Listener]] = [:]
        for number in 0..<JobEventHub.maximumListenerCount {
            let listener = try hub.listen(by: try Self.client(number % 5), after: nil, snapshot: [])
            held[number % 5, default: []].append(listener)
        }
        let newcomer = try hub.listen(by: try Self.client(9), after: nil, snapshot: [])
        #expect(hub.listenerCount == JobEventHub.maximumListenerCount)
        // 256 places are 52 for the first and 51 for the others.
        let oldest = try #require(held[0]?.first)
        for await _ in oldest.messages { Issue.record("it has ended") }
        #expect(throws: LibraryError.self, "others have no more than they have a right to") {
            try hub.listen(by: try Self.client(1), after: nil, snapshot: [])
        }
        newcomer.end()
    }
}
