package import Catalogue
import Database
import Foundation
import Logging
import LogMetadata
package import MediaCore

/// The jobs' records in the catalogue.
extension JobRunner {
    /// Delay between a change and its being written.
    static let flushDelay = Duration.milliseconds(250)
    /// Delay after a failed write.
    private static let retryDelay = Duration.seconds(2)
    /// Number of jobs that end between two searches for records that are too old to keep.
    private static let pruningInterval = 100

    // MARK: After a start

    /// Resumes the jobs that an earlier run of the server left, in their order, as if they had just been added.
    package func resume() async throws {
        var left: [(JobKey, JobRecord)] = []
        for record in try await store.unfinishedJobs() {
            guard let key = key(of: record), let reopened = ledger.reopen(record, key) else {
                ledger.discard(record)
                continue
            }
            left.append((key, reopened))
        }
        try await prune()
        for (key, record) in left {
            guard let kind = kinds[key.kind] else { continue }
            let job = kind.job(key, of: record)
            let ending = try await kind.isStillWanted(job) ? nil : kind.outcomeOnRestart(of: job)
            // While the catalogue was asked, an operator may have cancelled the job, and the scan that found its file
            // may have queued it.
            guard let current = ledger.open[key], current.number == record.number, !holds(key) else { continue }
            if let ending { ledger.end(key, ending) } else { put(job, priority: current.priority) }
        }
    }

    /// The key of a record that an earlier run left. Records of unknown kinds stay open for a version that knows them.
    private func key(of record: JobRecord) -> JobKey? {
        guard let kind = kinds[record.kind] else {
            return record.subject.map { JobKey(kind: record.kind, subject: $0) }
        }
        return kind.key(of: record)
    }

    // MARK: Asking

    /// A job's record; `nil` if there is none with that number.
    package func job(number: Int64) async throws -> JobRecord? {
        if let record = ledger.record(number: number) { return record }
        return try await store.job(number: number)
    }

    /// A page of the job list, newest first.
    package func page(matching query: String?, after cursor: String?, limit: Int) async throws -> ListPage<JobRecord> {
        try await flush()
        var page = try await store.jobs(matching: query, after: cursor, limit: limit)
        page.items = page.items.map(ledger.current)
        return page
    }

    /// The records of running jobs, followed by those of waiting ones; at most `JobLedger.maximumSnapshotCount`.
    package func snapshot() -> [JobRecord] { ledger.snapshot() }

    // MARK: Writing

    /// Writes changes to the catalogue until the task is cancelled, and then once more.
    func writeBehind() async {
        // A request that needs the records waits for the write, so the write does not wait for the database.
        await PatientDatabase.$waitsForAnswer.withValue(false) { await writeChanges() }
    }

    private func writeChanges() async {
        for await _ in changes {
            try? await clock.sleep(for: Self.flushDelay)
            do {
                try await flush()
                if ledger.endedCount >= Self.pruningInterval { try await prune() }
            } catch is CancellationError {
                // The server is stopping; what is left is written below.
            } catch {
                logger.error("jobs cannot be written to the catalogue", metadata: [.error: "\(error)"])
                try? await clock.sleep(for: Self.retryDelay)
            }
        }
        do {
            // In a task of its own, which is not cancelled.
            try await Task { try await flush() }.value
        } catch {
            logger.error("jobs cannot be written to the catalogue", metadata: [.error: "\(error)"])
        }
    }

    /// Writes all changes to the catalogue. What has happened before the call survives a crash after it returns, so
    /// code that promises something to an operator calls this first.
    package func flush() async throws {
        while isFlushing { await withCheckedContinuation { waitingForFlush.append($0) } }
        guard ledger.hasChanges else { return }
        isFlushing = true
        let batch = ledger.takeChanges()
        defer {
            isFlushing = false
            for continuation in waitingForFlush { continuation.resume() }
            waitingForFlush = []
        }
        do {
            // In a task of its own, so that a shutdown does not interrupt the write.
            try await Task { [store] in try await store.write(batch, durability: .soon) }.value
        } catch {
            ledger.putBack(batch)
            throw error
        }
    }

    private func prune() async throws {
        ledger.resetEndedCount()
        try await flush()
        try await store.pruneJobs(
            keeping: JobLedger.maximumEndedCount,
            endedAfter: Date(wallClock.now() - JobLedger.maximumEndedAge))
    }
}
