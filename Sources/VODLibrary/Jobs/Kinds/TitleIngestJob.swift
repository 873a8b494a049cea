import Catalogue
import Database
import Foundation
import JobRunning
import LibraryCore
import Logging
import LogMetadata
import MediaCore
import MediaFolders
import MediaWorker
import NIOPosix

/// Makes titles playable: first by indexing the file, then, if HLS does not carry its codecs, by converting it. Both
/// are stages of one job. Posters and ladders follow.
actor TitleIngestJob: LibraryJobKind {
    nonisolated let kind = JobKind.title
    nonisolated let section: LibrarySection? = .titles

    private let context: LibraryContext
    private let known: KnownRecords
    private let results: IngestResults
    private let worker: any WorkerRunning
    private let posters: PosterJob
    private let ladders: LadderJob
    /// Titles that were ready at once, and whose posters and ladders have not been queued.
    private var awaiting: [TitleRecord] = []

    init(
        context: LibraryContext, known: KnownRecords, scans: ScanRequests, worker: any WorkerRunning,
        posters: PosterJob, ladders: LadderJob
    ) {
        self.context = context
        self.known = known
        results = IngestResults(context: context, known: known, scans: scans)
        self.worker = worker
        self.posters = posters
        self.ladders = ladders
    }

    nonisolated func firstLane(ofFile name: String) -> JobLane { Self.mayPlayInPlace(name) ? .indexing : .conversion }

    nonisolated func itemState(in lane: JobLane) -> TitleState { lane == .indexing ? .indexing : .transcoding }

    private static func mayPlayInPlace(_ name: String) -> Bool {
        MediaKind.movieExtensions.contains(MediaKind.fileExtension(of: name))
    }

    // MARK: At once

    /// Ingests a movie that can be packaged without conversion and whose index is read in one go. It is written to the
    /// catalogue as ready with a single write, while a job has two, and a wait in the queue between them.
    ///
    /// - Returns: `nil` for all other files, including damaged ones; their job says what is wrong.
    func ingestAtOnce(_ file: FoundFile, in jobs: JobRunner) async throws -> TitleRecord? {
        let elapsed = context.clock.stopwatch()
        let startedAt = Date(context.wallClock.now())
        try await known.read(from: context.catalogue)
        guard known.record(ofFile: file.name, in: .titles) == nil, Self.mayPlayInPlace(file.name) else { return nil }
        let details = try await context.details(of: file, in: .titles)
        var record = TitleRecord(of: file, described: details, addedAt: Date(context.wallClock.now()))
        guard let title = try? await ingest(of: record, file: file).index(onlyAtOnce: true) else { return nil }
        // As for all other records, the ID is derived from the file's name, not from the title inside the file.
        record.id = record.title
        record.becomeReady(title)
        record.ingestSeconds = elapsed()
        await context.cache.offer(title.packaged, path: title.path)
        // A power cut before the next scan loses the entry, and that scan finds the file again.
        record = try await context.catalogue.add(record, durability: .soon)
        // The file may have been registered at the same time; then the record is that of its job, or its job's result.
        known.noteUnlessKnown(record, in: .titles)
        let request = JobRequest(kind, subject: record.id, fileName: record.file)
        if !record.state.isFinal { await jobs.enqueue(request) }
        awaiting.append(record)
        await jobs.recordDone(request, startedAt: startedAt)
        results.log(file: record.file, id: record.id, error: record.error, seconds: record.ingestSeconds)
        return record
    }

    /// Queues the posters and ladders of titles that were ready at once, and makes their entries durable. A starting
    /// worker occupies the machine for some milliseconds, which should belong to the first viewer, so this is done at
    /// the next scan of the folder.
    func queueAwaited(in jobs: JobRunner) async throws {
        try await posters.queuePostponed(in: jobs)
        guard !awaiting.isEmpty else { return }
        // Taken before the first wait, so that two calls at the same time do not queue them twice.
        let titles = awaiting
        awaiting = []
        try await context.catalogue.makeDurable()
        for title in titles { await queueFollowing(title, in: jobs) }
    }

    private func queueFollowing(_ record: TitleRecord, in jobs: JobRunner) async {
        await posters.queue(for: record, in: jobs)
        await ladders.queue(for: record, in: jobs)
    }

    /// Queues the poster of a title if it needs another one.
    func queuePoster(ofTitle id: String, in jobs: JobRunner) async throws {
        guard let title = try await context.catalogue.title(id: id) else { return }
        await posters.queue(for: title, in: jobs)
    }

    // MARK: By a job

    /// Ingests a title. The time from here until the record has been written, which is one write, is what a user waits
    /// for.
    func perform(_ job: LibraryJob, in run: JobRun) async throws -> JobOutcome {
        let elapsed = context.clock.stopwatch()
        let folder = context.folder(.titles)
        guard let record = try await context.catalogue.title(id: job.id),
            let file = try await context.threadPool.runIfActive({ folder.file(named: record.file) })
        else { return .superseded }
        let ingest = ingest(of: record, file: file)
        let wasForbidden = try await results.isForbidden(file)
        var result = record
        result.describe(file)
        result.progress = nil
        do {
            let title =
                job.lane == .indexing
                ? try await ingest.index(onRefusal: { error in await note("\(error)", file: file, in: run) })
                : try await run.withProgress { report in try await ingest.convert(onProgress: report) }
            guard let title else { return .continues(in: .conversion) }
            result.becomeReady(title)
            if let reason = title.note { await note(reason, file: file, in: run) }
            await context.cache.offer(title.packaged, path: title.path)
        } catch let error as CancellationError {
            throw error
        } catch let error where DescriptorShortage.isCause(of: error) {
            throw error
        } catch {
            guard try await results.isStillThere(record.file, in: .titles) else { return .superseded }
            result.state = .failed
            result.error = results.failureText(error, file: file)
            if try await results.isForbidden(file) || wasForbidden { result.revision = file.unreadableRevision }
        }
        result.ingestSeconds = elapsed()
        return try await keep(result, insteadOf: record, in: run)
    }

    private func ingest(of record: TitleRecord, file: FoundFile) -> TitleIngest {
        TitleIngest(
            record: record, file: file, derived: context.derived, cache: context.cache, worker: worker,
            threadPool: context.threadPool)
    }

    private nonisolated func note(_ reason: String, file: FoundFile, in run: JobRun) async {
        await run.note(
            FailureText(reason: reason, file: file, directories: context.configuration.ownDirectories).description)
    }

    private func keep(
        _ result: TitleRecord, insteadOf record: TitleRecord, in run: JobRun
    ) async throws -> JobOutcome {
        guard let result = try await results.write(result, insteadOf: record) else {
            // The title was deleted or replaced while it was being processed.
            await context.deleteDerived(result.pathsInUse.filter { !record.pathsInUse.contains($0) })
            return .superseded
        }
        if let leftOut = result.leftOut {
            context.logger.info(
                "some tracks of a file are left out of its title",
                metadata: [.titleID: "\(result.id)", .titleFile: "\(result.file)", .error: "\(leftOut)"])
        }
        results.log(file: result.file, id: result.id, error: result.error, seconds: result.ingestSeconds)
        await queueFollowing(result, in: run.jobs)
        return .ended(JobEnding(JobState(result.state), error: result.error))
    }

    // MARK: Restart, cancel, retry

    func isStillWanted(_ job: LibraryJob) async throws -> Bool {
        try await context.catalogue.title(id: job.id).map { !$0.state.isFinal } ?? false
    }

    func outcomeOnRestart(of job: LibraryJob) async throws -> JobEnding {
        try await context.titleEnding(id: job.id)
    }

    /// The title's record says so, too; otherwise the next scan of the folder would begin again.
    func cancelled(_ job: LibraryJob) async throws {
        guard var title = try await context.catalogue.title(id: job.id), !title.state.isFinal else { return }
        title.state = .cancelled
        title.progress = nil
        title.error = IngestResults.cancellationText(ofFile: job.fileName)
        if try await context.catalogue.update(title, from: title.revision) { known.note(title, in: .titles) }
    }

    func retry(_ job: LibraryJob) async throws -> Bool {
        guard var title = try await context.catalogue.title(id: job.id), title.state.mayBeRetried else { return false }
        title.state = .queued
        title.error = nil
        guard try await context.catalogue.update(title, from: title.revision) else { return false }
        known.note(title, in: .titles)
        return true
    }
}

extension LibraryContext {
    /// The ending of a title's job that is known from the title's record.
    func titleEnding(id: String) async throws -> JobEnding {
        try await catalogue.title(id: id).map { JobEnding(JobState($0.state), error: $0.error) }
            ?? JobEnding(.cancelled, error: "the file is gone")
    }
}
