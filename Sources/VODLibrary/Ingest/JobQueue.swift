import Catalogue
import Foundation

/// Jobs in the order in which they are to be done, and those being done.
actor JobQueue {
    private var queued: [IngestJob.Task: [Int: FirstInFirstOut]] = [:]
    /// With their priorities.
    private var queuedJobs: [IngestJob: Int] = [:]
    private var running: [IngestJob: Running] = [:]
    private var waiting: [IngestLane: [CheckedContinuation<IngestJob?, Never>]] = [:]
    /// How many jobs there are for each id.
    private var busy: [LibrarySection: [String: Int]] = [:]
    private var isClosed = false
    private let now: @Sendable () -> Date

    private struct Running {
        var startedAt: Date
        var state: TitleState
        var progress: Double?
    }

    /// The catalogue remembers what is not yet done, so a full queue loses nothing: the next scan brings it again.
    static let maximumQueuedCount = 10_000

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// - Parameter priority: higher ones go first.
    /// - Returns: false where the job is known already, or the queue is full.
    @discardableResult
    func add(_ job: IngestJob, priority: Int = 0) -> Bool {
        guard !isClosed, queuedJobs.count < Self.maximumQueuedCount, !holds(job) else { return false }
        if job.task.holdsFile { busy[job.task.section, default: [:]][job.id, default: 0] += 1 }
        let lane = IngestLane(job.task)
        if waiting[lane]?.isEmpty == false, let next = waiting[lane]?.removeFirst() {
            start(job)
            next.resume(returning: job)
            return true
        }
        append(job, priority: priority)
        return true
    }

    private func append(_ job: IngestJob, priority: Int) {
        queuedJobs[job] = priority
        queued[job.task, default: [:]][priority, default: FirstInFirstOut()].append(job)
    }

    /// Nothing waits and nothing is being done.
    var isEmpty: Bool { running.isEmpty && queuedJobs.isEmpty }

    /// Whether it waits or is being done.
    func holds(_ job: IngestJob) -> Bool { isRunning(job) || queuedJobs[job] != nil }

    func isRunning(_ job: IngestJob) -> Bool { running[job] != nil }

    /// - Returns: whether it was waiting, and does not any longer.
    @discardableResult
    func remove(_ job: IngestJob) -> Bool {
        guard let priority = queuedJobs.removeValue(forKey: job) else { return false }
        queued[job.task]?[priority]?.remove(job)
        dropIfEmpty(job.task, priority)
        release(job)
        return true
    }

    /// To the end of those with that priority, if it waits.
    func move(_ job: IngestJob, toPriority priority: Int) {
        guard let old = queuedJobs[job], old != priority else { return }
        queued[job.task]?[old]?.remove(job)
        dropIfEmpty(job.task, old)
        append(job, priority: priority)
    }

    private func dropIfEmpty(_ task: IngestJob.Task, _ priority: Int) {
        if queued[task]?[priority]?.jobs.isEmpty == true { queued[task]?[priority] = nil }
    }

    private func popFirst(of task: IngestJob.Task) -> IngestJob? {
        guard let priority = queued[task]?.keys.max(), let job = queued[task]?[priority]?.popFirst() else { return nil }
        dropIfEmpty(task, priority)
        return job
    }

    /// The next job of the lane, when there is one; `nil` once the queue is closed.
    func next(in lane: IngestLane) async -> IngestJob? {
        if isClosed { return nil }
        for task in lane.tasks {
            guard let job = popFirst(of: task) else { continue }
            queuedJobs[job] = nil
            start(job)
            return job
        }
        return await withCheckedContinuation { waiting[lane, default: []].append($0) }
    }

    private func start(_ job: IngestJob) { running[job] = Running(startedAt: now(), state: job.task.state) }

    func finished(_ job: IngestJob) {
        guard running.removeValue(forKey: job) != nil else { return }
        release(job)
    }

    private func release(_ job: IngestJob) {
        guard job.task.holdsFile else { return }
        let count = busy[job.task.section]?[job.id] ?? 0
        busy[job.task.section]?[job.id] = count > 1 ? count - 1 : nil
    }

    func update(_ job: IngestJob, state: TitleState, progress: Double?) {
        running[job]?.state = state
        running[job]?.progress = progress
    }

    func close() {
        isClosed = true
        queued = [:]
        queuedJobs = [:]
        busy = [:]
        for continuation in waiting.values.joined() { continuation.resume(returning: nil) }
        waiting = [:]
    }

    func queuedCount(in lane: IngestLane) -> Int { lane.tasks.reduce(0) { $0 + jobs(of: $1).count } }

    /// In the order in which they are to be done.
    private func jobs(of task: IngestJob.Task) -> [IngestJob] {
        (queued[task] ?? [:]).sorted { $0.key > $1.key }.flatMap(\.value.jobs)
    }

    /// Ids of titles or tracks that a job is queued or running for, as far as it has to do with their files.
    func busyIDs(in section: LibrarySection) -> Set<String> { Set((busy[section] ?? [:]).keys) }

    /// Those being done, longest first.
    func runningStatuses() -> [JobStatus] {
        running.map { job, running in
            JobStatus(
                id: job.id, kind: job.task.kind, file: job.fileName, state: running.state, progress: running.progress,
                startedAt: running.startedAt)
        }.sorted { ($0.startedAt ?? .distantPast, $0.id) < ($1.startedAt ?? .distantPast, $1.id) }
    }

    /// All jobs, those being done first.
    func statuses() -> [JobStatus] {
        runningStatuses()
            + IngestLane.allCases.flatMap(\.tasks).flatMap(jobs).map {
                JobStatus(id: $0.id, kind: $0.task.kind, file: $0.fileName, state: .queued)
            }
    }
}

/// Appends and takes in constant time, on average.
private struct FirstInFirstOut {
    private var storage: [IngestJob] = []
    private var start = 0

    var jobs: ArraySlice<IngestJob> { storage[start...] }

    mutating func append(_ job: IngestJob) { storage.append(job) }

    /// In linear time: only people ask for it.
    mutating func remove(_ job: IngestJob) {
        storage.removeFirst(start)
        start = 0
        storage.removeAll { $0 == job }
    }

    mutating func popFirst() -> IngestJob? {
        guard start < storage.count else { return nil }
        defer {
            start += 1
            if start * 2 > storage.count {
                storage.removeFirst(start)
                start = 0
            }
        }
        return storage[start]
    }
}
