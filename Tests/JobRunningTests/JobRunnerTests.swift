import Catalogue
import Foundation
import LibraryCore
import LogMetadata
import Logging
import MediaCore
import Synchronization
import Testing
import TestSupport

@testable import JobRunning

@Suite(.timeLimit(.minutes(1))) struct JobRunnerTests {
    private let store = JobStoreInMemory()
    private let clock = TestClock()

    private func runner(_ kinds: FakeJobKind..., store: JobStoreInMemory? = nil) -> JobRunner {
        JobRunner(
            kinds: kinds, store: store ?? self.store, clock: clock, wallClock: clock.wallClock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func request(_ id: String, _ kind: JobKind = .title) -> JobRequest {
        JobRequest(kind, subject: id, fileName: "\(id).mp4")
    }

    private func key(_ id: String, _ kind: JobKind = .title) -> JobKey { JobKey(kind: kind, subject: id) }

    /// The waiting, running and cancelled jobs are those that the ledger has open.
    private func expectAgreement(_ runner: JobRunner, sourceLocation: SourceLocation = #_sourceLocation) async {
        let jobs = await runner.holdings()
        #expect(jobs.waiting.isDisjoint(with: jobs.running.union(jobs.cancelling)), sourceLocation: sourceLocation)
        #expect(
            jobs.waiting.union(jobs.running).union(jobs.cancelling) == Set(jobs.open.keys),
            sourceLocation: sourceLocation)
        for key in jobs.running { #expect(jobs.open[key]?.state != .queued, sourceLocation: sourceLocation) }
        #expect(jobs.open.values.allSatisfy { !$0.state.isFinal }, sourceLocation: sourceLocation)
    }

    // MARK: Requests

    @Test func aJobAndTheJobsThatFollowCarryTheRequestThatAskedForIt() async throws {
        let seen = Mutex<[String: String]>([:])
        let titles = FakeJobKind.titles { job in
            seen.withLock { $0[job.id] = RequestIdentifier.current?.text }
            return .ready
        }
        let runner = runner(titles)
        let identifier = try #require(RequestIdentifier(parsing: "4bf92f35"))
        await RequestIdentifier.$current.withValue(identifier) {
            _ = await runner.enqueue(request("a"))
            // Asked for again by another request; it stays that of the first.
            await RequestIdentifier.$current.withValue(RequestIdentifier()) { _ = await runner.enqueue(request("a")) }
        }
        await runner.enqueue(request("b"))
        for _ in 0..<2 {
            let job = try #require(await runner.next(in: .conversion))
            try await runner.perform(job)
        }
        #expect(seen.withLock { $0 } == ["a": "4bf92f35"])
        #expect(RequestIdentifier.current == nil)
    }

    // MARK: Order

    @Test func higherPrioritiesGoFirstThenTheOrderOfComing() async throws {
        let runner = runner(FakeJobKind())
        for id in ["a", "b", "c"] { await runner.enqueue(request(id)) }
        let numbers = await runner.snapshot().map(\.number)
        #expect(numbers == [1, 2, 3])
        #expect(try await runner.prioritize(number: 3, 7)?.priority == 7)
        #expect(try await runner.prioritize(number: 1, -500)?.priority == -100)
        var order: [String?] = []
        for _ in 0..<3 { order.append(await runner.next(in: .conversion)?.id) }
        #expect(order == ["c", "b", "a"])
        #expect(try await runner.prioritize(number: 9, 1) == nil)
    }

    @Test func aJobIsThereOnceAndItsFileIsBusyUntilItHasEnded() async throws {
        let runner = runner(
            FakeJobKind.titles(in: .indexing) { job in job.lane == .indexing ? .continues(in: .conversion) : .ready },
            FakeJobKind(.track, section: .tracks, lane: .short))
        let first = try #require(await runner.enqueue(request("a")))
        #expect(await runner.enqueue(request("a"))?.number == first.number)
        await expectAgreement(runner)
        let indexing = try #require(await runner.next(in: .indexing))
        #expect(await runner.enqueue(request("a"))?.number == first.number)
        #expect(await runner.waitingCount(in: .indexing) == 0)
        try await runner.perform(indexing)
        // Its next stage waits in another lane, under the same number.
        #expect(await runner.busyIDs(in: .titles) == ["a"])
        #expect(await runner.busyIDs(in: .tracks) == [])
        let conversion = try #require(await runner.next(in: .conversion))
        #expect(conversion.number == first.number)
        try await runner.perform(conversion)
        #expect(await runner.busyIDs(in: .titles) == [])
        #expect(try await runner.job(number: first.number)?.attempt == 1)
        await expectAgreement(runner)
        #expect(await runner.enqueue(request("a"))?.number == first.number + 1)
    }

    @Test func aFullQueueRefusesAndStaysQuick() async throws {
        let runner = runner(FakeJobKind(), FakeJobKind(.track, section: .tracks, lane: .short))
        let clock = ContinuousClock()
        let start = clock.now
        for number in 0..<JobRunner.maximumWaitingCount { await runner.enqueue(request("\(number)")) }
        #expect(await runner.enqueue(request("one-more", .track)) == nil)
        #expect(await runner.openRecord(key("one-more", .track)) == nil)
        for number in 0..<JobRunner.maximumWaitingCount {
            #expect(await runner.next(in: .conversion)?.id == "\(number)")
        }
        // Linear look-ups took minutes.
        #expect(clock.now - start < .seconds(30))
    }

    @Test func closingEndsThoseWhoWait() async throws {
        let runner = runner(FakeJobKind())
        async let waiting = runner.next(in: .conversion)
        async let closed: Void = runner.close()
        #expect(await waiting == nil)
        await closed
        #expect(await runner.enqueue(request("a")) == nil)
        #expect(await runner.next(in: .conversion) == nil)
    }

    // MARK: Cancelling

    @Test func aWaitingJobLeavesTheQueueAtOnce() async throws {
        let kind = FakeJobKind()
        let runner = runner(kind)
        for id in ["a", "b"] { await runner.enqueue(request(id)) }
        #expect(try await runner.cancel(number: 1)?.state == .cancelled)
        await expectAgreement(runner)
        #expect(await runner.next(in: .conversion)?.id == "b")
        #expect(kind.calls == ["cancelled a"])
        await #expect(throws: LibraryError.self) { try await runner.cancel(number: 1) }
        #expect(try await runner.cancel(number: 3) == nil)
    }

    @Test func cancellingARunningJobAwaitsItsEnd() async throws {
        let (started, cleaning) = (Gate(), Gate())
        let log = Mutex<[String]>([])
        let kind = FakeJobKind(
            cancelling: { _ in log.withLock { $0.append("recorded") } },
            performing: { _ in
                started.open()
                // Ends with the cancellation of its task.
                await Gate().wait()
                await Task { await cleaning.wait() }.value
                log.withLock { $0.append("cleaned up") }
                throw CancellationError()
            })
        let runner = runner(kind)
        await runner.enqueue(request("a"))
        let job = try #require(await runner.next(in: .conversion))
        let performing = Task { try await runner.perform(job) }
        await started.wait()
        let cancelling = Task {
            let record = try await runner.cancel(number: 1)
            log.withLock { $0.append("returned") }
            return record
        }
        while await runner.cancellations.isEmpty { await Task.yield() }
        // As long as the job cleans up it holds its place.
        #expect(await runner.busyIDs(in: .titles) == ["a"])
        #expect(await runner.enqueue(request("a"))?.number == 1)
        #expect(log.withLock { $0 } == [])
        cleaning.open()
        #expect(try await cancelling.value?.state == .cancelled)
        #expect(log.withLock { $0 } == ["cleaned up", "recorded", "returned"])
        await #expect(throws: CancellationError.self) { try await performing.value }
        await expectAgreement(runner)
        #expect(await runner.enqueue(request("a"))?.number == 2)
    }

    @Test func aJobThatIsCancelledBeforeItBeginsIsNotPerformed() async throws {
        let kind = FakeJobKind()
        let runner = runner(kind)
        await runner.enqueue(request("a"))
        let job = try #require(await runner.next(in: .conversion))
        let cancelling = Task { try await runner.cancel(key("a")) }
        while await runner.cancellations.isEmpty { await Task.yield() }
        await #expect(throws: CancellationError.self) { try await runner.perform(job) }
        #expect(try await cancelling.value)
        #expect(kind.calls == ["cancelled a"])
        await expectAgreement(runner)
    }

    /// A job that ends by itself while it is being cancelled has not been cancelled; one whose next stage would wait
    /// has.
    @Test(arguments: [JobOutcome.ready, .continues(in: .short)])
    func aJobThatEndsByItselfKeepsItsOutcomeAndTwoCancellationsAreOne(_ outcome: JobOutcome) async throws {
        let (started, ending) = (Gate(), Gate())
        let kind = FakeJobKind.titles { _ in
            started.open()
            await Task { await ending.wait() }.value
            return outcome
        }
        let runner = runner(kind)
        await runner.enqueue(request("a"))
        let job = try #require(await runner.next(in: .conversion))
        let performing = Task { try await runner.perform(job) }
        await started.wait()
        let first = Task { try await runner.cancel(key("a")) }
        while await runner.cancellations.isEmpty { await Task.yield() }
        let second = Task { try await runner.cancel(key("a")) }
        ending.open()
        #expect(try await first.value)
        _ = await (second.result, performing.result)
        #expect(try await runner.job(number: 1)?.state == (outcome == .ready ? .ready : .cancelled))
        #expect(kind.calls == ["perform a"] + (outcome == .ready ? [] : ["cancelled a"]))
        #expect(await runner.isEmpty)
        await expectAgreement(runner)
        #expect(await runner.enqueue(request("a"))?.number == 2)
    }

    @Test func aCancellationThatCannotBeRecordedLetsTheJobWaitAgain() async throws {
        let kind = FakeJobKind(cancelling: { _ in throw LibraryError(.storage, "the disk is full") })
        let runner = runner(kind)
        await runner.enqueue(request("a"))
        await #expect(throws: LibraryError.self) { try await runner.cancel(number: 1) }
        await expectAgreement(runner)
        #expect(await runner.next(in: .conversion)?.id == "a")
    }

    @Test func allJobsOfATitleAreCancelledAndThoseOfOthersAreNot() async throws {
        let runner = runner(
            FakeJobKind(), FakeJobKind(.poster, lane: .short), FakeJobKind(.track, section: .tracks, lane: .short))
        for request in [request("a"), request("a", .poster), request("b"), request("a", .track)] {
            await runner.enqueue(request)
        }
        try await runner.cancelJobs(of: "a", in: .titles)
        #expect(await runner.snapshot().map(\.number) == [3, 4])
        await expectAgreement(runner)
    }

    // MARK: Restart, retry, waiting

    @Test func aRestartRecoversWhatIsStillWanted() async throws {
        func record(
            _ number: Int64, _ subject: String?, _ kind: JobKind = .title, priority: Int = 0
        ) -> JobRecord {
            JobRecord(
                number: number, kind: kind, subject: subject, section: "vod", file: "\(number).mkv",
                state: number == 1 ? .transcoding : .queued, priority: priority, createdAt: Date())
        }
        let store = JobStoreInMemory([
            record(1, "a"), record(2, "b", priority: 3), record(3, "done"), record(4, nil), record(5, "a"),
            record(6, "a", JobKind(rawValue: "of another version")), record(7, nil, .download),
        ])
        let runner = runner(
            FakeJobKind(isWanted: { $0.id != "done" }), FakeJobKind(.download, section: nil, lane: .download),
            store: store)
        try await runner.resume()
        #expect(await runner.statuses().map(\.file) == ["2.mkv", "1.mkv", "7.mkv"])
        // The unwanted one has ended; so has one without a title, and the second of the same title.
        let page = try await runner.page(matching: nil, after: nil, limit: 9)
        #expect(page.items.filter { $0.state == .cancelled }.map(\.number) == [5, 4, 3])
        #expect(try await runner.job(number: 1)?.state == .queued)
        // What this version does not know is left to one that does.
        #expect(try await runner.job(number: 6)?.state == .queued)
        // Numbers go on.
        #expect(await runner.enqueue(request("c"))?.number == 8)
    }

    @Test func aShutdownLeavesWhatRunsToTheNextStart() async throws {
        let started = Gate()
        let first = runner(
            FakeJobKind.titles { _ in
                started.open()
                await Gate().wait()
                throw CancellationError()
            })
        for id in ["a", "b"] { await first.enqueue(request(id)) }
        let running = Task { await first.run { $0 == .conversion ? 1 : 0 } }
        await started.wait()
        running.cancel()
        await running.value
        #expect(store.all.map(\.state) == [.transcoding, .queued])

        let second = runner(FakeJobKind())
        try await second.resume()
        await expectAgreement(second)
        while let job = await second.isEmpty ? nil : second.next(in: .conversion) { try await second.perform(job) }
        try await second.flush()
        #expect(store.all.map(\.state) == [.ready, .ready])
        #expect(store.all.map(\.attempt) == [2, 1])
    }

    @Test func aFailedJobIsRetriedUnderItsNumber() async throws {
        let isBroken = Mutex(true)
        let runner = runner(
            FakeJobKind.titles { _ in
                if isBroken.withLock({ $0 }) { throw LibraryError(.storage, "the disk is full") }
                return .ready
            })
        await runner.enqueue(request("a"))
        let job = try #require(await runner.next(in: .conversion))
        await #expect(throws: LibraryError.self) { try await runner.perform(job) }
        #expect(try await runner.job(number: 1)?.error == "the disk is full")
        isBroken.withLock { $0 = false }
        #expect(try await runner.retry(number: 1)?.state == .queued)
        await #expect(throws: LibraryError.self) { try await runner.retry(number: 1) }
        await expectAgreement(runner)
        try await runner.perform(try #require(await runner.next(in: .conversion)))
        let done = try #require(try await runner.job(number: 1))
        #expect(done.state == .ready && done.attempt == 2 && done.error == nil)
    }

    @Test func whoWaitsForATitleGoesOnWhenItsLastJobHasEnded() async throws {
        let runner = runner(FakeJobKind(), FakeJobKind(.poster, lane: .short))
        for request in [request("a"), request("a", .poster), request("b")] { await runner.enqueue(request) }
        let waiting = Task { try await runner.waitUntilFree(["a"], in: .titles) }
        try await runner.perform(try #require(await runner.next(in: .conversion)))
        #expect(await runner.busyIDs(in: .titles) == ["a", "b"])
        #expect(try await runner.cancel(key("a", .poster)))
        try await waiting.value
        let other = Task { try await runner.waitUntilFree(["b"], in: .titles) }
        other.cancel()
        await #expect(throws: CancellationError.self) { try await other.value }
    }

    @Test func queueRunningJobsAndLedgerAgreeWhateverHappens() async throws {
        let runner = runner(
            FakeJobKind.titles(in: .indexing) { job in
                await Task.yield()
                if job.number % 5 == 0 { throw LibraryError(.storage, "the disk is full") }
                return job.lane == .indexing && job.number % 2 == 0 ? .continues(in: .conversion) : .ready
            }, FakeJobKind(.poster, lane: .short), FakeJobKind(.download, section: nil, lane: .download))
        let running = Task { await runner.run { _ in 2 } }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<400 {
                    await runner.enqueue(request("\(number % 23)", number % 3 == 0 ? .poster : .title))
                    if number % 7 == 0 { await runner.enqueue(JobRequest(.download, fileName: "a.mp4")) }
                    await Task.yield()
                }
            }
            group.addTask {
                for number in Int64(1)..<150 {
                    _ = try? await runner.cancel(number: number * 2)
                    _ = try? await runner.prioritize(number: number, Int(number % 5))
                    _ = try? await runner.retry(number: number)
                    await expectAgreement(runner)
                }
            }
        }
        while await !runner.isEmpty { await Task.yield() }
        #expect(await runner.holdings().open.isEmpty)
        await expectAgreement(runner)
        running.cancel()
        await running.value
        #expect(store.all.allSatisfy { $0.state.isFinal })
    }
}

private struct Holdings: Sendable {
    var waiting: Set<JobKey>
    var running: Set<JobKey>
    var cancelling: Set<JobKey>
    var open: [JobKey: JobRecord]
}

extension JobRunner {
    fileprivate func holdings() -> Holdings {
        Holdings(
            waiting: Set(queue.jobs.map(\.key)), running: Set(running.keys), cancelling: Set(cancellations.keys),
            open: ledger.open)
    }
}
