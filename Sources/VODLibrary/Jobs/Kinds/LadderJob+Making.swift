import Catalogue
import Codecs
import Foundation
import JobRunning
import LibraryCore
import LogMetadata
import MediaFolders
import MediaWorker
import Transcoding
import Logging
import MediaCore
import NIOPosix
import Packaging

/// How a ladder is made.
extension LadderJob {
    /// The work of joining the chunks, as a share of encoding them.
    private static let joiningShare = 0.02

    /// Performs a ladder job. A failure is also stored beside the ladders.
    func perform(_ job: LibraryJob, in run: JobRun) async throws -> JobOutcome {
        guard let record = try await context.catalogue.title(id: job.id), record.state == .ready,
            let path = record.mediaPath
        else { return .superseded }
        guard let parameters = await parameters(of: run) else {
            return .ended(JobEnding(.cancelled, error: "channels.json no longer names a ladder"))
        }
        do {
            return try await makeLadder(of: record, at: path, parameters, in: run) ? .ready : .superseded
        } catch let error as CancellationError {
            throw error
        } catch let error where DescriptorShortage.isCause(of: error) {
            throw error
        } catch {
            guard try await context.catalogue.title(id: job.id)?.revision == record.revision else { return .superseded }
            let text = try await text(of: error, fileName: record.file)
            context.logger.warning("ladder could not be encoded", metadata: [.titleID: "\(job.id)", .error: "\(text)"])
            await noteEnding(.failed, ofTitle: job.id, error: text)
            return .ended(JobEnding(.failed, error: text))
        }
    }

    private func text(of error: any Error, fileName name: String) async throws -> String {
        let configuration = context.configuration
        let folder = context.folder(.titles)
        guard let file = try await context.threadPool.runIfActive({ folder.file(named: name) }) else {
            return "\(error)"
        }
        return FailureText(error, file: file, directories: configuration.ownDirectories).description
    }

    private func parameters(of run: JobRun) async -> LadderParameters? {
        if let text = await run.record()?.parameters { return LadderParameters(text) }
        return policy.presets.isEmpty ? nil : LadderParameters(presets: policy.presets)
    }

    /// Makes the ladder and publishes it.
    ///
    /// - Returns: false if the title's file was replaced meanwhile.
    private func makeLadder(
        of record: TitleRecord, at path: String, _ parameters: LadderParameters, in run: JobRun
    ) async throws -> Bool {
        let request = try await request(for: record, parameters)
        choose(request, forTitle: record.id)
        let store = store
        let folder = store.folder(titleID: record.id, revision: record.revision, key: request.key)
        // A ladder of another configuration, or a complete one that a crash kept from being published.
        let kept = finished[record.id]
        let known = try await context.threadPool.runIfActive { store.manifest(in: folder) }
        if let known, known.ending == .ready {
            await finish(known, in: folder, path: path)
            return true
        }
        try await deleteFolders { store.folders(ofTitle: record.id).filter { $0 != folder && $0 != kept } }
        let source = try await context.cache.inspect(path: path)
        var manifest = LadderManifest(request: request, movies: [])
        if !request.rungs.isEmpty {
            manifest = try await makeMovies(of: source, at: path, request: request, in: folder, run)
        }
        guard try await context.catalogue.title(id: record.id)?.revision == record.revision else {
            await deleteFolders(ofTitle: record.id, except: kept)
            return false
        }
        try Task.checkCancellation()
        let whole = manifest
        try await context.threadPool.runIfActive { try store.finish(whole, in: folder) }
        await finish(whole, in: folder, path: path)
        context.logger.info(
            "ladder ready",
            metadata: [.titleID: "\(record.id)", .renditions: "\(request.rungs.map(\.name).joined(separator: ","))"])
        return true
    }

