import Catalogue
import Codecs
import Foundation
import Glibc
import Logging
import MediaCore
import NIOPosix
import Packaging
import Transcoding

/// The ladder that is made of every title automatically.
package struct LadderPolicy: Sendable, Hashable {
    /// The presets for every title that becomes ready; empty for no ladder.
    package var presets: [LadderPreset]
    /// libav's name of the encoder.
    package var encoder: String

    package static let defaultEncoder = "libx264"

    package init(presets: [LadderPreset] = [], encoder: String = Self.defaultEncoder) {
        self.presets = presets
        self.encoder = encoder
    }
}

extension VODLibrary {
    // MARK: Asking

    /// Requests a ladder of a title. Finished chunks of the same request are reused. A ladder that is being made with
    /// other presets is superseded.
    ///
    /// - Returns: `nil` if there is no such title.
    /// - Throws: ``LibraryError`` if none of the presets makes sense for the title; ``WorkerFailure``
    package func makeLadder(ofTitle id: String, presets: [LadderPreset]) async throws -> LadderStatus? {
        guard let record = try await catalogue.title(id: id) else { return nil }
        let request = try await ladderRequest(for: record, presets: presets)
        guard !request.rungs.isEmpty else {
            let reasons = request.omitted.map { "\($0.preset): \($0.reason)" }.joined(separator: "; ")
            throw LibraryError(.unplayable, "no rendition to make: \(reasons)")
        }
        let job = IngestJob(task: .ladder, id: id, fileName: record.file)
        let text = try LadderParameters(presets: presets).text()
        // Completed even if the client has disconnected.
        return try await Task {
            let folder = ladderStore.folder(titleID: id, revision: record.revision, key: request.key)
            if finishedLadders[id] == folder {
                try await endLadderJob(ofTitle: id)
                await clearLadderEnding(ofTitle: id)
            } else {
                try await enqueue(job, request, parameters: text)
            }
            try await ledger.flush()
            return try await ladderStatus(ofTitle: id)
        }.value
    }

    private func enqueue(_ job: IngestJob, _ request: LadderRequest, parameters: String) async throws {
        // Another client may request something else at the same time.
        for _ in 0..<Self.maximumLadderAttemptCount {
            if let open = await ledger.openJob(of: .ladder, for: job.id) {
                if open.parameters == parameters { return }
                try await endLadderJob(ofTitle: job.id)
                continue
            }
            await clearLadderEnding(ofTitle: job.id)
            chosenLadders[job.id] = request
            await enqueue(job, parameters: parameters)
            guard await ledger.isOpen(job) else {
                chosenLadders[job.id] = nil
                throw LibraryError(
                    .limitExceeded,
                    "the job queue is full (\(JobQueue.maximumQueuedCount) jobs); try again later")
            }
        }
    }

    private static let maximumLadderAttemptCount = 10

    /// The state of a title's ladder.
    ///
    /// - Returns: `nil` if there is no such title.
    package func ladderStatus(ofTitle id: String) async throws -> LadderStatus? {
        guard let record = try await catalogue.title(id: id) else { return nil }
        if let job = await ledger.openJob(of: .ladder, for: id) {
            let request = chosenLadders[id]
            var status = LadderStatus(titleID: id, state: job.state == .queued ? .queued : .transcoding)
            status.job = job.number
            if status.state == .transcoding { status.progress = job.progress ?? 0 }
            status.encoder = request?.encoder
            status.rungs = request?.rungs ?? []
            status.omitted = request?.omitted ?? []
            return status
        }
        let store = ladderStore
        let last = try await threadPool.runIfActive { store.lastManifest(ofTitle: id, revision: record.revision) }
        guard let last, let state = LadderStatus.State(last.ending) else {
            return LadderStatus(titleID: id, state: .none)
        }
        var status = LadderStatus(titleID: id, state: state)
        status.error = last.error
        status.encoder = last.request.encoder
        status.rungs = last.request.rungs
        status.omitted = last.request.omitted
        return status
    }

