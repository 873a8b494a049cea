import Catalogue
import Foundation
import Logging
import MediaCore
import NIOPosix

extension VODLibrary {
    /// One of a lane's workers: does jobs until the queue is closed.
    func work(in lane: IngestLane) async {
        while let job = await queue.next(in: lane) {
            do {
                try await perform(job)
            } catch is CancellationError {
                // Shutting down: the record still says what was going on, and the next start takes it up.
            } catch {
                logger.error(
                    "job failed",
                    metadata: ["file": "\(job.fileName)", "error": "\(FileErrorText(error))"])
            }
            await queue.finished(job)
        }
    }

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

    /// Waits as long as there are no file descriptors: all jobs of the lane would fail, and no file is to blame.
    private func outcomeWithDescriptors(of job: IngestJob) async throws -> JobOutcome {
        var attempt = 0
        while true {
            do {
                return try await outcome(of: job)
            } catch let error where DescriptorShortage.isCause(of: error) {
                attempt += 1
                let pause = DescriptorShortage.pause(afterAttempt: attempt)
                logger.warning(
                    "no file descriptors left for a job; it is tried again",
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

    /// Takes a movie that can be packaged as it is, and whose index one read brings, into the catalogue as ready: with
    /// one write, where a job has two and a wait in the queue between them.
    ///
    /// - Returns: `nil` for all other files, the damaged among them: their job says what is wrong.
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
        // As for all other records, the file's name is what the id is made of, not what its author wrote into it.
        record.id = record.title
        record.becomeReady(title)
        record.ingestSeconds = elapsed()
        await cache.offer(title.packaged, path: title.path)
        // A power cut before the next look at the folder loses the entry, and that look finds the file again.
        record = try await catalogue.add(record, durability: .soon)
        await begin(record, in: .titles)
        awaitingPoster.append(record)
        await ledger.ended(IngestJob(task: .indexing, id: record.id, fileName: record.file), startedAt: startedAt)
        log(file: record.file, id: record.id, error: record.error, seconds: record.ingestSeconds)
        return record
    }

    /// Of titles that were ready at once; their entries come to rest on the disk here, too. A worker that starts takes
    /// the machine for some milliseconds, and those belong to the first viewer; the next look at the folder is soon
    /// enough.
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

    /// From here to the record's being written, which is one write, is what a user waits for.
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

    /// For operators: why a file is converted that looks as if it need not be.
    private func note(_ reason: String, about job: IngestJob, file: FoundFile) async {
        let text = FailureText(reason: reason, file: file, directories: ownDirectories).description
        await ledger.changed(job) { record in
            record.message = [record.message, text].compactMap(\.self).joined(separator: "; ")
        }
    }

    private func keep(_ result: TitleRecord, insteadOf record: TitleRecord) async throws -> JobOutcome {
        guard let result = try await write(result, insteadOf: record) else {
            // Deleted or replaced while it was being worked on.
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

    /// Writes what a job has found out. A file that was renamed meanwhile keeps its new name.
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

    /// A file is renamed once, perhaps twice, while its job writes the record.
    private static let maximumWriteAttemptCount = 3

    /// Whether the file of a job that has failed is where it was: one that has been moved begins again.
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

    /// Brings a job's progress, which is reported on any thread, to the queue in its order.
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
    /// Starts now.
    ///
    /// - Returns: the time since then, which no change of the wall clock touches.
    func elapsed() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }

    /// Starts now.
    ///
    /// - Returns: tells how many seconds it is since then, to the microsecond.
    func stopwatch() -> () -> Double {
        let start = now
        return { (start.duration(to: now) / .microseconds(1)).rounded() / 1_000_000 }
    }
}

extension CatalogueRecord {
    /// The file has got the name that `current` says.
    fileprivate mutating func follow(_ current: Self) {
        if mediaPath == sourcePath { mediaPath = current.sourcePath }
        file = current.file
        sourcePath = current.sourcePath
    }
}
