import Catalogue
import Foundation
import JobRunning
import LibraryCore
import Logging
import LogMetadata
import MediaCore
import MediaFolders
import MediaWorker
import NIOPosix

/// Makes thumbnails for seeking when there is nothing else to do, one title after the other. A title without them plays
/// all the same; a storyboard that failed is tried again after the next start.
actor StoryboardJob: LibraryJobKind {
    nonisolated let kind = JobKind.storyboard
    nonisolated let section: LibrarySection? = .titles

    private let context: LibraryContext
    private let known: KnownRecords
    private let worker: any WorkerRunning
    /// True if the last search may have left titles without a storyboard.
    private var hasMore = true
    /// The ``KnownRecords/readyCount(in:)`` of the last search; `nil` before the first one.
    private var searchedReadyCount: Int?
    /// Row number up to which titles have been searched.
    private var lastSearched: Int64 = 0
    /// Revisions of titles for which a storyboard has been tried, keyed by title ID.
    private var tried: [String: String] = [:]

    /// Interval between two searches for titles that need a storyboard.
    static let searchInterval = Duration.seconds(3)
    /// Limit on queued storyboards. Queued jobs are visible, and the remaining titles cost nothing.
    static let maximumQueuedCount = 10

    init(context: LibraryContext, known: KnownRecords, worker: any WorkerRunning) {
        self.context = context
        self.known = known
        self.worker = worker
    }

    nonisolated func firstLane(ofFile name: String) -> JobLane { .background }

    // MARK: Finding titles

    /// Searches at intervals until the task is cancelled.
    func search(in jobs: JobRunner) async {
        while !Task.isCancelled {
            try? await context.clock.sleep(for: Self.searchInterval)
            do {
                try await queueNext(in: jobs)
            } catch is CancellationError {
                return
            } catch {
                context.logger.warning(
                    "search for titles without a storyboard failed; will retry",
                    metadata: [.error: "\(FileErrorText(error))"])
            }
        }
    }

    /// Queues the storyboards of some titles that have none, if nothing else is to be done.
    func queueNext(in jobs: JobRunner) async throws {
        let readyCount = known.readyCount(in: .titles)
        guard hasMore || searchedReadyCount != readyCount, await jobs.isEmpty else { return }
        // A title that has become ready since may precede those that have been searched.
        if searchedReadyCount != readyCount { lastSearched = 0 }
        searchedReadyCount = readyCount
        let (titles, last) = try await context.catalogue.titlesWithoutStoryboard(
            after: lastSearched, limit: Self.maximumQueuedCount)
        hasMore = titles.count == Self.maximumQueuedCount
        lastSearched = hasMore ? last : 0
        for title in titles where tried[title.id] != title.revision {
            await jobs.enqueue(JobRequest(kind, subject: title.id, fileName: title.file))
        }
    }

    // MARK: The job

    func perform(_ job: LibraryJob, in run: JobRun) async throws -> JobOutcome {
        guard let record = try await context.catalogue.title(id: job.id), record.storyboard == nil,
            record.state == .ready, let media = record.mediaPath, let duration = record.duration
        else { return .superseded }
        if tried.count >= MediaFolder.maximumFileCount { tried = [:] }
        tried[record.id] = record.revision
        let derived = context.derived
        let folder = derived.path(.storyboards, id: record.id, revision: record.revision, ending: "")
        try await context.threadPool.runIfActive { try derived.makeFolder(folder) }
        do {
            _ = try await run.withProgress { [worker] report in
                try await worker.run(
                    WorkerRequest(
                        task: .image(.storyboard(folder: folder, duration: duration, version: record.revision)),
                        input: media, limits: .images), onProgress: report)
            }
        } catch {
            await context.deleteDerived([folder])
            throw error
        }
        let kept = try await context.catalogue.changeImages(ofTitle: record.id, revision: record.revision) {
            $0.storyboard = folder
        }
        guard kept == nil else { return .ready }
        // The title was deleted or replaced while the storyboard was being made.
        await context.deleteDerived([folder])
        return .superseded
    }

    func isStillWanted(_ job: LibraryJob) async throws -> Bool {
        try await context.catalogue.title(id: job.id).map { $0.state == .ready && $0.storyboard == nil } ?? false
    }

    func outcomeOnRestart(of job: LibraryJob) async throws -> JobEnding {
        try await context.titleEnding(id: job.id)
    }
}
