package import Catalogue
package import Foundation
package import Logging
import NIOPosix
import ServiceLifecycle

/// The video club and the radio: watches the media folder, makes what it finds playable, and opens it for viewers.
package actor VODLibrary: Service {
    let configuration: VODLibraryConfiguration
    let catalogue: any CatalogueStore
    let derived: DerivedFiles
    let cache: TitleIndexCache
    let worker: any WorkerRunning
    let queue: JobQueue
    let ladderStore: LadderStore
    /// What is made of every title; another one comes with another configuration.
    var ladderPolicy: LadderPolicy
    /// Whole ones, by title.
    var finishedLadders: [String: LadderStore.Folder] = [:]
    /// Titles whose qualities failed, or that an operator wants none for: they are not made by themselves.
    var declinedLadders: Set<String> = []
    /// What was chosen for those that wait or are being made.
    var chosenLadders: [String: LadderRequest] = [:]
    let ledger: JobLedger
    /// Of the jobs that are being done, so that each can be ended by itself.
    var runningTasks: [IngestJob: Task<Void, any Error>] = [:]
    let importer: MediaImporter
    let uploads: UploadStore
    /// `nil` where nothing is fetched from elsewhere.
    let fetcher: (any RemoteFetching)?
    let logger: Logger
    let threads: LibraryThreads
    let files: LibraryFiles
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    /// What the catalogue holds, by file name: read once, and kept up with every write of ours.
    var known: [LibrarySection: KnownFiles] = [:]
    /// Ids of records whose files are being given their new names.
    var moving: Set<String> = []
    var hasReadCatalogue = false
    var awaitingPoster: [TitleRecord] = []
    /// Where something is ready that has not been looked at for duplicates.
    var undigestedSections = Set(LibrarySection.allCases)
    /// Row numbers up to which files have been looked at for that.
    var lastDigested: [LibrarySection: Int64] = [:]
    /// Where a title may be ready that has no storyboard.
    var mayNeedStoryboards = true
    /// Row number up to which titles have been looked at for that.
    var lastStoryboarded: Int64 = 0
    /// Revisions of titles that have been tried already, by id.
    var unstoryboarded: [String: String] = [:]
    /// Titles whose operators wait for a poster.
    var postersBeingMade: Set<String> = []
    /// Revisions of files that could not be read for duplicates, by id.
    var unreadable: [String: String] = [:]
    var settling: [LibrarySection: FileSettling] = [:]
    let trees: [WatchedTree]
    /// While it runs, and where the system has it.
    var watcher: FolderWatcher?
    /// When each section was scanned last, while the folder is watched.
    var lastLooks: [LibrarySection: ContinuousClock.Instant] = [:]
    /// Sections that are being scanned.
    var scanning: Set<LibrarySection> = []
    /// Where something has happened that only a look tells.
    var sectionsToLookAt: Set<LibrarySection> = []
    /// Media files in the wrong section, as the log has been told.
    var misplaced: [LibrarySection: [String]] = [:]
    /// As the log has been told.
    var unreachable: [LibrarySection: [FolderListing.Unreachable]] = [:]

    /// - Parameters:
    ///   - worker: a process for each job, unless a test has another idea.
    ///   - clock: for the time between looks, and for how long things take.
    ///   - now: the date, which files' dates are compared with.
    /// - Throws: where the data folder cannot be written.
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

    /// For what the library itself reads, writes and deletes.
    nonisolated var threadPool: NIOThreadPool { threads.library }

    /// Watches and ingests until the surrounding service group shuts down; running workers are killed then, and
    /// their jobs done again at the next start.
    ///
    /// - Parameter watching: `false` to do only what is asked for.
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
                    // Who waits for a job has to be told.
                    await queue.close()
                }
            }
        }
        ledger.events.close()
    }

    package func run() async throws { try await run(watching: true) }

    /// Brings order into what a kill left behind.
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
        if count > 0 { logger.info("files of jobs that were cut off are deleted", metadata: ["count": "\(count)"]) }
        try await readCatalogue()
        try await takeUpJobs()
        try await finishUploads()
        // A title plays from the moment it is ready; its poster may not have been made by then.
        for title in titles { await queuePoster(for: title) }
        try await takeUpLadders(titles)
    }
}
