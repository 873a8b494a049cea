import Catalogue
import Foundation
import Logging
import MediaCore

/// What operators see of jobs, and the catalogue keeps: a number for each, how far it is, how it ended.
///
/// The queue says what is done next, and a title's record whether there is anything to do; both without the ledger. So
/// it is written behind, many changes at once, and no title waits for that. Whoever promises something to an operator
/// calls ``flush()`` first.
actor JobLedger {
    private let store: any JobStore
    private let now: @Sendable () -> Date
    private let logger: Logger
    /// Those that are not done.
    private var open: [JobKey: JobRecord] = [:]
    private var keys: [Int64: JobKey] = [:]
    private var lastNumber: Int64
    /// Not yet in the catalogue.
    private var changed: [Int64: JobRecord] = [:]
    private var isFlushing = false
    private var waitingForFlush: [CheckedContinuation<Void, Never>] = []
    private var endedSincePruning = 0
    nonisolated let events: JobEventHub
    private let (changes, changeSignal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Those that are done and kept, and for how long: enough to see what happened over a weekend.
    static let maximumEndedCount = 1_000
    static let maximumEndedAge = 30 * 86_400.0
    private static let pruningInterval = 100
    /// Between a change and its being written.
    static let flushDelay = Duration.milliseconds(250)
    /// Of a snapshot for a listener; the list has the rest.
    static let maximumSnapshotCount = 200

    init(store: any JobStore, now: @escaping @Sendable () -> Date, logger: Logger) {
        self.store = store
        self.now = now
        self.logger = logger
        lastNumber = store.lastJobNumber
        events = JobEventHub(epoch: UInt64(max(0, now().timeIntervalSince1970 * 1_000)))
    }

    // MARK: What happens to jobs

    /// Takes up what an earlier run of the server left, as if it had just come.
    ///
    /// - Returns: in the order in which they are to be done.
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

    /// Gives a job its number, unless it has one.
    ///
    /// - Parameter parameters: of a new one.
    /// - Returns: its record, and whether it is a new one.
    func opened(_ job: IngestJob, parameters: String? = nil) -> (record: JobRecord, isNew: Bool) {
        let key = JobKey(job)
        if let record = open[key] { return (record, false) }
        return (add(key, file: job.fileName, parameters: parameters), true)
    }

    /// A file that is to be brought from elsewhere.
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

    /// The queue had no room for it.
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

    /// - Parameters:
    ///   - fraction: 0 to 1.
    ///   - phase: in the worker's words.
    ///   - byteCount: of what it works on, where that is news.
    func progressed(_ job: IngestJob, to fraction: Double, phase: String? = nil, of byteCount: Int64? = nil) {
        guard var record = open[JobKey(job)], record.phase != phase || record.progress != fraction else { return }
        record.progress = fraction
        record.phase = phase
        if let byteCount { record.byteCount = byteCount }
        open[JobKey(job)] = record
        // A kill makes it start from the beginning, so the catalogue is not told.
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

    /// What was done at once, and so never was open.
    func ended(_ job: IngestJob, startedAt: Date) {
        guard open[JobKey(job)] == nil else { return end(JobKey(job), as: .ready, error: nil) }
        var record = add(JobKey(job), file: job.fileName)
        record.startedAt = startedAt
        record.attempt = 1
        open[JobKey(job)] = record
        end(JobKey(job), as: .ready, error: nil)
    }

    /// Makes a job that has failed or was cancelled one that waits.
    ///
    /// - Returns: `nil` where another job for the same is open already.
    func reopened(_ record: JobRecord) -> JobRecord? {
        guard let key = JobKey(record), open[key] == nil else { return nil }
        var record = record
        record.queueAgain()
        open[key] = record
        keys[record.number] = key
        note(record)
        return record
    }

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
    /// Whatever is being done, or waits to be, for a title or track.
    func openJobs(of subject: String, in section: LibrarySection) -> [JobRecord] {
        open.values.filter { $0.subject == subject && $0.section == section.rawValue }
    }

    func isOpen(_ job: IngestJob) -> Bool { open[JobKey(job)] != nil }

    /// Of a title or track there is one of a kind at most.
    func openJob(of kind: JobKind, for subject: String) -> JobRecord? { open[JobKey(kind: kind, subject: subject)] }

    /// The titles or tracks that have such a job.
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

    /// Those that are going on first, then those that wait; at most ``maximumSnapshotCount``.
    func snapshot() -> [JobRecord] {
        let sorted = open.values.sorted { first, second in
            let (isFirstWaiting, isSecondWaiting) = (first.state == .queued, second.state == .queued)
            if isFirstWaiting != isSecondWaiting { return isSecondWaiting }
            return (-first.priority, first.number) < (-second.priority, second.number)
        }
        return Array(sorted.prefix(Self.maximumSnapshotCount))
    }

    /// - Parameters:
    ///   - client: whose limit the listener counts towards.
    ///   - event: the last one that the listener has seen, of an earlier connection.
    /// - Throws: ``LibraryError`` when there are too many listeners.
    func listen(by client: AddressGroup, after event: JobEvent.ID?) throws -> JobEventHub.Listener {
        try events.listen(by: client, after: event, snapshot: snapshot())
    }

    // MARK: The catalogue

    /// Writes behind until it is cancelled, and then once more.
    func writeBehind() async {
        for await _ in changes {
            try? await Task.sleep(for: Self.flushDelay)
            do {
                try await flush()
                if endedSincePruning >= Self.pruningInterval { try await prune() }
            } catch is CancellationError {
                // The server stops; what is left is written below.
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

    /// Everything that has happened outlives a kill when it returns.
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
            // In a task of its own, so that the server's stop does not cut a write off.
            let records = batch.values.sorted { $0.number < $1.number }
            try await Task { [store] in try await store.write(records, durability: .soon) }.value
        } catch {
            // Whatever has changed meanwhile is newer.
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

/// What tells jobs apart that are not done: of one kind there is one for each subject.
struct JobKey: Hashable, Sendable {
    var kind: JobKind
    /// Of a download, its number.
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
