import Catalogue
import Foundation
import Logging
import MediaCore
import NIOPosix

extension VODLibrary {
    /// Runs one of a lane's workers, which does jobs until the queue is closed.
    func work(in lane: IngestLane) async {
        while let job = await queue.next(in: lane) {
            do {
                try await perform(job)
            } catch is CancellationError {
                // The server is shutting down. The record still says what was being done, and the next start resumes
                // it.
            } catch {
                logger.error(
                    "job failed",
                    metadata: ["file": "\(job.fileName)", "error": "\(FileErrorText(error))"])
            }
            await queue.finished(job)
        }
    }

    /// Performs a job and records its outcome.
    func carryOut(_ job: IngestJob) async throws {
        await ledger.started(job)
        do {
            switch try await outcomeWithDescriptors(of: job) {
            case .handedOver: break
            case .ended(let state, let error): await ledger.ended(job, as: state, error: error)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            await ledger.ended(job, as: .failed, error: "\(error)")
            throw error
        }
    }

    /// Performs a job. Waits as long as there are no file descriptors: all jobs of the lane would fail, and no file is
    /// at fault.
    private func outcomeWithDescriptors(of job: IngestJob) async throws -> JobOutcome {
        var attempt = 0
        while true {
            do {
                return try await outcome(of: job)
            } catch let error where DescriptorShortage.isCause(of: error) {
                attempt += 1
                let pause = DescriptorShortage.pause(afterAttempt: attempt)
                logger.warning(
                    "no file descriptors available for a job; retrying",
                    metadata: [
                        "title.file": "\(job.fileName)", "error": "\(error)", "seconds": "\(pause.components.seconds)",
                    ])
                await ledger.changed(job) { $0.message = "waits for file descriptors; raise the limit (ulimit -n)" }
                try await clock.sleep(for: pause)
                await ledger.changed(job) { $0.message = nil }
            }
        }
    }

    private func outcome(of job: IngestJob) async throws -> JobOutcome {
        switch job.task {
        case .indexing, .conversion: try await ingestTitle(job)
        case .track: try await ingestTrack(job)
        case .poster: try await makePoster(job)
        case .storyboard: try await makeStoryboard(job)
        case .download: try await download(job)
        case .ladder: try await makeLadder(job)
        }
    }

    /// Ingests a movie that can be packaged without conversion and whose index is read in one go. It is written to the
    /// catalogue as ready with a single write, while a job has two, and a wait in the queue between them.
    ///
    /// - Returns: `nil` for all other files, including damaged ones; their job says what is wrong.
    func ingestAtOnce(_ file: FoundFile) async throws -> TitleRecord? {
        let elapsed = clock.stopwatch()
        let startedAt = now()
        try await readCatalogue()
        guard known[.titles]?[file.name] == nil,
            MediaKind.movieExtensions.contains(MediaKind.fileExtension(of: file.name))
        else { return nil }
        var record = TitleRecord(of: file, named: try await name(of: file, in: .titles), addedAt: now())
        let ingest = ingest(of: record, file: file)
        guard let title = try? await ingest.index(onlyAtOnce: true) else { return nil }
        // As for all other records, the ID is derived from the file's name, not from the title inside the file.
        record.id = record.title
        record.becomeReady(title)
        record.ingestSeconds = elapsed()
        await cache.offer(title.packaged, path: title.path)
        // A power cut before the next scan loses the entry, and that scan finds the file again.
        record = try await catalogue.add(record, durability: .soon)
        await begin(record, in: .titles)
        awaitingPoster.append(record)
        await ledger.ended(IngestJob(task: .indexing, id: record.id, fileName: record.file), startedAt: startedAt)
        log(file: record.file, id: record.id, error: record.error, seconds: record.ingestSeconds)
        return record
    }

    /// Queues the posters of titles that were ready at once, and makes their entries durable. A starting worker
    /// occupies the machine for some milliseconds, which should belong to the first viewer, so this is done at the next
    /// scan of the folder.
    func queueAwaitedPosters() async throws {
        guard !awaitingPoster.isEmpty else { return }
        let titles = awaitingPoster
        awaitingPoster = []
        try await catalogue.makeDurable()
        for title in titles {
            await queuePoster(for: title)
            await queueLadder(for: title)
        }
    }

    func queuePoster(for record: TitleRecord) async {
        guard record.needsPoster(in: derived) else { return }
        await enqueue(IngestJob(task: .poster, id: record.id, fileName: record.file))
    }

    /// Ingests a title. The time from here until the record has been written, which is one write, is what a user waits
    /// for.
    private func ingestTitle(_ job: IngestJob) async throws -> JobOutcome {
        let elapsed = clock.stopwatch()
        let folder = MediaFolder(section: .titles, configuration: configuration)
        guard let record = try await catalogue.title(id: job.id),
            let file = try await threadPool.runIfActive({ folder.file(named: record.file) })
        else { return .moot }
        let ingest = ingest(of: record, file: file)
        var result = record
        result.describe(file)
        result.progress = nil
        do {
            let title =
                job.task == .indexing
                ? try await ingest.index(onRefusal: { error in await note("\(error)", about: job, file: file) })
                : try await withProgress(of: job) { report in try await ingest.convert(onProgress: report) }
            guard let title else {
                await enqueue(IngestJob(task: .conversion, id: job.id, fileName: job.fileName))
                return .handedOver
            }
            result.becomeReady(title)
            if let reason = title.note { await note(reason, about: job, file: file) }
            await cache.offer(title.packaged, path: title.path)
        } catch let error as CancellationError {
            throw error
        } catch let error where DescriptorShortage.isCause(of: error) {
            throw error
        } catch {
            guard try await isStillThere(record.file, in: .titles) else { return .moot }
            result.state = .failed
            result.error = failureText(error, file: file)
        }
        result.ingestSeconds = elapsed()
        return try await keep(result, insteadOf: record)
    }

    private func ingest(of record: TitleRecord, file: FoundFile) -> TitleIngest {
        TitleIngest(
            record: record, file: file, derived: derived, cache: cache, worker: worker, threadPool: threadPool)
    }

    /// Adds a human-readable reason to a job: why a file is converted that does not seem to need it.
    private func note(_ reason: String, about job: IngestJob, file: FoundFile) async {
        let text = FailureText(reason: reason, file: file, directories: ownDirectories).description
        await ledger.changed(job) { record in
            record.message = [record.message, text].compactMap(\.self).joined(separator: "; ")
        }
    }

    private func keep(_ result: TitleRecord, insteadOf record: TitleRecord) async throws -> JobOutcome {
        guard let result = try await write(result, insteadOf: record) else {
            // The title was deleted or replaced while it was being processed.
            await deleteDerived(result.pathsInUse.filter { !record.pathsInUse.contains($0) })
            return .moot
        }
        note(result, in: .titles)
        if let leftOut = result.leftOut {
            logger.info(
                "tracks of a file left out of its title",
                metadata: ["title.id": "\(result.id)", "title.file": "\(result.file)", "error": "\(leftOut)"])
        }
        log(file: result.file, id: result.id, error: result.error, seconds: result.ingestSeconds)
        await queuePoster(for: result)
        await queueLadder(for: result)
        return .ended(JobState(result.state), error: result.error)
    }

    /// Writes a job's result. A file that was renamed meanwhile keeps its new name.
    private func write(_ result: TitleRecord, insteadOf record: TitleRecord) async throws -> TitleRecord? {
        var result = result
        for _ in 0..<Self.maximumWriteAttemptCount {
            if try await catalogue.update(result, from: record.revision) { return result }
            guard let current = try await catalogue.title(id: record.id), current.revision == record.revision,
                current.file != result.file
            else { return nil }
            result.follow(current)
        }
        return nil
    }

    private func write(_ result: AudioTrackRecord, insteadOf record: AudioTrackRecord) async throws -> AudioTrackRecord?
    {
        var result = result
        for _ in 0..<Self.maximumWriteAttemptCount {
            if try await catalogue.update(result, from: record.revision) { return result }
            guard let current = try await catalogue.track(id: record.id), current.revision == record.revision,
                current.file != result.file
            else { return nil }
            result.follow(current)
        }
        return nil
    }

    /// Limit on attempts to write a result; a file is renamed once, perhaps twice, while its job writes the record.
    private static let maximumWriteAttemptCount = 3

    /// Returns whether the file of a failed job is still in place. If it has been moved, it is ingested again.
    private func isStillThere(_ name: String, in section: LibrarySection) async throws -> Bool {
        let folder = MediaFolder(section: section, configuration: configuration)
        if try await threadPool.runIfActive({ folder.file(named: name) }) != nil { return true }
        sectionsToLookAt.insert(section)
        return false
    }

    private func ingestTrack(_ job: IngestJob) async throws -> JobOutcome {
        let elapsed = clock.stopwatch()
        let folder = MediaFolder(section: .tracks, mediaDirectory: configuration.mediaDirectory)
        guard let record = try await catalogue.track(id: job.id),
            let file = try await threadPool.runIfActive({ folder.file(named: record.file) })
        else { return .moot }
        let ingest = TrackIngest(
            record: record, file: file, derived: derived, cache: cache, worker: worker, threadPool: threadPool)
        var result = record
        do {
            result = try await withProgress(of: job) { report in try await ingest.run(onProgress: report) }
        } catch let error as CancellationError {
            throw error
        } catch let error where DescriptorShortage.isCause(of: error) {
            throw error
        } catch {
            guard try await isStillThere(record.file, in: .tracks) else { return .moot }
            result.state = .failed
            result.error = failureText(error, file: file)
        }
        result.describe(file)
        result.ingestSeconds = elapsed()
        guard let result = try await write(result, insteadOf: record) else {
            await deleteDerived([result.mediaPath, result.cover])
            return .moot
        }
        note(result, in: .tracks)
        log(file: result.file, id: result.id, error: result.error, seconds: result.ingestSeconds)
        return .ended(JobState(result.state), error: result.error)
    }

    /// Runs a closure whose progress is reported on any thread, and forwards the progress to the queue in order.
    func withProgress<Result: Sendable>(
        of job: IngestJob, _ body: @Sendable (@escaping @Sendable (Double) -> Void) async throws -> Result
    ) async throws -> Result {
        let (fractions, reporter) = AsyncStream.makeStream(of: Double.self, bufferingPolicy: .bufferingNewest(1))
        async let following: Void = {
            for await fraction in fractions {
                await queue.update(job, state: .transcoding, progress: fraction)
                await ledger.progressed(job, to: fraction)
            }
        }()
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body { reporter.yield($0) })
        } catch {
            result = .failure(error)
        }
        reporter.finish()
        await following
        return try result.get()
    }

    func failureText(_ error: any Error, file: FoundFile) -> String {
        FailureText(error, file: file, directories: ownDirectories).description
    }

    private var ownDirectories: [String] {
        [configuration.mediaDirectory, configuration.dataDirectory].flatMap { directory in
            LibrarySection.allCases.map { "\(directory)/\($0.rawValue)" }
                + DerivedFiles.Folder.allCases.map { "\(directory)/\($0.rawValue)" } + [directory]
        }
    }

    private func log(file: String, id: String, error: String?, seconds: Double?) {
        var metadata: Logger.Metadata = [
            "title.file": "\(file)", "title.id": "\(id)", "seconds": "\(seconds ?? 0)",
        ]
        if let error {
            metadata["error"] = "\(error)"
            logger.warning("media file not playable", metadata: metadata)
        } else {
            logger.info("media file ready to play", metadata: metadata)
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Starts a measurement.
    ///
    /// - Returns: a function for the time since then, which is independent of the wall clock.
    func elapsed() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }

    /// Starts a measurement.
    ///
    /// - Returns: a function for the seconds since then, to the microsecond.
    func stopwatch() -> () -> Double {
        let start = now
        return { (start.duration(to: now) / .microseconds(1)).rounded() / 1_000_000 }
    }
}

extension CatalogueRecord {
    /// Adopts the file name of `current`, whose file has been renamed.
    fileprivate mutating func follow(_ current: Self) {
        if mediaPath == sourcePath { mediaPath = current.sourcePath }
        file = current.file
        sourcePath = current.sourcePath
    }
}
