package import Catalogue
package import Foundation
package import LibraryCore
package import Logging
import LogMetadata
package import MediaCore

/// Runs jobs: the queue of those that wait, those that run, and the ledger of their records.
///
/// Every job that waits, runs or is being cancelled has exactly one open record, and at most one job of a key exists at
/// a time. Functions that change one of the three change the others before their next suspension, so the three always
/// agree. The only records without a job are those that a shutdown interrupted, and those of kinds that this version
/// does not know; they stay open for the next start.
package actor JobRunner {
    nonisolated let events: JobEventHub
    nonisolated let kinds: [JobKind: any LibraryJobKind]
    let store: any JobStore
    let clock: any Clock<Duration>
    let wallClock: WallClock
    let logger: Logger
    /// Tells whether an error says nothing about a file, because there were no file descriptors.
    private let lacksDescriptors: @Sendable (any Error) -> Bool

    var queue = JobQueue()
    var running: [JobKey: RunningJob] = [:]
    var cancellations: [JobKey: Cancellation] = [:]
    var lastCancellation: UInt64 = 0
    var ledger: JobLedger
    /// Workers that wait for a job of their lane.
    private var idleWorkers: [JobLane: [CheckedContinuation<LibraryJob?, Never>]] = [:]
    private var isClosed = false
    /// Told whenever a job ends.
    private var observers: [UInt64: AsyncStream<Void>.Continuation] = [:]
    private var lastObserver: UInt64 = 0

    // The state of `JobRunner+Records.swift`.
    var isFlushing = false
    var waitingForFlush: [CheckedContinuation<Void, Never>] = []
    nonisolated let changes: AsyncStream<Void>

    /// A job that is being cancelled. It holds its place until that is recorded.
    struct Cancellation {
        /// Tells it from later ones of the same key.
        var number: UInt64
        var job: LibraryJob
        var task: Task<Void, any Error>
    }

    /// Limit on waiting jobs. The catalogue stores what is not done yet, so a full queue loses nothing: the next scan
    /// adds it again.
    static let maximumWaitingCount = 10_000

    /// - Parameters:
    ///   - kinds: what the jobs of each kind do.
    ///   - store: keeps the records of jobs.
    ///   - clock: measures pauses.
    ///   - wallClock: tells the dates of jobs' events.
    ///   - logger: receives the log.
    ///   - lacksDescriptors: whether a job failed because there were no file descriptors; it is then tried again.
    package init(
        kinds: [any LibraryJobKind], store: any JobStore, clock: any Clock<Duration> = ContinuousClock(),
        wallClock: WallClock, logger: Logger,
        lacksDescriptors: @escaping @Sendable (any Error) -> Bool = { _ in false }
    ) {
        self.kinds = Dictionary(kinds.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        self.store = store
        self.clock = clock
        self.wallClock = wallClock
        self.logger = logger
        self.lacksDescriptors = lacksDescriptors
        let events = JobEventHub(epoch: UInt64(max(0, wallClock.now().millisecondsSince1970)))
        let (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.events = events
        self.changes = changes
        ledger = JobLedger(lastNumber: store.lastJobNumber, events: events, changeSignal: signal, wallClock: wallClock)
    }

    // MARK: Adding

    /// Adds a job to the queue, with its number and its record, or gives it to an idle worker at once. A job that is
    /// open already stays as it is.
    ///
    /// - Returns: the record of the open job; `nil` if the queue is full or closed. A full queue loses nothing: the
    ///   next scan of the folder adds the job again.
    @discardableResult
    package func enqueue(_ request: JobRequest) -> JobRecord? {
        guard let kind = kinds[request.kind] else { return nil }
        if let subject = request.subject, let record = ledger.open[JobKey(kind: kind.kind, subject: subject)] {
            let key = JobKey(kind: kind.kind, subject: subject)
            // A shutdown may have interrupted the job; then only its record is there.
            if !holds(key), hasRoom { put(Self.asked(kind.job(key, of: record)), priority: record.priority) }
            return record
        }
        guard hasRoom else { return nil }
        let (key, record) = ledger.add(request, section: kind.section)
        put(Self.asked(kind.job(key, of: record)), priority: record.priority)
        return record
    }

    /// A job with the identifier of the request that the calling task answers, or that of the job which it follows.
    static func asked(_ job: LibraryJob) -> LibraryJob {
        var job = job
        job.request = RequestIdentifier.current
        return job
    }

    /// Records a job that was done at once, without waiting or running.
    package func recordDone(_ request: JobRequest, startedAt: Date) {
        guard let kind = kinds[request.kind], let subject = request.subject else { return }
        let key = JobKey(kind: kind.kind, subject: subject)
        if ledger.open[key] == nil {
            _ = ledger.add(request, section: kind.section)
            ledger.change(key) { record in
                record.startedAt = startedAt
                record.attempt = 1
            }
        }
        // A job that waits or runs ends by itself.
        if !holds(key) { ledger.end(key, .ready) }
    }

    var hasRoom: Bool { hasRoom(for: 1) }

    /// Returns whether so many jobs more may wait.
    package func hasRoom(for count: Int) -> Bool { !isClosed && queue.count + count <= Self.maximumWaitingCount }

    /// Returns whether the job waits, runs or is being cancelled.
    func holds(_ key: JobKey) -> Bool {
        queue.contains(key) || running[key] != nil || cancellations[key] != nil
    }

    /// Lets a job wait, or gives it to an idle worker.
    func put(_ job: LibraryJob, priority: Int) {
        guard !isClosed else { return }
        guard let worker = idleWorkers[job.lane]?.popLast() else {
            return queue.append(job, rank: kinds[job.kind]?.rank ?? 0, priority: priority)
        }
        start(job)
        worker.resume(returning: job)
    }

    // MARK: Running

    /// Does the jobs of all lanes until the task is cancelled. Running jobs are then cancelled, and stay open for the
    /// next start.
    ///
    /// - Parameter width: the number of a lane's jobs that run at the same time.
    package nonisolated func run(width: (JobLane) -> Int) async {
        await withDiscardingTaskGroup { group in
            for lane in JobLane.allCases {
                for _ in 0..<width(lane) { group.addTask { await self.work(in: lane) } }
            }
            group.addTask { await self.writeBehind() }
            group.addTask { [events, clock] in
                while (try? await clock.sleep(for: JobEventHub.heartbeatInterval)) != nil { events.beat() }
                // Workers that wait for a job have to be told.
                await self.close()
            }
        }
        events.close()
    }

    /// Runs one of a lane's workers, which does jobs until the queue is closed or the server shuts down.
    private func work(in lane: JobLane) async {
        // A worker whose job was cut off by the shutdown may get here before the queue is closed.
        while !Task.isCancelled, let job = await next(in: lane) {
            do {
                try await perform(job)
            } catch is CancellationError {
                // The server is shutting down. The record still says what was being done, and the next start resumes
                // it.
            } catch {
                RequestIdentifier.$current.withValue(job.request) {
                    logger.error(
                        "job failed",
                        metadata: [
                            .jobID: "\(job.number)", .titleFile: "\(job.fileName)",
                            .error: "\(FileErrorText(error))",
                        ])
                }
            }
        }
    }

    /// Takes the next job of a lane, which counts as running from then on: the caller has to ``perform(_:)``
    /// it. Waits for one if there is none; `nil` once the queue is closed.
    func next(in lane: JobLane) async -> LibraryJob? {
        if isClosed { return nil }
        if let job = queue.popFirst(in: lane) {
            start(job)
            return job
        }
        return await withCheckedContinuation { idleWorkers[lane, default: []].append($0) }
    }

    private func start(_ job: LibraryJob) {
        guard let kind = kinds[job.kind] else { return }
        running[job.key] = RunningJob(job: job, startedAt: Date(wallClock.now()), state: kind.itemState(in: job.lane))
        ledger.started(job.key, state: kind.runningState(in: job.lane))
    }

    /// Performs a job that ``next(in:)`` has returned, in a task of its own, so that it can be cancelled alone, and
    /// records its outcome.
    ///
    /// - Throws: the error with which the job failed; `CancellationError` if it was cancelled.
    func perform(_ job: LibraryJob) async throws {
        let task = Task {
            try await RequestIdentifier.$current.withValue(job.request) { try await carryOut(job) }
        }
        running[job.key]?.task = task
        // It was cancelled between its leaving the queue and now.
        if cancellations[job.key] != nil { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        finished(job, result)
        _ = try result.get()
    }

    /// Performs a job. Waits as long as there are no file descriptors: all jobs of the lane would fail, and no file is
    /// at fault.
    private func carryOut(_ job: LibraryJob) async throws -> JobOutcome {
        try Task.checkCancellation()
        guard let kind = kinds[job.kind] else { return .superseded }
        var attempt = 0
        while true {
            do {
                return try await kind.perform(job, in: JobRun(job: job, jobs: self))
            } catch let error where lacksDescriptors(error) {
                attempt += 1
                let pause = Self.pause(afterAttempt: attempt)
                logger.warning(
                    "no file descriptors available for a job; retrying",
                    metadata: [
                        .jobID: "\(job.number)", .titleFile: "\(job.fileName)", .error: "\(error)",
                        .seconds: "\(pause.components.seconds)",
                    ])
                ledger.change(job.key) { $0.message = "waits for file descriptors; raise the limit (ulimit -n)" }
                try await clock.sleep(for: pause)
                ledger.change(job.key) { $0.message = nil }
            }
        }
    }

    /// The time that a job waits for file descriptors before it is tried again. It doubles with each attempt, up to a
    /// minute.
    private static func pause(afterAttempt attempt: Int) -> Duration {
        .seconds(min(60, 1 << min(max(0, attempt - 1), 6)))
    }

    /// Records what became of a job that has run. Does not suspend, so that no other task sees the job neither running
    /// nor ended.
    private func finished(_ job: LibraryJob, _ result: Result<JobOutcome, any Error>) {
        let end = running.removeValue(forKey: job.key)?.end
        switch result {
        case .success(.ended(let ending)): ended(job.key, ending)
        case .success(.continues(let lane)):
            if cancellations[job.key] == nil, let record = ledger.open[job.key] {
                var next = job
                next.lane = lane
                put(next, priority: record.priority)
            }
        // The call that cancels the job records that. After a shutdown the record stays open for the next start.
        case .failure(is CancellationError): break
        case .failure(let error): ended(job.key, JobEnding(.failed, error: "\(error)"))
        }
        end?.resume()
        tellObservers()
    }

    /// Records the end of a job that has run. If it was being cancelled, that came too late.
    private func ended(_ key: JobKey, _ ending: JobEnding) {
        ledger.end(key, ending)
        cancellations[key] = nil
    }

    /// Ends the waiting of workers and of other tasks. Running jobs are not affected; waiting ones stay in the ledger.
    func close() {
        isClosed = true
        queue = JobQueue()
        for worker in idleWorkers.values.joined() { worker.resume(returning: nil) }
        idleWorkers = [:]
        tellObservers()
    }

    // MARK: Progress

    /// Records the progress of a transfer.
    func progressed(_ key: JobKey, to fraction: Double, of byteCount: Int64? = nil) {
        ledger.progressed(key, to: fraction, of: byteCount)
    }

    /// Records the progress of a conversion, for the record of its title or track as well.
    func converted(_ key: JobKey, to fraction: Double) {
        running[key]?.state = .transcoding
        running[key]?.progress = fraction
        ledger.progressed(key, to: fraction)
    }

    /// Changes the record of an open job.
    func change(_ key: JobKey, _ change: @Sendable (inout JobRecord) -> Void) { ledger.change(key, change) }

    /// Ends the record of a running job that is about to return: the job holds its place for that moment.
    func endEarly(_ key: JobKey, _ change: @Sendable (inout JobRecord) -> Void) {
        ledger.change(key, change)
        ledger.end(key, .ready)
    }

    // MARK: Waiting for ends

    /// Waits until no job holds the files of these titles or tracks.
    ///
    /// - Throws: `CancellationError`
    package func waitUntilFree(_ ids: Set<String>, in section: LibrarySection) async throws {
        let (ends, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastObserver += 1
        let observer = lastObserver
        observers[observer] = signal
        defer { observers[observer] = nil }
        // Whatever ends after this line is told, so no end is missed between a comparison and the next wait.
        signal.yield()
        for await _ in ends {
            if isClosed || busyIDs(in: section).isDisjoint(with: ids) { return }
        }
        try Task.checkCancellation()
    }

    func tellObservers() { for observer in observers.values { observer.yield() } }
}
