import Catalogue
import Foundation
import LibraryCore
import MediaCore

/// The jobs as operators see them and as the catalogue stores them: number, progress and outcome of each.
///
/// The queue decides which job runs next, and a title's record whether there is anything to do; neither needs the
/// ledger. Changes are therefore written later, many at once (``JobRunner/flush()``), and no title waits for that.
struct JobLedger: Sendable {
    /// The records of the jobs that are not done.
    private(set) var open: [JobKey: JobRecord] = [:]
    private var keys: [Int64: JobKey] = [:]
    private var lastNumber: Int64
    /// The records that are not yet written to the catalogue.
    private var changed: [Int64: JobRecord] = [:]
    /// Number of jobs that have ended since ``endedCount`` was last reset.
    private(set) var endedCount = 0
    private let wallClock: WallClock
    /// Told about every change.
    private let events: JobEventHub
    /// Told that there is something to write.
    private let changeSignal: AsyncStream<Void>.Continuation

    /// Limits on the number of finished jobs that are kept, and on their age: enough to see what happened over a
    /// weekend.
    static let maximumEndedCount = 1_000
    static let maximumEndedAge = Duration.seconds(30 * 86_400)
    /// Limit on the jobs in a snapshot for a listener; the job list has the rest.
    static let maximumSnapshotCount = 200

    init(
        lastNumber: Int64, events: JobEventHub, changeSignal: AsyncStream<Void>.Continuation,
        wallClock: WallClock
    ) {
        self.lastNumber = lastNumber
        self.events = events
        self.changeSignal = changeSignal
        self.wallClock = wallClock
    }

    // MARK: What happens to jobs

    /// Opens the record of a new job. A job without a title or track gets its number as its key.
    mutating func add(_ request: JobRequest, section: LibrarySection?) -> (JobKey, JobRecord) {
        lastNumber += 1
        var record = JobRecord(
            number: lastNumber, kind: request.kind, subject: request.subject, section: section?.rawValue,
            file: request.fileName, createdAt: Date(wallClock.now()))
        (record.origin, record.parameters) = (request.origin, request.parameters)
        let key =
            request.subject.map { JobKey(kind: request.kind, subject: $0) }
            ?? JobKey(kind: request.kind, number: record.number)
        open(record, key)
        return (key, record)
    }

    /// Opens a job again that an earlier run of the server left, that failed, or that was cancelled: it waits as if it
    /// had just been added.
    ///
    /// - Returns: `nil` if another job with that key is open.
    mutating func reopen(_ record: JobRecord, _ key: JobKey) -> JobRecord? {
        guard open[key] == nil else { return nil }
        var record = record
        record.queueAgain()
        open(record, key)
        return record
    }

    private mutating func open(_ record: JobRecord, _ key: JobKey) {
        open[key] = record
        keys[record.number] = key
        note(record)
    }

    /// Records that a record of an earlier run belongs to no job.
    mutating func discard(_ record: JobRecord) {
        var record = record
        record.state = .cancelled
        record.endedAt = Date(wallClock.now())
        note(record)
    }

    /// Records that a worker has taken up a job.
    ///
    /// - Parameter state: the record's state from now on.
    mutating func started(_ key: JobKey, state: JobState) {
        let date = Date(wallClock.now())
        change(key) { record in
            record.state = state
            guard record.startedAt == nil else { return }
            record.startedAt = date
            record.attempt += 1
        }
    }

    /// Records a job's progress.
    ///
    /// - Parameters:
    ///   - fraction: 0 to 1.
    ///   - byteCount: the size of the file that is being worked on, if it has become known.
    mutating func progressed(_ key: JobKey, to fraction: Double, of byteCount: Int64? = nil) {
        guard var record = open[key], record.progress != fraction else { return }
        record.progress = fraction
        record.phase = nil
        if let byteCount { record.byteCount = byteCount }
        open[key] = record
        // Not written to the catalogue, because a job starts from the beginning after a crash.
        events.publish(record)
    }

    /// Changes the record of an open job. Has no effect if the job is not open.
    mutating func change(_ key: JobKey, _ change: (inout JobRecord) -> Void) {
        guard var record = open[key] else { return }
        change(&record)
        open[key] = record
        note(record)
    }

    /// Records the end of an open job. Has no effect if the job is not open.
    mutating func end(_ key: JobKey, _ ending: JobEnding) {
        guard var record = open.removeValue(forKey: key) else { return }
        keys[record.number] = nil
        record.state = ending.state
        record.error = ending.error
        record.progress = nil
        record.phase = nil
        record.endedAt = Date(wallClock.now())
        endedCount += 1
        note(record)
    }

    private mutating func note(_ record: JobRecord) {
        changed[record.number] = record
        events.publish(record)
        changeSignal.yield()
    }

    // MARK: What is asked

    func key(ofNumber number: Int64) -> JobKey? { keys[number] }

    /// The latest record of that number; `nil` if only the catalogue may have it.
    func record(number: Int64) -> JobRecord? { keys[number].flatMap { open[$0] } ?? changed[number] }

    /// A record from the catalogue, with what has happened since.
    func current(_ record: JobRecord) -> JobRecord { keys[record.number].flatMap { open[$0] } ?? record }

    /// The running jobs, followed by the waiting ones; at most ``maximumSnapshotCount``.
    func snapshot() -> [JobRecord] {
        let sorted = open.values.sorted { first, second in
            let (isFirstWaiting, isSecondWaiting) = (first.state == .queued, second.state == .queued)
            if isFirstWaiting != isSecondWaiting { return isSecondWaiting }
            return (-first.priority, first.number) < (-second.priority, second.number)
        }
        return Array(sorted.prefix(Self.maximumSnapshotCount))
    }

    // MARK: The catalogue

    var hasChanges: Bool { !changed.isEmpty }

    /// Takes the records that are to be written, in the order of their numbers.
    mutating func takeChanges() -> [JobRecord] {
        defer { changed = [:] }
        return changed.values.sorted { $0.number < $1.number }
    }

    /// Puts records back that could not be written. Those that have changed meanwhile are newer.
    mutating func putBack(_ records: [JobRecord]) {
        for record in records where changed[record.number] == nil { changed[record.number] = record }
        changeSignal.yield()
    }

    mutating func resetEndedCount() { endedCount = 0 }
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
