import Catalogue
import Foundation
import Glibc
import LibAV
import Logging
import MediaCore
import NIOPosix
import Packaging

/// What is made of titles by itself.
package struct LadderPolicy: Sendable, Hashable {
    /// Of every title that becomes ready; empty for none.
    package var presets: [LadderPreset]
    /// libav's name.
    package var encoder: String

    package static let defaultEncoder = "libx264"

    package init(presets: [LadderPreset] = [], encoder: String = Self.defaultEncoder) {
        self.presets = presets
        self.encoder = encoder
    }
}

extension VODLibrary {
    // MARK: Asking

    /// Has other qualities of a title made; what is there of the same request is gone on with.
    ///
    /// - Returns: `nil` where there is no such title.
    /// - Throws: ``LibraryError`` where none of the presets makes sense for it; ``WorkerFailure``
    package func makeLadder(ofTitle id: String, presets: [LadderPreset]) async throws -> LadderStatus? {
        guard let record = try await catalogue.title(id: id) else { return nil }
        let request = try await ladderRequest(for: record, presets: presets)
        guard !request.rungs.isEmpty else {
            let reasons = request.omitted.map { "\($0.preset): \($0.reason)" }.joined(separator: "; ")
            throw LibraryError(.unplayable, "none of these qualities is worth making; \(reasons)")
        }
        let folder = ladderStore.folder(titleID: id, revision: record.revision, key: request.key)
        let (store, isReady) = (ladderStore, finishedLadders[id] == folder)
        if !isReady {
            try await threadPool.runIfActive { try store.write(request, to: folder) }
            guard await ladderJobs.add(LadderJobs.Job(titleID: id, revision: record.revision, request: request)) else {
                throw LibraryError(.limitExceeded, "\(LadderJobs.maximumQueuedCount) titles wait already")
            }
        }
        return try await ladderStatus(ofTitle: id)
    }

    /// - Returns: `nil` where there is no such title.
    package func ladderStatus(ofTitle id: String) async throws -> LadderStatus? {
        guard let record = try await catalogue.title(id: id) else { return nil }
        if let status = await ladderJobs.status(titleID: id) { return status }
        if let folder = finishedLadders[id], folder.revision == record.revision {
            let store = ladderStore
            if let manifest = try await threadPool.runIfActive({ store.manifest(in: folder) }) {
                return LadderStatus(
                    titleID: id, state: .ready, encoder: manifest.request.encoder, rungs: manifest.request.rungs,
                    omitted: manifest.request.omitted)
            }
        }
        return LadderStatus(titleID: id, state: .none)
    }

    /// Ends what is being made, or, where nothing is, deletes what was made.
    ///
    /// - Returns: `nil` where there is no such title.
    package func dropLadder(ofTitle id: String) async throws -> LadderStatus? {
        guard let record = try await catalogue.title(id: id) else { return nil }
        let wasGoingOn = await ladderJobs.cancel(titleID: id)
        let kept = wasGoingOn ? finishedLadders[id] : nil
        if kept == nil {
            finishedLadders[id] = nil
            if let path = record.mediaPath { await cache.setLadder(nil, path: path) }
            if !wasGoingOn { await ladderJobs.forget(titleID: id) }
        }
        await deleteLadders(ofTitle: id, except: kept)
        return try await ladderStatus(ofTitle: id)
    }

    /// For a title that has gone, or has become another one.
    func forgetLadders(ofTitle id: String, mediaPath: String?) async {
        await ladderJobs.cancel(titleID: id)
        await ladderJobs.forget(titleID: id)
        finishedLadders[id] = nil
        if let mediaPath { await cache.setLadder(nil, path: mediaPath) }
        await deleteLadders(ofTitle: id, except: nil)
    }

    private func deleteLadders(ofTitle id: String, except kept: LadderStore.Folder?) async {
        let store = ladderStore
        try? await threadPool.runIfActive {
            for folder in store.folders(ofTitle: id) where folder != kept { store.delete(folder) }
        }
    }

    /// Queues what the configuration wants of every title.
    func queueLadder(for record: TitleRecord) async {
        guard !configuration.ladder.presets.isEmpty, record.state == .ready, record.videoCodec != nil,
            finishedLadders[record.id] == nil, await ladderJobs.status(titleID: record.id) == nil
        else { return }
        await ladderJobs.add(LadderJobs.Job(titleID: record.id, revision: record.revision, request: nil))
    }

    // MARK: After a start

