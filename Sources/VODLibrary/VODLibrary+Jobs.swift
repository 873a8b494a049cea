import Catalogue
import Foundation
import Logging

extension VODLibrary {
    /// One of the workers: does jobs until the queue is closed.
    func work() async {
        while let job = await queue.next() {
            do {
                try await carryOut(job)
            } catch is CancellationError {
                // Shutting down: the record still says what was going on, and the next start takes it up.
            } catch {
                logger.error("a job could not be done", metadata: ["file": "\(job.fileName)", "error": "\(error)"])
            }
            await queue.finished(job)
        }
    }

    private func carryOut(_ job: IngestJob) async throws {
        switch job.task {
        case .title: try await ingestTitle(job)
        case .track: try await ingestTrack(job)
        case .poster: try await makePoster(job)
        }
    }

    private func ingestTitle(_ job: IngestJob) async throws {
        let folder = MediaFolder(section: .titles, mediaDirectory: configuration.mediaDirectory)
        guard let record = try await catalogue.title(id: job.id), let file = folder.file(named: record.file) else {
            return
        }
        let ingest = TitleIngest(record: record, file: file, derived: derived, cache: cache, worker: worker)
        var result = try await withStages(of: job) { report in
            try await ingest.run { stage in
                switch stage {
                case .indexing: report("indexing", nil)
                case .transcoding(let progress): report("transcoding", progress)
                }
            }
        }
        // The file is described as it was when it was read; if it has changed since, the next look sees that.
        result.revision = file.revision
        result.byteCount = file.byteCount
        result.modifiedAt = file.modifiedAt
        // Deleted while it was being worked on.
        guard try await catalogue.title(id: job.id) != nil else { return derived.delete(result.mediaPath) }
        try await catalogue.save(result)
        log(file: result.file, id: result.id, error: result.error, seconds: result.ingestSeconds)
        if result.state == .ready, result.videoCodec != nil {
            await queue.add(IngestJob(task: .poster, id: job.id, fileName: job.fileName))
        }
    }

    private func ingestTrack(_ job: IngestJob) async throws {
        let folder = MediaFolder(section: .tracks, mediaDirectory: configuration.mediaDirectory)
        guard let record = try await catalogue.track(id: job.id), let file = folder.file(named: record.file) else {
            return
        }
        let ingest = TrackIngest(record: record, file: file, derived: derived, cache: cache, worker: worker)
        var result = try await withStages(of: job) { report in
            try await ingest.run { report("transcoding", $0) }
        }
        result.revision = file.revision
        result.byteCount = file.byteCount
        result.modifiedAt = file.modifiedAt
        guard try await catalogue.track(id: job.id) != nil else {
            derived.delete(result.mediaPath)
            return derived.delete(result.cover)
        }
        try await catalogue.save(result)
        log(file: result.file, id: result.id, error: result.error, seconds: result.ingestSeconds)
    }

    /// A title without a poster plays all the same, so a failure here is only logged.
    private func makePoster(_ job: IngestJob) async throws {
        guard let record = try await catalogue.title(id: job.id), let path = record.mediaPath, record.poster == nil
        else { return }
        let output = derived.path(.posters, id: record.id, revision: record.revision, ending: ".jpg")
        let result = try await worker.run(
            WorkerRequest(
                task: .poster(output: output, width: TitleIngest.posterWidth), input: path, limits: .inspection),
            onProgress: { _ in })
        guard var current = try await catalogue.title(id: job.id), current.revision == record.revision else {
            return derived.delete(output)
        }
        current.poster = result.outputs.first ?? output
        try await catalogue.save(current)
    }

    /// Brings a job's stages, which are reported on any thread, to the queue in their order.
    private func withStages<Result: Sendable>(
        of job: IngestJob,
        _ body: @Sendable (@escaping @Sendable (String, Double?) -> Void) async throws -> Result
    ) async throws -> Result {
        let (stages, reporter) = AsyncStream.makeStream(
            of: (String, Double?).self, bufferingPolicy: .bufferingNewest(1))
        async let following: Void = {
            for await (state, progress) in stages { await queue.update(job, state: state, progress: progress) }
        }()
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body { reporter.yield(($0, $1)) })
        } catch {
            result = .failure(error)
        }
        reporter.finish()
        await following
        return try result.get()
    }

    private func log(file: String, id: String, error: String?, seconds: Double?) {
        let metadata: Logger.Metadata = ["file": "\(file)", "id": "\(id)", "seconds": "\(seconds ?? 0)"]
        if let error {
            logger.warning("not playable: \(error)", metadata: metadata)
        } else {
            logger.info("ready", metadata: metadata)
        }
    }
}
