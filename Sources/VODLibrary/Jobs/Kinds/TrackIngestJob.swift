import Catalogue
import JobRunning
import LibraryCore
import MediaFolders
import MediaWorker
import NIOPosix

/// Makes radio tracks playable, and reads their tags and covers.
struct TrackIngestJob: LibraryJobKind {
    let kind = JobKind.track
    let section: LibrarySection? = .tracks

    private let context: LibraryContext
    private let known: KnownRecords
    private let results: IngestResults
    private let worker: any WorkerRunning

    init(context: LibraryContext, known: KnownRecords, scans: ScanRequests, worker: any WorkerRunning) {
        self.context = context
        self.known = known
        results = IngestResults(context: context, known: known, scans: scans)
        self.worker = worker
    }

    func firstLane(ofFile name: String) -> JobLane { .short }

    func perform(_ job: LibraryJob, in run: JobRun) async throws -> JobOutcome {
        let elapsed = context.clock.stopwatch()
        let folder = context.folder(.tracks)
        guard let record = try await context.catalogue.track(id: job.id),
            let file = try await context.threadPool.runIfActive({ folder.file(named: record.file) })
        else { return .superseded }
        let ingest = TrackIngest(
            record: record, file: file, derived: context.derived, cache: context.cache, worker: worker,
            threadPool: context.threadPool)
        let wasForbidden = try await results.isForbidden(file)
        var result = record
        do {
            result = try await run.withProgress { report in try await ingest.run(onProgress: report) }
        } catch let error as CancellationError {
            throw error
        } catch let error where DescriptorShortage.isCause(of: error) {
            throw error
        } catch {
            guard try await results.isStillThere(record.file, in: .tracks) else { return .superseded }
            result.state = .failed
            result.error = results.failureText(error, file: file)
        }
        result.describe(file)
        if result.state == .failed, try await results.isForbidden(file) || wasForbidden {
            result.revision = file.unreadableRevision
        }
        result.ingestSeconds = elapsed()
        guard let result = try await results.write(result, insteadOf: record) else {
            await context.deleteDerived([result.mediaPath, result.cover])
            return .superseded
        }
        results.log(file: result.file, id: result.id, error: result.error, seconds: result.ingestSeconds)
        return .ended(JobEnding(JobState(result.state), error: result.error))
    }

    // MARK: Restart, cancel, retry

    func isStillWanted(_ job: LibraryJob) async throws -> Bool {
        try await context.catalogue.track(id: job.id).map { !$0.state.isFinal } ?? false
    }

    func outcomeOnRestart(of job: LibraryJob) async throws -> JobEnding {
        try await context.catalogue.track(id: job.id).map { JobEnding(JobState($0.state), error: $0.error) }
            ?? JobEnding(.cancelled, error: "the file is gone")
    }

    /// The track's record says so, too; otherwise the next scan of the folder would begin again.
    func cancelled(_ job: LibraryJob) async throws {
        guard var track = try await context.catalogue.track(id: job.id), !track.state.isFinal else { return }
        track.state = .cancelled
        track.error = IngestResults.cancellationText(ofFile: job.fileName)
        if try await context.catalogue.update(track, from: track.revision) { known.note(track, in: .tracks) }
    }

    func retry(_ job: LibraryJob) async throws -> Bool {
        guard var track = try await context.catalogue.track(id: job.id), track.state.mayBeRetried else { return false }
        track.state = .queued
        track.error = nil
        guard try await context.catalogue.update(track, from: track.revision) else { return false }
        known.note(track, in: .tracks)
        return true
    }
}
