import Catalogue
import Foundation

/// The waiting jobs, in the order in which they will run, and the running ones.
actor JobQueue {
    private var queued: [IngestJob.Task: [Int: FirstInFirstOut]] = [:]
    /// The waiting jobs with their priorities.
    private var queuedJobs: [IngestJob: Int] = [:]
    private var running: [IngestJob: Running] = [:]
    private var waiting: [IngestLane: [CheckedContinuation<IngestJob?, Never>]] = [:]
    /// The number of jobs for each title or track ID, counting only jobs that hold the file.
    private var busy: [LibrarySection: [String: Int]] = [:]
    private var isClosed = false
    private let now: @Sendable () -> Date

    private struct Running {
        var startedAt: Date
        var state: TitleState
        var progress: Double?
    }

    /// Limit on waiting jobs. The catalogue stores what is not done yet, so a full queue loses nothing: the next scan
    /// adds it again.
    static let maximumQueuedCount = 10_000

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// Adds a job, or starts it at once if a worker is idle.
    ///
    /// - Parameter priority: jobs with a higher priority run first.
    /// - Returns: false if the job is queued or running already, or if the queue is full or closed.
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

    /// True if no job is waiting or running.
    var isEmpty: Bool { running.isEmpty && queuedJobs.isEmpty }

    /// Returns whether the job is waiting or running.
    func holds(_ job: IngestJob) -> Bool { isRunning(job) || queuedJobs[job] != nil }

    func isRunning(_ job: IngestJob) -> Bool { running[job] != nil }

    /// Removes a waiting job.
    ///
    /// - Returns: whether the job was waiting.
    @discardableResult
    func remove(_ job: IngestJob) -> Bool {
        guard let priority = queuedJobs.removeValue(forKey: job) else { return false }
        queued[job.task]?[priority]?.remove(job)
        dropIfEmpty(job.task, priority)
        release(job)
        return true
    }

    /// Moves a waiting job to the end of the jobs with that priority. Has no effect on other jobs.
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

    /// Waits for the next job of the lane; `nil` once the queue is closed.
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

    /// The waiting jobs of a task, in the order in which they will run.
    private func jobs(of task: IngestJob.Task) -> [IngestJob] {
        (queued[task] ?? [:]).sorted { $0.key > $1.key }.flatMap(\.value.jobs)
    }

    /// The IDs of titles or tracks with a waiting or running job that holds their file.
    func busyIDs(in section: LibrarySection) -> Set<String> { Set((busy[section] ?? [:]).keys) }

    /// The running jobs, longest first.
    func runningStatuses() -> [JobStatus] {
        running.map { job, running in
            JobStatus(
                id: job.id, kind: job.task.kind, file: job.fileName, state: running.state, progress: running.progress,
                startedAt: running.startedAt)
        }.sorted { ($0.startedAt ?? .distantPast, $0.id) < ($1.startedAt ?? .distantPast, $1.id) }
    }

    /// All jobs, the running ones first.
    func statuses() -> [JobStatus] {
        runningStatuses()
            + IngestLane.allCases.flatMap(\.tasks).flatMap(jobs).map {
                JobStatus(id: $0.id, kind: $0.task.kind, file: $0.fileName, state: .queued)
            }
    }
}

/// A queue that appends and removes in amortized constant time.
private struct FirstInFirstOut {
    private var storage: [IngestJob] = []
    private var start = 0

    var jobs: ArraySlice<IngestJob> { storage[start...] }

    mutating func append(_ job: IngestJob) { storage.append(job) }

    /// Removes a job in linear time; only operators cause this.
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
