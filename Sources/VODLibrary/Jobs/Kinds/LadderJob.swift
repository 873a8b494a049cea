import Catalogue
import Foundation
import JobRunning
import LibraryCore
import Logging
import LogMetadata
import MediaCore
import MediaWorker
import NIOPosix

/// Makes adaptive-bitrate ladders of titles that already play: of every title if the configuration says so, and when an
/// operator asks for one.
///
/// The files on disk are the record of finished work (``LadderStore``); the actor's state says what has been read of
/// them. Only the title's job, of which there is one at a time, completes a ladder; whatever changes a ladder otherwise
/// ends that job first.
actor LadderJob: LibraryJobKind {
    nonisolated let kind = JobKind.ladder
    nonisolated let section: LibrarySection? = .titles
    /// A ladder takes hours, during which a replaced file has to be noticed.
    nonisolated let holdsFile = false

    let context: LibraryContext
    let worker: any WorkerRunning
    nonisolated let store: LadderStore
    /// The ladder that is made of every title; replaced when the configuration changes.
    private(set) var policy: LadderPolicy
    /// Complete ladders, keyed by title ID.
    private(set) var finished: [String: LadderStore.Folder] = [:]
    /// Titles whose ladder failed or that an operator wants without one: no ladder is made automatically.
    private var declined: Set<String> = []
    /// The requests of waiting and running ladder jobs, keyed by title ID.
    private(set) var chosen: [String: LadderRequest] = [:]

    init(context: LibraryContext, worker: any WorkerRunning) {
        self.context = context
        self.worker = worker
        store = LadderStore(dataDirectory: context.configuration.dataDirectory)
        policy = context.configuration.ladder
    }

    nonisolated func firstLane(ofFile name: String) -> JobLane { .ladder }
    nonisolated func itemState(in lane: JobLane) -> TitleState { .transcoding }

    // MARK: By the configuration

    /// Applies another policy. Missing ladders of ready titles are made; existing ones stay, and running jobs continue.
    func use(_ policy: LadderPolicy, in jobs: JobRunner) async throws {
        guard policy != self.policy else { return }
        self.policy = policy
        try await queueAll(in: jobs)
    }

    /// Queues the ladders that the configuration asks for.
    func queueAll(in jobs: JobRunner) async throws {
        guard !policy.presets.isEmpty else { return }
        try await context.catalogue.forEachBatchOfTitles { batch in
            for title in batch { await queue(for: title, in: jobs) }
        }
    }

    /// Queues the ladder that the configuration asks for, unless the title has one or is to have none.
    func queue(for record: TitleRecord, in jobs: JobRunner) async {
        guard !policy.presets.isEmpty, record.state == .ready, record.videoCodec != nil,
            finished[record.id] == nil, !declined.contains(record.id)
        else { return }
        await jobs.enqueue(JobRequest(kind, subject: record.id, fileName: record.file))
    }

    // MARK: By request

    /// Queues the ladder that an operator asks for, in place of one that is being made with other presets. Finished
    /// chunks of the same request are reused.
    ///
    /// - Throws: `LibraryError` if the queue is full.
    func queue(
        _ request: LadderRequest, of record: TitleRecord, parameters: String, in jobs: JobRunner
    ) async throws {
        let key = JobKey(kind: kind, subject: record.id)
        if finished[record.id] == store.folder(titleID: record.id, revision: record.revision, key: request.key) {
            _ = try await jobs.cancel(key)
            return await clearEnding(ofTitle: record.id)
        }
        // Another client may request something else at the same time.
        for _ in 0..<Self.maximumAttemptCount {
            if let open = await jobs.openRecord(key) {
                if open.parameters == parameters { return }
                _ = try await jobs.cancel(key)
                continue
            }
            await clearEnding(ofTitle: record.id)
            chosen[record.id] = request
            let new = JobRequest(kind, subject: record.id, fileName: record.file, parameters: parameters)
            guard let queued = await jobs.enqueue(new) else {
                chosen[record.id] = nil
                throw JobRunner.fullError
            }
            if queued.parameters == parameters { return }
        }
    }

    private static let maximumAttemptCount = 10

    /// Cancels the ladder that is being made, or deletes the finished one if none is being made.
    func drop(_ record: TitleRecord, in jobs: JobRunner) async throws {
        guard try await !jobs.cancel(JobKey(kind: kind, subject: record.id)) else { return }
        finished[record.id] = nil
        if let path = record.mediaPath { await context.cache.setLadder(nil, path: path) }
        await deleteFolders(ofTitle: record.id, except: nil)
        declined.remove(record.id)
        // Otherwise the ladder would be made again at the next start.
        if !policy.presets.isEmpty { await noteEnding(.dropped, ofTitle: record.id) }
    }

    /// Deletes the ladders of a title that was removed or whose file was replaced.
    func deleteLadders(ofTitle id: String, mediaPath: String?, in jobs: JobRunner) async throws {
        _ = try await jobs.cancel(JobKey(kind: kind, subject: id))
        finished[id] = nil
        declined.remove(id)
        if let mediaPath { await context.cache.setLadder(nil, path: mediaPath) }
        await deleteFolders(ofTitle: id, except: nil)
    }

    /// Returns whether somebody asked for a ladder of a title or dropped it; those that every title gets do not count.
    func hasChoice(_ id: String) -> Bool {
        chosen[id] != nil || declined.contains(id) || finished[id] != nil && policy.presets.isEmpty
    }

    // MARK: What there is

    /// Deletes a title's ladders, complete or not.
    func deleteFolders(ofTitle id: String, except kept: LadderStore.Folder?) async {
        let store = store
        try? await deleteFolders { store.folders(ofTitle: id).filter { $0 != kept } }
    }

    /// Deletes folders of ladders on this machine, and what lies of them in the media store. Every deletion of a ladder
    /// comes here.
    ///
    /// - Parameters:
    ///   - chosen: returns the folders; it may block.
    ///   - next: is called when the folders are gone from this machine; it may block.
    /// - Throws: what `next` throws.
    func deleteFolders(
        _ chosen: @escaping @Sendable () -> [LadderStore.Folder], then next: @escaping @Sendable () throws -> Void = {}
    ) async throws {
        let store = store
        let (paths, result) = try await context.threadPool.runIfActive {
            let folders = chosen()
            for folder in folders { store.delete(folder) }
            return (folders.map(\.path), Result { try next() })
        }
        await context.deleteStored(paths)
        try result.get()
    }

    func choose(_ request: LadderRequest, forTitle id: String) { chosen[id] = request }

    /// Offers a complete ladder to viewers, in place of the one that the title had.
    func finish(_ manifest: LadderManifest, in folder: LadderStore.Folder, path: String) async {
        await publish(manifest, in: folder, path: path)
        chosen[folder.titleID] = nil
        declined.remove(folder.titleID)
        await deleteFolders(ofTitle: folder.titleID, except: folder)
    }

    private func publish(_ manifest: LadderManifest, in folder: LadderStore.Folder, path: String) async {
        finished[folder.titleID] = folder
        let ladder =
            manifest.movies.isEmpty
            ? nil
            : TitleIndexCache.Ladder { [files = context.files, threads = context.threads] in
                try await manifest.movies(in: folder, files: files, threads: threads)
            }
        await context.cache.setLadder(ladder, path: path)
    }

    // MARK: How it ended

    /// Stores how a ladder ended, beside the existing one, so that it is not tried again automatically. Deletes what
    /// was made of it.
    func noteEnding(_ ending: LadderManifest.Ending, ofTitle id: String, error: String? = nil) async {
        guard let record = try? await context.catalogue.title(id: id) else { return }
        let request = chosen[id] ?? LadderRequest(encoder: policy.encoder)
        chosen[id] = nil
        declined.insert(id)
        var manifest = LadderManifest(request: request, movies: [])
        manifest.ending = ending
        manifest.error = error
        let (store, ended, kept) = (store, manifest, finished[id])
        let folder = store.folder(titleID: id, revision: record.revision, key: ending.rawValue)
        do {
            try await deleteFolders {
                store.folders(ofTitle: id).filter { $0 != kept }
            } then: {
                try store.finish(ended, in: folder)
            }
        } catch {
            context.logger.error(
                "outcome of a ladder job could not be recorded",
                metadata: [.titleID: "\(id)", .error: "\(FileErrorText(error))"])
        }
    }

    /// The ending of the title's last ladder if it failed or was cancelled; `nil` if it is complete, or was never
    /// begun.
    private func ending(ofTitle id: String) async throws -> JobEnding? {
        guard let record = try await context.catalogue.title(id: id) else { return nil }
        let store = store
        let last = try await context.threadPool.runIfActive {
            store.lastManifest(ofTitle: id, revision: record.revision)
        }
        switch last?.ending {
        case .failed: return JobEnding(.failed, error: last?.error)
        case .cancelled, .dropped: return JobEnding(.cancelled, error: last?.error)
        case .ready, nil: return nil
        }
    }

    /// Deletes the record of a failure or cancellation, because the ladder is requested again.
    private func clearEnding(ofTitle id: String) async {
        declined.remove(id)
        let (store, kept) = (store, finished[id])
        try? await deleteFolders {
            store.folders(ofTitle: id).filter { $0 != kept && store.manifest(in: $0) != nil }
        }
    }

    // MARK: Restart, cancel, retry

    /// The IDs of the titles that have a folder on the disk, complete or not.
    func titlesOnDisk() async throws -> Set<String> {
        let store = store
        return try await context.threadPool.runIfActive { Set(store.folders().map(\.titleID)) }
    }

    /// Finds the existing ladders after a start, and deletes those that belong to no title and no job.
    ///
    /// - Parameters:
    ///   - titles: at least the titles whose IDs are in `onDisk`, unless they are gone.
    ///   - onDisk: what ``titlesOnDisk()`` gave before the titles were read. Newer folders are left alone.
    func resume(_ titles: [TitleRecord], onDisk: Set<String>, in jobs: JobRunner) async throws {
        let store = store
        let records = Dictionary(titles.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let busy = await jobs.openSubjects(of: kind)
        let isKnown = { @Sendable (folder: LadderStore.Folder) in
            records[folder.titleID]?.revision == folder.revision
        }
        try await deleteFolders {
            store.folders().filter { folder in
                onDisk.contains(folder.titleID)
                    && (!isKnown(folder) || store.manifest(in: folder) == nil && !busy.contains(folder.titleID))
            }
        }
        let found = try await context.threadPool.runIfActive {
            store.folders().filter { onDisk.contains($0.titleID) && isKnown($0) }
                .sorted { store.age(of: $0) < store.age(of: $1) }
                .compactMap { folder in store.manifest(in: folder).map { (folder: folder, manifest: $0) } }
        }
        for (folder, manifest) in found {
            guard manifest.ending == .ready else {
                // A ladder that was completed after that takes precedence.
                if finished[folder.titleID] == nil { declined.insert(folder.titleID) }
                continue
            }
            guard let path = records[folder.titleID]?.mediaPath else { continue }
            // The server was killed after the second ladder was complete and before the first one was deleted.
            if finished[folder.titleID] != nil {
                try await deleteFolders { [folder] }
                continue
            }
            await publish(manifest, in: folder, path: path)
        }
    }

    func isStillWanted(_ job: LibraryJob) async throws -> Bool {
        guard try await ending(ofTitle: job.id) == nil else { return false }
        return try await context.catalogue.title(id: job.id)?.state == .ready
    }

    func outcomeOnRestart(of job: LibraryJob) async throws -> JobEnding {
        try await ending(ofTitle: job.id) ?? .superseded
    }

    func cancelled(_ job: LibraryJob) async throws { await noteEnding(.cancelled, ofTitle: job.id) }

    func retry(_ job: LibraryJob) async throws -> Bool {
        await clearEnding(ofTitle: job.id)
        return try await isStillWanted(job)
    }
}