    /// Finds what was made, goes on with what was not, and deletes what belongs to no title.
    func takeUpLadders(_ titles: [TitleRecord]) async throws {
        let store = ladderStore
        let revisions = Dictionary(titles.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        typealias Found = (folder: LadderStore.Folder, request: LadderRequest?, manifest: LadderManifest?)
        let found = try await threadPool.runIfActive {
            store.folders().sorted { store.age(of: $0) < store.age(of: $1) }.compactMap { folder -> Found? in
                guard revisions[folder.titleID]?.revision == folder.revision else {
                    store.delete(folder)
                    return nil
                }
                let manifest = store.manifest(in: folder)
                guard let request = manifest?.request ?? store.request(in: folder) else {
                    store.delete(folder)
                    return nil
                }
                return (folder, request, manifest)
            }
        }
        for (folder, _, manifest) in found {
            guard let manifest, let path = revisions[folder.titleID]?.mediaPath else { continue }
            // A kill between the second one's being whole and the first one's being deleted.
            if finishedLadders[folder.titleID] != nil {
                try await threadPool.runIfActive { store.delete(folder) }
                continue
            }
            await publish(manifest, in: folder, path: path)
        }
        for (folder, request, manifest) in found where manifest == nil {
            guard let request, request.error == nil else { continue }
            await ladderJobs.add(
                LadderJobs.Job(titleID: folder.titleID, revision: folder.revision, request: request))
        }
        for title in titles { await queueLadder(for: title) }
    }

    private func publish(_ manifest: LadderManifest, in folder: LadderStore.Folder, path: String) async {
        finishedLadders[folder.titleID] = folder
        let ladder = manifest.movies.isEmpty ? nil : TitleIndexCache.Ladder(folder: folder, manifest: manifest)
        await cache.setLadder(ladder, path: path)
    }

    // MARK: Making

    /// Makes ladders, one after the other, until the library closes.
    func makeLadders() async {
        while let job = await ladderJobs.next() {
            let result = await ladderJobs.run { [self] in try await make(job) }
            var reason: String?
            if case .failure(let error) = result {
                if error is CancellationError, await !ladderJobs.isCancelled {
                    return await ladderJobs.finished(error: nil)
                }
                reason = await ladderJobs.isCancelled ? "cancelled" : await explain(error, job)
            }
            await ladderJobs.finished(error: reason)
        }
    }

    /// Keeps the reason beside the work, so that it is not tried again at every start.
    private func explain(_ error: any Error, _ job: LadderJobs.Job) async -> String {
        var text = "\(error)"
        let folder = MediaFolder(section: .titles, configuration: configuration)
        if let record = try? await catalogue.title(id: job.titleID), let file = folder.file(named: record.file) {
            text = failureText(error, file: file)
        }
        logger.warning("a title's qualities cannot be made: \(text)", metadata: ["id": "\(job.titleID)"])
        if var request = job.request {
            request.error = text
            let (store, failed) = (ladderStore, request)
            let folder = store.folder(titleID: job.titleID, revision: job.revision, key: request.key)
            try? await threadPool.runIfActive { try store.write(failed, to: folder) }
        }
        return text
    }

    /// - Throws: also where the title becomes another one meanwhile.
    private func make(_ job: LadderJobs.Job) async throws {
        guard let record = try await catalogue.title(id: job.titleID), record.revision == job.revision,
            record.state == .ready, let path = record.mediaPath
        else { throw LibraryError(.noSuchFile, "the title is no longer what it was") }
        let request: LadderRequest
        if let known = job.request {
            request = known
        } else {
            request = try await ladderRequest(for: record, presets: configuration.ladder.presets)
        }
        let folder = ladderStore.folder(titleID: record.id, revision: record.revision, key: request.key)
        let source = try await cache.inspect(path: path)
        guard let video = source.video else { throw LibraryError(.unplayable, "it has no picture") }
        var manifest = LadderManifest(request: request, movies: [])
        if !request.rungs.isEmpty {
            let plan = try LadderPlan(video)
            let progress = LadderProgress(total: plan.duration * (1 + Self.joiningShare))
            await ladderJobs.began(request, progress: progress)
            let store = ladderStore
            try await threadPool.runIfActive {
                try store.write(request, to: folder)
                try store.checkFreeSpace(for: request.rungs, seconds: plan.duration)
            }
            let work = LadderRun(
                path: path, identity: source.file.identity, plan: plan, request: request, folder: folder,
                worker: worker, progress: progress, coreCount: configuration.ladderCoreCount)
            try await work.encode()
            manifest.movies = try await work.join(share: Self.joiningShare)
            let finished = manifest
            // Before anybody is offered it.
            _ = try await threadPool.runIfActive { try source.adding(finished.movies(in: folder)) }
            try work.checkSource()
        }
        guard try await catalogue.title(id: job.titleID)?.revision == job.revision else {
            throw LibraryError(.noSuchFile, "the title is no longer what it was")
        }
        let (store, whole) = (ladderStore, manifest)
        try await threadPool.runIfActive { try store.finish(whole, in: folder) }
        try Task.checkCancellation()
        await publish(manifest, in: folder, path: path)
        await deleteLadders(ofTitle: record.id, except: folder)
        logger.info(
            "other qualities are ready",
            metadata: ["id": "\(record.id)", "rungs": "\(request.rungs.map(\.name).joined(separator: ","))"])
    }

    /// Putting the stretches together, as a share of encoding them.
    private static let joiningShare = 0.02

    /// Looks at the title, and chooses what of the presets makes sense for it.
    private func ladderRequest(for record: TitleRecord, presets: [LadderPreset]) async throws -> LadderRequest {
        guard record.state == .ready, let path = record.mediaPath else {
            throw LibraryError(.unplayable, "the title is not ready (\(record.state.rawValue))")
        }
        let title = try await cache.inspect(path: path)
        guard let video = title.video else { throw LibraryError(.unplayable, "the title has no picture") }
        let description = try await worker.run(
            WorkerRequest(task: .probe, input: path, limits: .inspection), onProgress: { _ in }
        ).description
        guard let stream = description?.streams.first(where: { $0.type == "video" }), let size = stream.shownSize else {
            throw LibraryError(.unplayable, "its picture's size cannot be told")
        }
        let selection = LadderSelection(
            presets,
            for: LadderSelection.Source(
                size: size, frameRate: stream.frameRate ?? video.frameRate, bitRate: video.bitRate.average,
                isOffered: video.hasClosedSegments))
        return LadderRequest(encoder: configuration.ladder.encoder, selection: selection)
    }
}

/// The work on one ladder, done by several workers at once.
private struct LadderRun: Sendable {
    let path: String
    let identity: MediaFile.Identity
    let plan: LadderPlan
    let request: LadderRequest
    let folder: LadderStore.Folder
    let worker: any WorkerRunning
    let progress: LadderProgress
    let coreCount: Int