    private func makeMovies(
        of source: PackagedTitle, at path: String, request: LadderRequest, in folder: LadderStore.Folder,
        _ run: JobRun
    ) async throws -> LadderManifest {
        guard let video = source.video else { throw LibraryError(.unplayable, "it has no video") }
        let coreCount = context.configuration.ladderCoreCount
        let workerCount = try LadderEncoder(named: request.encoder).workerCount(coreCount: coreCount)
        let (store, threadPool, worker, identity) = (store, context.threadPool, worker, source.file.identity)
        let files = context.files
        let plan = try await threadPool.runIfActive {
            let plan = try LadderPlan(video, workerCount: store.begin(folder, workerCount: workerCount))
            try store.checkFreeSpace(for: request, seconds: plan.duration)
            return plan
        }
        let logger = context.logger
        let check = { @Sendable [self] in try await bandwidth(of: $0, added: source, in: folder) }
        return try await run.withProgress { report in
            let ladder = LadderRun(
                path: path, identity: identity, plan: plan, request: request, folder: folder, worker: worker,
                progress: LadderProgress(total: plan.duration * (1 + Self.joiningShare), report: report),
                workerCount: workerCount, coreCount: coreCount, threadPool: threadPool, files: files)
            var manifest = LadderManifest(request: request, movies: [])
            manifest.audio = try await ladder.encodeAudio()
            try await ladder.encode()
            manifest.movies = try await ladder.join(share: Self.joiningShare)
            // Checked before the ladder is offered to anybody.
            var bandwidth = try await check(manifest)
            for _ in 0..<Self.maximumLoweringCount {
                guard let last = manifest.movies.last, let limit = last.rung.bandwidthLimit, bandwidth >= limit else {
                    break
                }
                logger.info(
                    "rendition exceeds its bandwidth limit; encoding it again",
                    metadata: [.titleID: "\(folder.titleID)", .renditions: "\(last.rung.name)"])
                let again = try await ladder.again(last.rung.lowered)
                manifest.movies[manifest.movies.count - 1] = again
                bandwidth = try await check(manifest)
            }
            try await ladder.checkSource()
            return manifest
        }
    }

    /// How often a rendition is encoded with fewer bits until it keeps its limit: to a fifth of its rate. libx264 keeps
    /// the limit at once unless a clip is much shorter than a second.
    private static let maximumLoweringCount = 3

    /// The smallest BANDWIDTH that a title has with a ladder.
    ///
    /// - Throws: `TitlePackagingError` if the ladder does not fit the title.
    private func bandwidth(
        of manifest: LadderManifest, added source: PackagedTitle, in folder: LadderStore.Folder
    ) async throws -> Int {
        let made = try await manifest.movies(in: folder, files: context.files, threads: context.threads)
        return try await context.threadPool.runIfActive { try source.adding(made).lowestBandwidth }
    }

    /// Reads the title's properties, and chooses the presets that make sense for it.
    ///
    /// - Throws: `LibraryError` if the title has no video or is not ready; `WorkerFailure`
    func request(for record: TitleRecord, _ parameters: LadderParameters) async throws -> LadderRequest {
        guard record.state == .ready, let path = record.mediaPath else {
            throw LibraryError(.unplayable, "the title is not ready (\(record.state.rawValue))")
        }
        let title = try await context.cache.inspect(path: path)
        guard let video = title.video else { throw LibraryError(.unplayable, "the title has no video") }
        let description = try await worker.run(
            WorkerRequest(task: .probe, input: path, limits: .inspection), onProgress: { _ in }
        ).description
        guard let stream = description?.streams.first(where: { $0.type == "video" }), let size = stream.shownSize else {
            throw LibraryError(.unplayable, "the size of its video is not known")
        }
        let encoder = try LadderEncoder(named: policy.encoder)
        let audioPeak = title.audio.map(\.bitRate.peak).max() ?? 0
        let selection = LadderSelection(
            parameters.presets,
            for: LadderSelection.Source(
                size: size, frameRate: stream.frameRate ?? video.frameRate, bitRate: video.bitRate.average,
                isOffered: video.hasClosedSegments && video.configuration.isAV1 == encoder.makesAV1,
                audioPeak: audioPeak, bandwidth: video.bitRate.peak + audioPeak,
                audioMembers: title.audioMembers),
            bandwidthLimit: parameters.bandwidthLimit)
        return LadderRequest(encoder: encoder.name, selection: selection)
    }
}
