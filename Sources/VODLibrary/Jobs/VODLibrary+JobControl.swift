package import Catalogue
import Foundation
package import MediaCore

/// How a job came to its end.
enum JobOutcome: Sendable {
    case ended(JobState, error: String? = nil)
    /// Another job goes on with it.
    case handedOver

    /// What it was for has gone, or changed under its hands and has another job now.
    static let moot = ended(.cancelled, error: "its file has gone or been replaced")
}

extension VODLibrary {
    /// What operators may give a job; files that nobody asked for have 0.
    package static let priorities = -100...100

    // MARK: Doing

    /// Puts a job into the queue, with its number and its place in the catalogue.
    ///
    /// - Parameter parameters: what exactly is asked for; a job that is there already keeps its own.
    func enqueue(_ job: IngestJob, parameters: String? = nil) async {
        let (record, isNew) = await ledger.opened(job, parameters: parameters)
        let isQueued = await queue.add(job, priority: record.priority)
        // A full queue loses nothing: the next look at the folder brings it again.
        if isNew, !isQueued, await !queue.holds(job) { await ledger.withdrew(job) }
    }

    /// Does a job so that it can be ended by itself.
    func perform(_ job: IngestJob) async throws {
        let task = Task { try await carryOut(job) }
        runningTasks[job] = task
        defer { runningTasks[job] = nil }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Brings back the jobs that a kill or a shutdown cut off, in their order.
    func takeUpJobs() async throws {
        for record in try await ledger.takeUp() {
            guard let job = ingestJob(for: record) else { continue }
            if try await isWanted(job) {
                await queue.add(job, priority: record.priority)
            } else {
                let (state, error) = try await ending(of: job)
                await ledger.ended(job, as: state, error: error)
            }
        }
    }

    private func isWanted(_ job: IngestJob) async throws -> Bool {
        switch job.task {
        case .indexing, .conversion: try await catalogue.title(id: job.id).map { !$0.state.isFinal } ?? false
        case .track: try await catalogue.track(id: job.id).map { !$0.state.isFinal } ?? false
        case .poster:
            try await catalogue.title(id: job.id).map { $0.needsPoster(in: derived) } ?? false
        case .storyboard:
            try await catalogue.title(id: job.id).map { $0.state == .ready && $0.storyboard == nil } ?? false
        case .download: true
        case .ladder:
            try await ladderEnding(ofTitle: job.id) == nil ? catalogue.title(id: job.id)?.state == .ready : false
        }
    }

    /// Of a job whose end the catalogue knows, though the job's own record was not written any more.
    private func ending(of job: IngestJob) async throws -> (JobState, String?) {
        let gone = (JobState.cancelled, "its file has gone" as String?)
        guard job.task != .ladder else {
            return try await ladderEnding(ofTitle: job.id) ?? (.cancelled, "its file has gone or been replaced")
        }
        guard job.task != .track else {
            return try await catalogue.track(id: job.id).map { (JobState($0.state), $0.error) } ?? gone
        }
        return try await catalogue.title(id: job.id).map { (JobState($0.state), $0.error) } ?? gone
    }

    /// `nil` for a kind that this version does not know.
    func ingestJob(for record: JobRecord) -> IngestJob? {
        switch record.kind {
        case .download: IngestJob(task: .download, id: "\(record.number)", fileName: record.file)
        case .ladder: record.subject.map { IngestJob(task: .ladder, id: $0, fileName: record.file) }
        case .poster: record.subject.map { IngestJob(task: .poster, id: $0, fileName: record.file) }
        case .storyboard: record.subject.map { IngestJob(task: .storyboard, id: $0, fileName: record.file) }
        case .track: record.subject.map { IngestJob(section: .tracks, id: $0, fileName: record.file) }
        case .title: record.subject.map { IngestJob(section: .titles, id: $0, fileName: record.file) }
        default: nil
        }
    }

    // MARK: What operators ask for

    package func job(number: Int64) async throws -> JobRecord? { try await ledger.job(number: number) }

    /// Newest first.
    package func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<JobRecord> {
        try await ledger.page(matching: query, after: cursor, limit: limit)
    }

    /// What is going on and what waits, to be shown at a glance.
    package func openJobs() async -> [JobRecord] { await ledger.snapshot() }

    /// - Parameters:
    ///   - client: whose limit the listener counts towards.
    ///   - event: the last that the listener has seen, if any.
    /// - Throws: ``LibraryError``
    package func listenToJobs(
        by client: AddressGroup = AddressGroup(nil), after event: JobEvent.ID?
    ) async throws -> JobEventHub.Listener {
        try await ledger.listen(by: client, after: event)
    }

    package nonisolated var jobListenerCount: Int { ledger.events.listenerCount }

    /// Ends a job: one that waits is taken out of the queue, a running one's worker is killed and its files deleted.
    ///
    /// - Returns: the job as it is then; `nil` where there is none of that number.
    /// - Throws: ``LibraryError`` where it has ended already.
    package func cancelJob(number: Int64) async throws -> JobRecord? {
        guard let record = try await ledger.job(number: number) else { return nil }
        guard !record.state.isFinal, let first = ingestJob(for: record) else {
            throw LibraryError(.notPossible, "the job has ended already: it is \(record.state.rawValue)")
        }
        // To its end, whatever becomes of who asked.
        return try await Task {
            // A job that is on its way from the queue to its worker, or from one stage to the next, is in neither place.
            for _ in 0..<Self.maximumCancellationAttemptCount {
                if try await end(stages(of: first)) { break }
                try await clock.sleep(for: .milliseconds(10))
            }
            try await ledger.flush()
            return try await ledger.job(number: number)
        }.value
    }

    private static let maximumCancellationAttemptCount = 20

    /// - Returns: false where none of the stages waits or runs.
    func end(_ stages: [IngestJob]) async throws -> Bool {
        for job in stages {
            if await queue.remove(job) {
                try await noteCancellation(of: job)
                return true
            }
            guard let task = runningTasks[job] else { continue }
            task.cancel()
            _ = await task.result
            await untilReleased(job)
            guard await ledger.isOpen(job) else { return true }
            // Handed over at the last moment: the next stage is where it waits.
            if job != stages.last, await queue.holds(stages[stages.count - 1]) { continue }
            try await noteCancellation(of: job)
            return true
        }
        return false
    }

    /// The queue takes a job again only when the worker that did it has let go of it, which is a matter of moments.
    private func untilReleased(_ job: IngestJob) async {
        for _ in 0..<Self.maximumReleaseAttemptCount {
            guard await queue.isRunning(job) else { return }
            try? await clock.sleep(for: .milliseconds(1))
        }
    }

    private static let maximumReleaseAttemptCount = 100

    /// A title may have been looked at already and wait for its conversion.
    func stages(of job: IngestJob) -> [IngestJob] {
        guard job.task == .indexing else { return [job] }
        return [job, IngestJob(task: .conversion, id: job.id, fileName: job.fileName)]
    }

    /// The record says so, too: otherwise the next scan of the folder would begin again.
    func noteCancellation(of job: IngestJob) async throws {
        let advice = "retry the job with \"antena jobs retry\", or replace the file"
        let reason = "\(job.fileName): stopped by an operator; \(advice)"
        switch job.task {
        case .indexing, .conversion:
            if var title = try await catalogue.title(id: job.id), !title.state.isFinal {
                title.state = .cancelled
                title.progress = nil
                title.error = reason
                if try await catalogue.update(title, from: title.revision) { note(title, in: .titles) }
            }
        case .track:
            if var track = try await catalogue.track(id: job.id), !track.state.isFinal {
                track.state = .cancelled
                track.error = reason
                if try await catalogue.update(track, from: track.revision) { note(track, in: .tracks) }
            }
        case .download:
            if let number = Int64(job.id) { await forgetDownload(number) }
        case .ladder: await noteLadderEnding(.cancelled, ofTitle: job.id)
        case .poster, .storyboard: break
        }
        await ledger.ended(job, as: .cancelled)
    }

    /// Begins a job again that has failed or was cancelled.
    ///
    /// - Returns: `nil` where there is none of that number.
    /// - Throws: ``LibraryError`` where there is nothing to be done.
    package func retryJob(number: Int64) async throws -> JobRecord? {
        guard let record = try await ledger.job(number: number) else { return nil }
        guard record.state == .failed || record.state == .cancelled, let job = ingestJob(for: record) else {
            throw LibraryError(
                .notPossible,
                "only a job that has failed or was cancelled can be retried; it is \(record.state.rawValue)"
            )
        }
        guard try await makeWanted(job) else {
            throw LibraryError(
                .notPossible, "there is nothing to be done: its file plays, has gone, or has another job")
        }
        guard let reopened = await ledger.reopened(record) else {
            throw LibraryError(.notPossible, "there is another job for the same file")
        }
        await queue.add(job, priority: reopened.priority)
        try await ledger.flush()
        return try await ledger.job(number: number)
    }

    private func makeWanted(_ job: IngestJob) async throws -> Bool {
        switch job.task {
        case .indexing, .conversion:
            guard var title = try await catalogue.title(id: job.id), title.state.mayBeRetried else { return false }
            title.state = .queued
            title.error = nil
            guard try await catalogue.update(title, from: title.revision) else { return false }
            note(title, in: .titles)
            return true
        case .track:
            guard var track = try await catalogue.track(id: job.id), track.state.mayBeRetried else { return false }
            track.state = .queued
            track.error = nil
            guard try await catalogue.update(track, from: track.revision) else { return false }
            note(track, in: .tracks)
            return true
        case .ladder:
            await clearLadderEnding(ofTitle: job.id)
            return try await isWanted(job)
        case .poster, .storyboard, .download: return try await isWanted(job)
        }
    }

    /// - Parameter priority: brought into ``priorities``.
    /// - Returns: `nil` where there is none of that number.
    /// - Throws: ``LibraryError`` where it has ended already.
    package func prioritizeJob(number: Int64, _ priority: Int) async throws -> JobRecord? {
        guard let record = try await ledger.job(number: number) else { return nil }
        let priority = min(max(priority, Self.priorities.lowerBound), Self.priorities.upperBound)
        guard let first = ingestJob(for: record), let moved = await ledger.moved(number, toPriority: priority) else {
            throw LibraryError(.notPossible, "the job has ended already: it is \(record.state.rawValue)")
        }
        for job in stages(of: first) { await queue.move(job, toPriority: priority) }
        try await ledger.flush()
        return moved
    }
}
