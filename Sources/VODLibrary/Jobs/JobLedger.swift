import Catalogue
import Foundation
import Logging
import MediaCore

/// The jobs as operators see them and as the catalogue stores them: number, progress and outcome of each.
///
/// The queue decides which job runs next, and a title's record whether there is anything to do; neither needs the
/// ledger. Changes are therefore written later, many at once, and no title waits for that. Code that promises something
/// to an operator calls ``flush()`` first.
actor JobLedger {
    private let store: any JobStore
    private let now: @Sendable () -> Date
    private let logger: Logger
    /// The jobs that are not done.
    private var open: [JobKey: JobRecord] = [:]
    private var keys: [Int64: JobKey] = [:]
    private var lastNumber: Int64
    /// The records that are not yet written to the catalogue.
    private var changed: [Int64: JobRecord] = [:]
    private var isFlushing = false
    private var waitingForFlush: [CheckedContinuation<Void, Never>] = []
    private var endedSincePruning = 0
    nonisolated let events: JobEventHub
    private let (changes, changeSignal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Limits on the number of finished jobs that are kept, and on their age in seconds: enough to see what happened
    /// over a weekend.
    static let maximumEndedCount = 1_000
    static let maximumEndedAge = 30 * 86_400.0
    private static let pruningInterval = 100
    /// Delay between a change and its being written.
    static let flushDelay = Duration.milliseconds(250)
    /// Limit on the jobs in a snapshot for a listener; the job list has the rest.
    static let maximumSnapshotCount = 200

    init(store: any JobStore, now: @escaping @Sendable () -> Date, logger: Logger) {
        self.store = store
        self.now = now
        self.logger = logger
        lastNumber = store.lastJobNumber
        events = JobEventHub(epoch: UInt64(max(0, now().timeIntervalSince1970 * 1_000)))
    }

    // MARK: What happens to jobs

    /// Resumes the jobs that an earlier run of the server left, as if they had just been added.
    ///
    /// - Returns: the jobs in the order in which they are to run.
    func takeUp() async throws -> [JobRecord] {
        let left = try await store.unfinishedJobs()
        var result: [JobRecord] = []
        for var job in left {
            guard let key = JobKey(job), open[key] == nil else {
                job.state = .cancelled
                job.endedAt = now()
                note(job)
                continue
            }
            job.queueAgain()
            open[key] = job
            keys[job.number] = key
            note(job)
            result.append(job)
        }
        try await prune()
        return result
    }

    /// Returns the job's open record, or opens one with a new number.
    ///
    /// - Parameter parameters: the parameters of a new record.
    /// - Returns: the record, and whether it is new.
    func opened(_ job: IngestJob, parameters: String? = nil) -> (record: JobRecord, isNew: Bool) {
        let key = JobKey(job)
        if let record = open[key] { return (record, false) }
        return (add(key, file: job.fileName, parameters: parameters), true)
    }

    /// Opens the record of an import.
    func openedDownload(of file: String, from origin: String) -> JobRecord {
        let key = JobKey(kind: .download, subject: "\(lastNumber + 1)")
        return add(key, file: file, origin: origin)
    }

    private func add(_ key: JobKey, file: String, origin: String? = nil, parameters: String? = nil) -> JobRecord {
        lastNumber += 1
        let record = JobRecord(
            number: lastNumber, kind: key.kind, subject: key.recordSubject, section: key.section?.rawValue, file: file,
            origin: origin, parameters: parameters, createdAt: now())
        open[key] = record
        keys[record.number] = key
        note(record)
        return record
    }

    /// Removes the record of a job for which the queue had no room.
    func withdrew(_ job: IngestJob) {
        guard let record = open.removeValue(forKey: JobKey(job)) else { return }
        keys[record.number] = nil
        changed[record.number] = nil
    }

    func started(_ job: IngestJob) {
        update(JobKey(job)) { record in
            record.state = JobState(job.task.state)
            if job.task == .download { record.state = .downloading }
            guard record.startedAt == nil else { return }
            record.startedAt = now()
            record.attempt += 1
        }
    }

    /// Records a job's progress.
    ///
    /// - Parameters:
    ///   - fraction: 0 to 1.
    ///   - phase: the worker's name for what it is doing.
    ///   - byteCount: the size of the file that is being worked on, if it has become known.
    func progressed(_ job: IngestJob, to fraction: Double, phase: String? = nil, of byteCount: Int64? = nil) {
        guard var record = open[JobKey(job)], record.phase != phase || record.progress != fraction else { return }
        record.progress = fraction
        record.phase = phase
        if let byteCount { record.byteCount = byteCount }
        open[JobKey(job)] = record
        // Not written to the catalogue, because a job starts from the beginning after a crash.
        events.publish(record)
    }

    func changed(_ job: IngestJob, _ change: (inout JobRecord) -> Void) { update(JobKey(job), change) }

    func ended(_ job: IngestJob, as state: JobState, error: String? = nil) {
        end(JobKey(job), as: state, error: error)
    }

    private func end(_ key: JobKey, as state: JobState, error: String?) {
        guard var record = open.removeValue(forKey: key) else { return }
        keys[record.number] = nil
        record.state = state
        record.error = error
        record.progress = nil
        record.phase = nil
        record.endedAt = now()
        endedSincePruning += 1
        note(record)
    }

    /// Records a job that was done at once, and so was never open.
    func ended(_ job: IngestJob, startedAt: Date) {
        guard open[JobKey(job)] == nil else { return end(JobKey(job), as: .ready, error: nil) }
        var record = add(JobKey(job), file: job.fileName)
        record.startedAt = startedAt
        record.attempt = 1
        open[JobKey(job)] = record
        end(JobKey(job), as: .ready, error: nil)
    }

    /// Reopens a job that failed or was cancelled, so that it waits again.
    ///
    /// - Returns: `nil` if another job for the same subject is open already.
    func reopened(_ record: JobRecord) -> JobRecord? {
        guard let key = JobKey(record), open[key] == nil else { return nil }
        var record = record
        record.queueAgain()
        open[key] = record
        keys[record.number] = key
        note(record)
        return record
    }

    /// Changes the priority of an open job.
    ///
    /// - Returns: the changed record; `nil` if the job is not open.
    func moved(_ number: Int64, toPriority priority: Int) -> JobRecord? {
        guard let key = keys[number] else { return nil }
        update(key) { $0.priority = priority }
        return open[key]
    }

    private func update(_ key: JobKey, _ change: (inout JobRecord) -> Void) {
        guard var record = open[key] else { return }
        change(&record)
        open[key] = record
        note(record)
    }

    private func note(_ record: JobRecord) {
        changed[record.number] = record
        events.publish(record)
        changeSignal.yield()
    }

    // MARK: What is asked

    func priority(of job: IngestJob) -> Int { open[JobKey(job)]?.priority ?? 0 }

    func openCount(of kind: JobKind) -> Int { open.keys.count { $0.kind == kind } }
    /// The jobs that are waiting or running for a title or track.
    func openJobs(of subject: String, in section: LibrarySection) -> [JobRecord] {
        open.values.filter { $0.subject == subject && $0.section == section.rawValue }
    }

    func isOpen(_ job: IngestJob) -> Bool { open[JobKey(job)] != nil }

    /// The open job of a kind for a title or track; there is at most one.
    func openJob(of kind: JobKind, for subject: String) -> JobRecord? { open[JobKey(kind: kind, subject: subject)] }

    /// The IDs of the titles or tracks that have an open job of that kind.
    func openSubjects(of kind: JobKind) -> Set<String> {
        Set(open.keys.lazy.filter { $0.kind == kind }.map(\.subject))
    }

    func job(number: Int64) async throws -> JobRecord? {
        if let key = keys[number], let record = open[key] { return record }
        if let record = changed[number] { return record }
        return try await store.job(number: number)
    }

    func page(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<JobRecord> {
        try await flush()
        var page = try await store.jobs(matching: query, after: cursor, limit: limit)
        page.items = page.items.map { record in keys[record.number].flatMap { open[$0] } ?? record }
        return page
    }

    /// The running jobs, followed by the waiting ones; at most ``maximumSnapshotCount``.
    func snapshot() -> [JobRecord] {
        let sorted = open.values.sorted { first, second in
            let (isFirstWaiting, isSecondWaiting) = (first.state == .queued, second.state == .queued)
            if isFirstWaiting != isSecondWaiting { return isSecondWaiting }
            return (-first.priority, first.number) < (-second.priority, second.number)
        }
        return Array(sorted.prefix(Self.maximumSnapshotCount))
    }

    /// Adds a listener for job events.
    ///
    /// - Parameters:
    ///   - client: the client whose limit the listener counts towards.
    ///   - event: the last event that the listener has seen on an earlier connection; `nil` for none.
    /// - Throws: ``LibraryError`` when there are too many listeners.
    func listen(by client: AddressGroup, after event: JobEvent.ID?) throws -> JobEventHub.Listener {
        try events.listen(by: client, after: event, snapshot: snapshot())
    }

    // MARK: The catalogue

    /// Writes changes to the catalogue until the task is cancelled, and then once more.
    func writeBehind() async {
        for await _ in changes {
            try? await Task.sleep(for: Self.flushDelay)
            do {
                try await flush()
                if endedSincePruning >= Self.pruningInterval { try await prune() }
            } catch is CancellationError {
                // The server is stopping; what is left is written below.
            } catch {
                logger.error("jobs cannot be written to the catalogue", metadata: ["error": "\(error)"])
            }
        }
        do {
            try await Task { try await flush() }.value
        } catch {
            logger.error("jobs cannot be written to the catalogue", metadata: ["error": "\(error)"])
        }
    }

    /// Writes all changes to the catalogue. What has happened before the call survives a crash after it returns.
    func flush() async throws {
        while isFlushing { await withCheckedContinuation { waitingForFlush.append($0) } }
        guard !changed.isEmpty else { return }
        isFlushing = true
        let batch = changed
        changed = [:]
        defer {
            isFlushing = false
            for continuation in waitingForFlush { continuation.resume() }
            waitingForFlush = []
        }
        do {
            // Runs in a task of its own, so that a shutdown does not interrupt the write.
            let records = batch.values.sorted { $0.number < $1.number }
            try await Task { [store] in try await store.write(records, durability: .soon) }.value
        } catch {
            // Records that have changed meanwhile are newer.
            changed.merge(batch) { newer, _ in newer }
            throw error
        }
    }

    private func prune() async throws {
        endedSincePruning = 0
        try await flush()
        try await store.pruneJobs(
            keeping: Self.maximumEndedCount, endedAfter: now().addingTimeInterval(-Self.maximumEndedAge))
    }
}

/// The identity of an open job: there is at most one of each kind for each subject.
struct JobKey: Hashable, Sendable {
    var kind: JobKind
    /// The ID of the title or track; for an import, the job's number.
    var subject: String

    init(kind: JobKind, subject: String) {
        self.kind = kind
        self.subject = subject
    }

    init(_ job: IngestJob) { self.init(kind: job.task.kind, subject: job.id) }

    init?(_ record: JobRecord) {
        if record.kind == .download {
            self.init(kind: .download, subject: "\(record.number)")
        } else {
            guard let subject = record.subject else { return nil }
            self.init(kind: record.kind, subject: subject)
        }
    }

    var recordSubject: String? { kind == .download ? nil : subject }

    var section: LibrarySection? {
        switch kind {
        case .track: .tracks
        case .download: nil
        default: .titles
        }
    }
}

extension JobRecord {
    fileprivate mutating func queueAgain() {
        state = .queued
        phase = nil
        progress = nil
        error = nil
        message = nil
        startedAt = nil
        endedAt = nil
    }
}