    /// - Throws: ``LibraryError`` where the source is another one by now.
    func checkSource() throws(LibraryError) {
        guard MediaFile.identity(ofFileAt: path) == identity else {
            throw LibraryError(.noSuchFile, "the file has changed while its qualities were made")
        }
    }

    /// Encodes the stretches that are missing.
    func encode() async throws {
        var missing: [LadderPlan.Part] = []
        for part in plan.parts {
            if folder.hasStretch(part.number, request.rungs) {
                progress.finish(part.number, seconds: part.duration)
            } else {
                missing.append(part)
            }
        }
        // One core a worker: nothing waits for another thread. A short title has fewer stretches than there are cores.
        let workerCount = min(coreCount, missing.count)
        guard workerCount > 0 else { return }
        let threadCount = max(1, coreCount / workerCount)
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rest = missing[...]
            for part in rest.prefix(workerCount) { group.addTask { try await encode(part, threadCount) } }
            rest = rest.dropFirst(workerCount)
            while try await group.next() != nil {
                guard let part = rest.popFirst() else { continue }
                group.addTask { try await encode(part, threadCount) }
            }
        }
    }

    private func encode(_ part: LadderPlan.Part, _ threadCount: Int) async throws {
        try checkSource()
        let step = LadderWork.Step.encode(number: part.number, encoder: request.encoder, threadCount: threadCount)
        _ = try await run(step, limits: .ladderStretch, number: part.number, seconds: part.duration)
    }

    /// - Parameter share: of the whole work.
    func join(share: Double) async throws -> [LadderManifest.Movie] {
        try checkSource()
        var movies: [LadderManifest.Movie] = []
        for (index, rung) in request.rungs.enumerated() {
            let result = try await run(
                .join(rung: index), limits: .conversion, number: plan.parts.count + index,
                seconds: plan.duration * share / Double(request.rungs.count))
            movies.append(
                LadderManifest.Movie(
                    rung: rung, start: result.firstTime ?? 0, timescale: UInt32(clamping: plan.timescale)))
        }
        return movies
    }

    private func run(
        _ step: LadderWork.Step, limits: WorkerLimits, number: Int, seconds: Double
    ) async throws -> WorkerResult {
        let work = LadderWork(step: step, folder: folder.path, rungs: request.rungs)
        let result = try await worker.run(
            WorkerRequest(task: .ladder(work), input: path, limits: limits),
            onProgress: { [progress] in progress.update(number, seconds: min(1, $0) * seconds) })
        progress.finish(number, seconds: seconds)
        return result
    }
}
