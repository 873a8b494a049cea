package import Catalogue
package import LibraryCore
package import MediaCore

extension JobRunner {
    /// Priorities that operators may give to a job; jobs that nobody requested have 0.
    package static let priorities = -100...100

    // MARK: Cancelling

    /// Cancels an open job and returns when it has ended: a waiting one leaves the queue; a running one's task is
    /// cancelled, and its end awaited. A job that ends by itself meanwhile keeps its own outcome. Completed even if the
    /// calling task is cancelled.
    ///
    /// - Returns: false if there is no such job.
    /// - Throws: the error of recording the cancellation; the job then waits again.
    package func cancel(_ key: JobKey) async throws -> Bool {
        guard let task = cancellations[key]?.task ?? beginCancelling(key) else { return false }
        try await task.value
        return true
    }

    /// Takes a job out of the queue or cancels its task, and starts the task that does the rest. `cancellations` owns
    /// that task, and holds the job's place until it ends.
    private func beginCancelling(_ key: JobKey) -> Task<Void, any Error>? {
        guard let kind = kinds[key.kind], let record = ledger.open[key] else { return nil }
        let job = queue.remove(key) ?? running[key]?.job ?? kind.job(key, of: record)
        running[key]?.task?.cancel()
        lastCancellation += 1
        let number = lastCancellation
        let task = Task { try await completeCancellation(number, of: job, kind) }
        cancellations[key] = Cancellation(number: number, job: job, task: task)
        return task
    }

    private func completeCancellation(_ number: UInt64, of job: LibraryJob, _ kind: any LibraryJobKind) async throws {
        let key = job.key
        // A job that ends by itself takes its cancellation back (`finished(_:_:)`), and then another job of the same
        // key may be there. So this is looked at before and after the wait.
        guard cancellations[key]?.number == number else { return }
        if running[key] != nil { await withCheckedContinuation { running[key]?.end = $0 } }
        guard cancellations[key]?.number == number else { return }
        // From here on the job neither waits nor runs, and nobody can add, start or end it, because `cancellations`
        // holds its place.
        defer { tellObservers() }
        do {
            try await kind.cancelled(job)
        } catch {
            cancellations[key] = nil
            ledger.change(key) { $0.state = .queued }
            put(job, priority: ledger.open[key]?.priority ?? 0)
            throw error
        }
        ledger.end(key, JobEnding(.cancelled))
        cancellations[key] = nil
    }

    /// Cancels all jobs of a title or track.
    package func cancelJobs(of id: String, in section: LibrarySection) async throws {
        for key in openKeys(of: id, in: section) { _ = try await cancel(key) }
    }

    // MARK: What operators ask for

    /// Cancels a job.
    ///
    /// - Returns: the job's record after that; `nil` if there is no job with that number.
    /// - Throws: `LibraryError` if the job has ended already.
    package func cancel(number: Int64) async throws -> JobRecord? {
        guard let record = try await job(number: number) else { return nil }
        guard let key = ledger.key(ofNumber: number), try await cancel(key) else {
            throw LibraryError(.notPossible, "the job has ended already: it is \(record.state.rawValue)")
        }
        try await flush()
        return try await job(number: number)
    }

    /// Retries a job that failed or was cancelled.
    ///
    /// - Returns: the job's record; `nil` if there is no job with that number.
    /// - Throws: `LibraryError` if there is nothing to do, or if the queue is full.
    package func retry(number: Int64) async throws -> JobRecord? {
        guard let record = try await job(number: number) else { return nil }
        guard record.state == .failed || record.state == .cancelled, let kind = kinds[record.kind],
            let key = kind.key(of: record)
        else {
            throw LibraryError(
                .notPossible,
                "only a job that has failed or was cancelled can be retried; it is \(record.state.rawValue)"
            )
        }
        guard hasRoom else { throw Self.fullError }
        guard try await kind.retry(kind.job(key, of: record)) else {
            throw LibraryError(
                .notPossible, "there is nothing to do: the file is already playable, is gone, or has another job")
        }
        // A scan may have added a job for the same file meanwhile, and another operator may have retried this one.
        guard let reopened = ledger.reopen(record, key) else {
            throw LibraryError(.notPossible, "there is another job for the same file")
        }
        put(Self.asked(kind.job(key, of: reopened)), priority: reopened.priority)
        try await flush()
        return try await job(number: number)
    }

    /// The error for a job for which the queue has no room.
    package static let fullError = LibraryError(
        .limitExceeded, "the job queue is full (\(maximumWaitingCount) jobs); try again later")

    /// Changes the priority of a job.
    ///
    /// - Parameters:
    ///   - number: the job's number.
    ///   - priority: the new priority, which is clamped to ``priorities``.
    /// - Returns: the job's record; `nil` if there is no job with that number.
    /// - Throws: `LibraryError` if the job has ended already.
    package func prioritize(number: Int64, _ priority: Int) async throws -> JobRecord? {
        guard let record = try await job(number: number) else { return nil }
        let priority = min(max(priority, Self.priorities.lowerBound), Self.priorities.upperBound)
        guard let key = ledger.key(ofNumber: number), kinds[key.kind] != nil else {
            throw LibraryError(.notPossible, "the job has ended already: it is \(record.state.rawValue)")
        }
        ledger.change(key) { $0.priority = priority }
        queue.move(key, toPriority: priority)
        let moved = ledger.open[key]
        try await flush()
        return moved
    }

    /// Adds a listener for job events.
    ///
    /// - Parameters:
    ///   - client: the client whose limit the listener counts towards.
    ///   - event: the last event that the listener has seen on an earlier connection; `nil` for none.
    /// - Throws: `LibraryError` when there are too many listeners.
    package func listen(by client: AddressGroup, after event: JobEvent.ID?) throws -> JobEventHub.Listener {
        try events.listen(by: client, after: event, snapshot: ledger.snapshot())
    }
    /// Number of listeners for job events.
    package nonisolated var listenerCount: Int { events.listenerCount }
}
