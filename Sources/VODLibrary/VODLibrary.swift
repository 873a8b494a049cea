package import Catalogue
package import Foundation
package import Logging
import NIOPosix
import ServiceLifecycle

/// The library of titles and radio tracks: watches the media folder, makes the files in it playable, and opens them for
/// viewers.
package actor VODLibrary: Service {
    let configuration: VODLibraryConfiguration
    let catalogue: any CatalogueStore
    let derived: DerivedFiles
    let cache: TitleIndexCache
    let worker: any WorkerRunning
    let queue: JobQueue
    let ladderStore: LadderStore
    /// The ladder that is made of every title; replaced when the configuration changes.
    var ladderPolicy: LadderPolicy
    /// Complete ladders, keyed by title ID.
    var finishedLadders: [String: LadderStore.Folder] = [:]
    /// Titles whose ladder failed or that an operator wants without one: no ladder is made automatically.
    var declinedLadders: Set<String> = []
    /// The chosen requests of waiting and running ladder jobs, keyed by title ID.
    var chosenLadders: [String: LadderRequest] = [:]
    let ledger: JobLedger
    /// The tasks of the running jobs, so that each can be cancelled by itself.
    var runningTasks: [IngestJob: Task<Void, any Error>] = [:]
    let importer: MediaImporter
    let uploads: UploadStore
    /// `nil` if files are not imported from URLs.
    let fetcher: (any RemoteFetching)?
    let logger: Logger
    let threads: LibraryThreads
    let files: LibraryFiles
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    /// The catalogue's records, keyed by file name: read once, and kept up to date with every write.
    var known: [LibrarySection: KnownFiles] = [:]
    /// IDs of records whose files are being renamed.
    var moving: Set<String> = []
    /// IDs of records that are being deleted. Their files may have gone already, but no copy takes their place.
    var deleting: [LibrarySection: Set<String>] = [:]
    var hasReadCatalogue = false
    var awaitingPoster: [TitleRecord] = []
    /// Sections with ready files that have not been checked for duplicates.
    var undigestedSections = Set(LibrarySection.allCases)
    /// Row numbers up to which files have been checked for duplicates.
    var lastDigested: [LibrarySection: Int64] = [:]
    /// True if a ready title may have no storyboard.
    var mayNeedStoryboards = true
    /// Row number up to which titles have been checked for storyboards.
    var lastStoryboarded: Int64 = 0
    /// Revisions of titles for which a storyboard has been tried, keyed by title ID.
    var unstoryboarded: [String: String] = [:]
    /// IDs of titles whose operators wait for a poster.
    var postersBeingMade: Set<String> = []
    /// Revisions of files that could not be read for duplicates, keyed by ID.
    var unreadable: [String: String] = [:]
    var settling: [LibrarySection: FileSettling] = [:]
    let trees: [WatchedTree]
    /// The watcher while it runs; `nil` if the system has none.
    var watcher: FolderWatcher?
    /// Times of the last scan of each section, while the folder is watched.
    var lastLooks: [LibrarySection: ContinuousClock.Instant] = [:]
    /// Sections that are being scanned.
    var scanning: Set<LibrarySection> = []
    /// Sections to rescan because an event does not tell what has changed.
    var sectionsToLookAt: Set<LibrarySection> = []
    /// Media files in the wrong section that have been reported in the log, per section.
    var misplaced: [LibrarySection: [String]] = [:]
    /// Unreachable folders that have been reported in the log, per section.
    var unreachable: [LibrarySection: [FolderListing.Unreachable]] = [:]

    /// - Parameters:
    ///   - worker: runs workers; `nil` for a process per job.
    ///   - clock: measures intervals between scans, and durations.
    ///   - now: the date, with which the dates of files are compared.
    /// - Throws: the file system's error if the data folder cannot be written.
    package init(
        configuration: VODLibraryConfiguration, catalogue: any CatalogueStore, worker: (any WorkerRunning)? = nil,
        fetcher: (any RemoteFetching)? = nil,
        threads: LibraryThreads = LibraryThreads(shared: .singleton), files: LibraryFiles = LibraryFiles(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }, logger: Logger
    ) throws {
        self.configuration = configuration
        self.catalogue = catalogue
        self.logger = logger
        self.threads = threads
        self.files = files
        self.fetcher = fetcher
        self.clock = clock
        self.now = now
        self.worker = worker ?? IngestWorkerProcess(executable: configuration.workerExecutable, threads: threads)
        trees = WatchedTree.all(of: configuration)
        queue = JobQueue(now: now)
        ledger = JobLedger(store: catalogue, now: now, logger: logger)
        importer = MediaImporter(mediaImport: MediaImport(mediaDirectory: configuration.mediaDirectory))
        ladderPolicy = configuration.ladder
        ladderStore = LadderStore(dataDirectory: configuration.dataDirectory)
        uploads = UploadStore(
            dataDirectory: configuration.dataDirectory, mediaDirectory: configuration.mediaDirectory, now: now,
            elapsed: clock.elapsed())
        derived = try DerivedFiles(dataDirectory: configuration.dataDirectory)
        cache = TitleIndexCache(
            maximumByteCount: configuration.maximumIndexCacheByteCount,
            maximumOpenTitleCount: configuration.maximumOpenTitleCount, threads: threads, files: files)
    }

    /// The threads on which the library reads, writes and deletes files.
    nonisolated var threadPool: NIOThreadPool { threads.library }

    /// Watches and ingests until the surrounding service group shuts down. Running workers are then killed, and their
    /// jobs are done again at the next start.
    ///
    /// - Parameter watching: `false` to do only what is requested.
    package func run(watching: Bool) async throws {
        try await takeUp()
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                for lane in IngestLane.allCases {
                    for _ in 0..<configuration.width(of: lane) { group.addTask { await self.work(in: lane) } }
                }
                if watching { group.addTask { await self.watch() } }
                group.addTask { await self.ledger.writeBehind() }
                group.addTask { await self.lookForDuplicatesInTurns() }
                if watching { group.addTask { await self.lookForStoryboardsInTurns() } }
                group.addTask { [queue, events = ledger.events, clock] in
                    while (try? await clock.sleep(for: JobEventHub.heartbeatInterval)) != nil { events.beat() }
                    // Tasks that wait for a job have to be told.
                    await queue.close()
                }
            }
        }
        ledger.events.close()
    }

    package func run() async throws { try await run(watching: true) }

    /// Recovers state after a crash: removes orphaned files and re-queues unfinished jobs.
    func takeUp() async throws {
        let titles = try await catalogue.allTitles()
        let tracks = try await catalogue.allTracks()
        let kept = Set(titles.flatMap(\.pathsInUse) + tracks.flatMap(\.pathsInUse))
        let (derived, mediaImport, uploads) = (derived, importer.mediaImport, uploads)
        let downloads = Set(
            try await catalogue.unfinishedJobs().filter { $0.kind == .download }.map { Self.incomingID(of: $0.number) })
        let count = try await threadPool.runIfActive {
            uploads.load()
            uploads.expire()
            uploads.deleteNotes(keeping: downloads)
            return mediaImport.deleteUnfinished() + derived.deleteOrphans(keeping: kept)
                + IncomingFile.deleteOrphans(
                    in: mediaImport.mediaDirectory, keeping: uploads.unfinishedIDs.union(downloads))
        }
        if count > 0 { logger.info("files of interrupted jobs deleted", metadata: ["count": "\(count)"]) }
        try await readCatalogue()
        try await takeUpJobs()
        try await finishUploads()
        // A title plays as soon as it is ready; its poster may not have been made before the shutdown.
        for title in titles { await queuePoster(for: title) }
        try await takeUpLadders(titles)
    }
}