    /// Cancels the ladder that is being made, or deletes the finished one if none is being made.
    ///
    /// - Returns: `nil` if there is no such title.
    package func dropLadder(ofTitle id: String) async throws -> LadderStatus? {
        guard let record = try await catalogue.title(id: id) else { return nil }
        return try await Task {
            if try await !endLadderJob(ofTitle: id) {
                finishedLadders[id] = nil
                if let path = record.mediaPath { await cache.setLadder(nil, path: path) }
                await deleteLadders(ofTitle: id, except: nil)
                declinedLadders.remove(id)
                // Otherwise the ladder would be made again at the next start.
                if !ladderPolicy.presets.isEmpty { await noteLadderEnding(.dropped, ofTitle: id) }
            }
            try await ledger.flush()
            return try await ladderStatus(ofTitle: id)
        }.value
    }

    /// Deletes the ladders of a title that was removed or whose file was replaced.
    func forgetLadders(ofTitle id: String, mediaPath: String?) async throws {
        try await endLadderJob(ofTitle: id)
        finishedLadders[id] = nil
        declinedLadders.remove(id)
        if let mediaPath { await cache.setLadder(nil, path: mediaPath) }
        await deleteLadders(ofTitle: id, except: nil)
    }

    /// Cancels the title's ladder job.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    private func endLadderJob(ofTitle id: String) async throws -> Bool {
        guard let record = await ledger.openJob(of: .ladder, for: id) else { return false }
        do {
            return try await cancelJob(number: record.number) != nil
        } catch let error as LibraryError where error.code == .notPossible {
            // The job ended just before it could be cancelled.
            return false
        }
    }

    private func deleteLadders(ofTitle id: String, except kept: LadderStore.Folder?) async {
        let store = ladderStore
        try? await threadPool.runIfActive {
            for folder in store.folders(ofTitle: id) where folder != kept { store.delete(folder) }
        }
    }

    /// Applies another policy. Missing ladders of ready titles are made; existing ones stay, and running jobs continue.
    package func use(_ policy: LadderPolicy) async throws {
        guard policy != ladderPolicy else { return }
        ladderPolicy = policy
        for title in try await catalogue.allTitles() { await queueLadder(for: title) }
    }

    /// Queues the ladder that the configuration asks for.
    func queueLadder(for record: TitleRecord) async {
        guard !ladderPolicy.presets.isEmpty, record.state == .ready, record.videoCodec != nil,
            finishedLadders[record.id] == nil, !declinedLadders.contains(record.id)
        else { return }
        await enqueue(IngestJob(task: .ladder, id: record.id, fileName: record.file))
    }

    // MARK: How it ended

    /// Stores how a ladder ended, beside the existing one, so that it is not tried again automatically. Deletes what
    /// was made of it.
    func noteLadderEnding(_ ending: LadderManifest.Ending, ofTitle id: String, error: String? = nil) async {
        guard let record = try? await catalogue.title(id: id) else { return }
        let request = chosenLadders[id] ?? LadderRequest(encoder: ladderPolicy.encoder)
        chosenLadders[id] = nil
        declinedLadders.insert(id)
        var manifest = LadderManifest(request: request, movies: [])
        manifest.ending = ending
        manifest.error = error
        let (store, ended, kept) = (ladderStore, manifest, finishedLadders[id])
        let folder = store.folder(titleID: id, revision: record.revision, key: ending.rawValue)
        do {
            try await threadPool.runIfActive {
                for other in store.folders(ofTitle: id) where other != kept { store.delete(other) }
                try store.finish(ended, in: folder)
            }
        } catch {
            logger.error(
                "end of a ladder could not be recorded",
                metadata: ["title.id": "\(id)", "error": "\(FileErrorText(error))"])
        }
    }

    /// The outcome of the title's last ladder if it failed or was cancelled; `nil` if it is complete, or was never
    /// begun.
    func ladderEnding(ofTitle id: String) async throws -> (JobState, String?)? {
        guard let record = try await catalogue.title(id: id) else { return nil }
        let store = ladderStore
        let last = try await threadPool.runIfActive { store.lastManifest(ofTitle: id, revision: record.revision) }
        switch last?.ending {
        case .failed: return (.failed, last?.error)
        case .cancelled, .dropped: return (.cancelled, last?.error)
        case .ready, nil: return nil
        }
    }

    /// Deletes the record of a failure or cancellation, because the ladder is requested again.
    func clearLadderEnding(ofTitle id: String) async {
        declinedLadders.remove(id)
        let (store, kept) = (ladderStore, finishedLadders[id])
        try? await threadPool.runIfActive {
            for folder in store.folders(ofTitle: id)
            where folder != kept && store.manifest(in: folder) != nil {
                store.delete(folder)
            }
        }
    }

    // MARK: After a start

    /// Finds the existing ladders after a start, and deletes those that belong to no title and no job.
    func takeUpLadders(_ titles: [TitleRecord]) async throws {
        let store = ladderStore
        let records = Dictionary(titles.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let busy = await ledger.openSubjects(of: .ladder)
        let found = try await threadPool.runIfActive {
            store.folders().sorted { store.age(of: $0) < store.age(of: $1) }.compactMap { folder in
                let manifest = store.manifest(in: folder)
                let isKnown = records[folder.titleID]?.revision == folder.revision
                if !isKnown || manifest == nil && !busy.contains(folder.titleID) { store.delete(folder) }
                return isKnown ? manifest.map { (folder: folder, manifest: $0) } : nil
            }
        }
        for (folder, manifest) in found {
            guard manifest.ending == .ready else {
                // A ladder that was completed after that takes precedence.
                if finishedLadders[folder.titleID] == nil { declinedLadders.insert(folder.titleID) }
                continue
            }
            guard let path = records[folder.titleID]?.mediaPath else { continue }
            // The server was killed after the second ladder was complete and before the first one was deleted.
            if finishedLadders[folder.titleID] != nil {
                try await threadPool.runIfActive { store.delete(folder) }
                continue
            }
            await publish(manifest, in: folder, path: path)
        }
        for title in titles { await queueLadder(for: title) }
    }

    private func publish(_ manifest: LadderManifest, in folder: LadderStore.Folder, path: String) async {
        finishedLadders[folder.titleID] = folder
        let ladder = manifest.movies.isEmpty ? nil : TitleIndexCache.Ladder(folder: folder, manifest: manifest)
        await cache.setLadder(ladder, path: path)
    }

    // MARK: Making

    /// Performs a ladder job. A failure is also stored beside the ladders.
    func makeLadder(_ job: IngestJob) async throws -> JobOutcome {
        guard let record = try await catalogue.title(id: job.id), record.state == .ready, let path = record.mediaPath
        else { return .moot }
        guard let presets = await ladderPresets(for: job) else {
            return .ended(.cancelled, error: "channels.json no longer names a ladder")
        }
        do {
            guard try await makeLadder(of: record, at: path, presets: presets, job: job) else { return .moot }
        } catch let error as CancellationError {
            throw error
        } catch let error where DescriptorShortage.isCause(of: error) {
            throw error
        } catch {
            guard try await catalogue.title(id: job.id)?.revision == record.revision else { return .moot }
            var text = "\(error)"
            let folder = MediaFolder(section: .titles, configuration: configuration)
            if let file = try await threadPool.runIfActive({ folder.file(named: record.file) }) {
                text = failureText(error, file: file)
            }
            logger.warning("ladder not made", metadata: ["title.id": "\(job.id)", "error": "\(text)"])
            await noteLadderEnding(.failed, ofTitle: job.id, error: text)
            return .ended(.failed, error: text)
        }
        return .ended(.ready)
    }

    private func ladderPresets(for job: IngestJob) async -> [LadderPreset]? {
        if let text = await ledger.openJob(of: .ladder, for: job.id)?.parameters {
            return LadderParameters(text)?.presets
        }
        return ladderPolicy.presets.isEmpty ? nil : ladderPolicy.presets
    }

    /// Makes the ladder and publishes it.
    ///
    /// - Returns: false if the title's file was replaced meanwhile.
    private func makeLadder(
        of record: TitleRecord, at path: String, presets: [LadderPreset], job: IngestJob
    ) async throws -> Bool {
        let request = try await ladderRequest(for: record, presets: presets)
        chosenLadders[record.id] = request
        let folder = ladderStore.folder(titleID: record.id, revision: record.revision, key: request.key)
        let store = ladderStore
        // A ladder of another configuration, or a complete one that a crash kept from being published.
        let (kept, known) = (
            finishedLadders[record.id], try await threadPool.runIfActive { store.manifest(in: folder) }
        )
        if let known, known.ending == .ready {
            await finish(known, in: folder, path: path)
            return true
        }
        try await threadPool.runIfActive {
            for other in store.folders(ofTitle: record.id) where other != folder && other != kept {
                store.delete(other)
            }
        }
        let source = try await cache.inspect(path: path)
        var manifest = LadderManifest(request: request, movies: [])
        if !request.rungs.isEmpty {
            manifest.movies = try await makeMovies(of: source, at: path, request: request, in: folder, job: job)
        }
        guard try await catalogue.title(id: job.id)?.revision == record.revision else {
            await deleteLadders(ofTitle: record.id, except: kept)
            return false
        }
        try Task.checkCancellation()
        let whole = manifest
        try await threadPool.runIfActive { try store.finish(whole, in: folder) }
        await finish(whole, in: folder, path: path)
        logger.info(
            "ladder ready",
            metadata: ["title.id": "\(record.id)", "rungs": "\(request.rungs.map(\.name).joined(separator: ","))"])
        return true
    }

    private func finish(_ manifest: LadderManifest, in folder: LadderStore.Folder, path: String) async {
        await publish(manifest, in: folder, path: path)
        chosenLadders[folder.titleID] = nil
        declinedLadders.remove(folder.titleID)
        await deleteLadders(ofTitle: folder.titleID, except: folder)
    }

    private func makeMovies(
        of source: PackagedTitle, at path: String, request: LadderRequest, in folder: LadderStore.Folder,
        job: IngestJob
    ) async throws -> [LadderManifest.Movie] {
        guard let video = source.video else { throw LibraryError(.unplayable, "it has no video") }
        let coreCount = configuration.ladderCoreCount
        let workerCount = try LadderEncoder(named: request.encoder).workerCount(coreCount: coreCount)
        let store = ladderStore
        let plan = try await threadPool.runIfActive {
            let plan = try LadderPlan(video, workerCount: store.begin(folder, workerCount: workerCount))
            try store.checkFreeSpace(for: request.rungs, seconds: plan.duration)
            return plan
        }
        let (worker, identity) = (worker, source.file.identity)
        return try await withProgress(of: job) { [threadPool] report in
            let run = LadderRun(
                path: path, identity: identity, plan: plan, request: request, folder: folder, worker: worker,
                progress: LadderProgress(total: plan.duration * (1 + Self.joiningShare), report: report),
                workerCount: workerCount, coreCount: coreCount, threadPool: threadPool)
            try await run.encode()
            let movies = try await run.join(share: Self.joiningShare)
            // Checked before the ladder is offered to anybody.
            let manifest = LadderManifest(request: request, movies: movies)
            _ = try await threadPool.runIfActive { try source.adding(manifest.movies(in: folder)) }
            try await run.checkSource()
            return movies
        }
    }

    /// The work of joining the chunks, as a share of encoding them.
    private static let joiningShare = 0.02

    /// Reads the title's properties, and chooses the presets that make sense for it.
    private func ladderRequest(for record: TitleRecord, presets: [LadderPreset]) async throws -> LadderRequest {
        guard record.state == .ready, let path = record.mediaPath else {
            throw LibraryError(.unplayable, "the title is not ready (\(record.state.rawValue))")
        }
        let title = try await cache.inspect(path: path)
        guard let video = title.video else { throw LibraryError(.unplayable, "the title has no video") }
        let description = try await worker.run(
            WorkerRequest(task: .probe, input: path, limits: .inspection), onProgress: { _ in }
        ).description
        guard let stream = description?.streams.first(where: { $0.type == "video" }), let size = stream.shownSize else {
            throw LibraryError(.unplayable, "the size of its video is not known")
        }
        let encoder = try LadderEncoder(named: ladderPolicy.encoder)
        let selection = LadderSelection(
            presets,
            for: LadderSelection.Source(
                size: size, frameRate: stream.frameRate ?? video.frameRate, bitRate: video.bitRate.average,
                isOffered: video.hasClosedSegments && video.configuration.isAV1 == encoder.makesAV1))
        return LadderRequest(encoder: encoder.name, selection: selection)
    }
}
