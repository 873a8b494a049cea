package import Catalogue
import JobRunning
package import Logging
import LibraryStorage
import LogMetadata
package import MediaCore
package import MediaIntake
package import MediaWorker
import NIOPosix
import ServiceLifecycle

/// The library of titles and radio tracks: watches the media folder, makes the files in it playable, and opens them for
/// viewers.
///
/// It puts the parts together and passes on what is asked of them: `LibraryScanner` and `LibraryIntake` keep the
/// catalogue in line with the folder, and `JobRunner` does what takes long, each kind of job in a type of its own.
package final class VODLibrary: Service {
    let context: LibraryContext
    let known: KnownRecords
    let intake: LibraryIntake
    let scanner: LibraryScanner
    let duplicates: DuplicateSearch
    let runner: JobRunner
    /// The jobs that follow from files that come, change or go.
    let fileJobs: LibraryJobs
    let posters: PosterJob
    let covers: CoverJob
    let storyboards: StoryboardJob
    let imports: ImportJob
    let ladders: LadderJob
    let importer: MediaImporter
    let uploads: UploadReceiver
    let slates: SlateMaker
    let sentImages: SentImageMaker
    let namedImages: NamedImageMaker
    let channelCovers: ChannelCoverStore
    /// Moves files to the media store and back; `nil` if there is no such store.
    let mover: MediaMover?

    /// - Parameters:
    ///   - configuration: folders, limits and defaults.
    ///   - catalogue: the records of titles, tracks and jobs.
    ///   - worker: runs workers; `nil` for a process per job.
    ///   - fetcher: fetches files from URLs; `nil` if files are not imported from URLs.
    ///   - threads: the threads for file-system calls.
    ///   - files: file operations; tests replace them.
    ///   - clock: measures durations and intervals.
    ///   - scanClock: measures the intervals between looks at the folders; `nil` for `clock`.
    ///   - wallClock: tells the time with which the dates of files are compared.
    ///   - logger: receives the log.
    /// - Throws: the file system's error if the data folder cannot be written.
    package init(
        configuration: VODLibraryConfiguration, catalogue: any CatalogueStore, worker: (any WorkerRunning)? = nil,
        fetcher: (any RemoteImporting)? = nil,
        threads: LibraryThreads = LibraryThreads(shared: .singleton), files: LibraryFiles = LibraryFiles(),
        clock: any Clock<Duration> = ContinuousClock(), scanClock: (any Clock<Duration>)? = nil,
        wallClock: WallClock = .system, logger: Logger
    ) throws {
        let process: any WorkerRunning =
            worker
            ?? IngestWorkerProcess(
                executable: configuration.workerExecutable,
                threads: WorkerThreads(folders: threads.library, flushing: threads.long))
        let worker: any WorkerRunning =
            files.stored.map {
                LocalInputWorker(
                    worker: process, stored: $0, directory: configuration.dataDirectory, threadPool: threads.long)
            } ?? process
        let context = LibraryContext(
            configuration: configuration, catalogue: catalogue,
            derived: try DerivedFiles(dataDirectory: configuration.dataDirectory),
            cache: TitleIndexCache(
                maximumByteCount: configuration.maximumIndexCacheByteCount,
                maximumOpenTitleCount: configuration.maximumOpenTitleCount, threads: threads, files: files),
            threads: threads, files: files, clock: clock, scanClock: scanClock ?? clock,
            wallClock: wallClock, logger: logger)
        let known = KnownRecords()
        let scans = ScanRequests()
        let intake = LibraryIntake(context: context, known: known, scans: scans)

        let posters = PosterJob(context: context, worker: worker)
        let covers = CoverJob(context: context, worker: worker)
        let storyboards = StoryboardJob(context: context, known: known, worker: worker)
        let ladders = LadderJob(context: context, worker: worker)
        let titles = TitleIngestJob(
            context: context, known: known, scans: scans, worker: worker, posters: posters, ladders: ladders)
        let imports = ImportJob(context: context, intake: intake, fetcher: fetcher) { runner in
            LibraryJobs(runner: runner, titles: titles, ladders: ladders, covers: covers)
        }
        let runner = JobRunner(
            kinds: [
                titles, TrackIngestJob(context: context, known: known, scans: scans, worker: worker), posters,
                covers, storyboards, imports, ladders,
            ], store: catalogue, clock: clock, wallClock: wallClock, logger: logger,
            lacksDescriptors: DescriptorShortage.isCause)
        let fileJobs = LibraryJobs(runner: runner, titles: titles, ladders: ladders, covers: covers)

        let store = UploadStore(
            dataDirectory: configuration.dataDirectory, mediaDirectory: configuration.mediaDirectory,
            stored: files.stored, wallClock: wallClock, elapsed: clock.elapsed())
        uploads = UploadReceiver(uploads: store, threadPool: threads.uploads, logger: logger) {
            try await intake.adopt($0, as: $1, jobs: fileJobs)
        }
        scanner = LibraryScanner(context: context, intake: intake, jobs: fileJobs) {
            _ = try? await threads.library.runIfActive { store.expire() }
        }
        duplicates = DuplicateSearch(context: context, known: known)
        importer = MediaImporter(
            mediaImport: MediaImport(mediaDirectory: configuration.mediaDirectory, stored: files.stored))
        slates = SlateMaker(context: context, worker: worker)
        sentImages = SentImageMaker(context: context, worker: worker)
        namedImages = NamedImageMaker(context: context, worker: worker)
        channelCovers = ChannelCoverStore(context: context)
        mover = files.stored.map {
            MediaMover(stored: $0, context: context, known: known, runner: runner, ladders: ladders.store)
        }
        (self.context, self.known, self.intake) = (context, known, intake)
        (self.runner, self.fileJobs) = (runner, fileJobs)
        (self.posters, self.storyboards, self.imports, self.ladders) = (posters, storyboards, imports, ladders)
        self.covers = covers
    }

    // MARK: Running

    /// Watches and ingests until the surrounding service group shuts down. Running workers are then killed, and their
    /// jobs are done again at the next start.
    ///
    /// - Parameter watching: `false` to do only what is requested.
    package func run(watching: Bool) async throws {
        try await resume()
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.runner.run(width: self.context.configuration.width(of:)) }
                group.addTask { await self.duplicates.run() }
                if let mover = self.mover { group.addTask { await mover.run() } }
                guard watching else { return }
                group.addTask { await self.scanner.watch() }
                group.addTask { await self.storyboards.search(in: self.runner) }
            }
        }
    }

    /// Scans and watches the media folders and performs jobs until the task is cancelled or a graceful shutdown begins.
    package func run() async throws { try await run(watching: true) }

    /// Recovers state after a crash: removes orphaned files and re-queues unfinished jobs.
    func resume() async throws {
        let derived = context.derived
        let onDisk = try await ladders.titlesOnDisk()
        let storedLadders = Set(context.files.stored?.paths.compactMap(ladders.store.titleID) ?? [])
        var keptLadders: Set<String> = []
        var kept: Set<String> = []
        // A library may be large, so only the titles are kept for which something is to be done.
        var titles: [TitleRecord] = []
        var tracks: [AudioTrackRecord] = []
        try await known.read(from: context.catalogue) { batch in
            kept.formUnion(batch.lazy.flatMap(\.pathsInUse).filter(derived.mayContain))
            for title in batch where title.needsPoster(in: derived) || onDisk.contains(title.id) {
                titles.append(title)
            }
            keptLadders.formUnion(batch.lazy.map(\.id).filter(storedLadders.contains))
        } tracks: { batch in
            kept.formUnion(batch.lazy.flatMap(\.pathsInUse).filter(derived.mayContain))
            tracks += batch.filter { $0.needsCover(in: derived) }
        }
        try await deleteOrphans(keeping: kept)
        await deleteStoredOrphans(keeping: kept, ladderIDs: keptLadders)
        try await runner.resume()
        try await uploads.resume()
        // A title plays as soon as it is ready; its poster may not have been made before the shutdown.
        for title in titles { await posters.queue(for: title, in: runner) }
        for track in tracks { await covers.queue(for: track, in: runner) }
        try await ladders.resume(titles, onDisk: onDisk, in: runner)
        try await ladders.queueAll(in: runner)
    }

    /// Drops the files in the media store that the library made and that no record names any more, and deletes copies
    /// that a crash left.
    ///
    /// - Parameters:
    ///   - kept: the paths of derived files that records name.
    ///   - ladderIDs: the IDs of titles with ladders in the store that there still are.
    private func deleteStoredOrphans(keeping kept: Set<String>, ladderIDs: Set<String>) async {
        guard let stored = context.files.stored else { return }
        let orphans = stored.paths.filter { path in
            if let id = ladders.store.titleID(ofPath: path) { return !ladderIDs.contains(id) }
            return context.derived.containsServedFile(path) && !kept.contains(path)
                && !kept.contains(FilePathText.folder(of: path) ?? "")
        }
        await context.deleteStored(orphans)
        await context.threadPool.runToEnd { [directory = context.configuration.dataDirectory] in
            LocalInputWorker.deleteCopies(in: directory)
        }
    }

    /// Deletes the files that a crash left and that nothing will use.
    private func deleteOrphans(keeping kept: Set<String>) async throws {
        let (derived, mediaImport, store) = (context.derived, importer.mediaImport, uploads.uploads)
        let unfinished = try await context.catalogue.unfinishedJobs().filter { $0.kind == self.imports.kind }
        let imports = Set(unfinished.map { ImportJob.importID(ofNumber: $0.number) })
        let count = try await context.threadPool.runIfActive {
            store.load()
            store.expire()
            store.deleteNotes(keeping: imports)
            return mediaImport.deleteUnfinished() + derived.deleteOrphans(keeping: kept)
                + ReceivedFile.deleteOrphans(
                    in: mediaImport.mediaDirectory, keeping: store.unfinishedIDs.union(imports))
        }
        guard count > 0 else { return }
        context.logger.info("files of interrupted jobs deleted", metadata: [.count: "\(count)"])
    }
}
