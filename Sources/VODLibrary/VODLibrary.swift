package import Catalogue
package import Foundation
package import Logging
package import NIOPosix
import ServiceLifecycle

/// The video club and the radio: watches the media folder, makes what it finds playable, and opens it for viewers.
package actor VODLibrary: Service {
    let configuration: VODLibraryConfiguration
    let catalogue: any CatalogueStore
    let derived: DerivedFiles
    let cache: TitleIndexCache
    let worker: any WorkerRunning
    let queue: JobQueue
    let ladderJobs = LadderJobs()
    let ladderStore: LadderStore
    /// Whole ones, by title.
    var finishedLadders: [String: LadderStore.Folder] = [:]
    let importer: MediaImporter
    let logger: Logger
    let threadPool: NIOThreadPool
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    /// What the catalogue holds, by file name: read once, and kept up with every write of ours.
    var known: [LibrarySection: [String: LibraryDifference.Known]] = [:]
    var hasReadCatalogue = false
    var awaitingPoster: [TitleRecord] = []
    var settling: [LibrarySection: FileSettling] = [:]
    /// As the log has been told.
    var unreachable: [LibrarySection: [FolderListing.Unreachable]] = [:]

    /// - Parameters:
    ///   - worker: a process for each job, unless a test has another idea.
    ///   - clock: for the time between looks, and for how long things take.
    ///   - now: the date, which files' dates are compared with.
    /// - Throws: where the data folder cannot be written.
    package init(
        configuration: VODLibraryConfiguration, catalogue: any CatalogueStore, worker: (any WorkerRunning)? = nil,
        threadPool: NIOThreadPool = .singleton, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }, logger: Logger
    ) throws {
        self.configuration = configuration
        self.catalogue = catalogue
        self.logger = logger
        self.threadPool = threadPool
        self.clock = clock
        self.now = now
        self.worker = worker ?? IngestWorkerProcess(executable: configuration.workerExecutable)
        queue = JobQueue(now: now)
        importer = MediaImporter(mediaImport: MediaImport(mediaDirectory: configuration.mediaDirectory))
        ladderStore = LadderStore(dataDirectory: configuration.dataDirectory)
        derived = try DerivedFiles(dataDirectory: configuration.dataDirectory)
        cache = TitleIndexCache(
            maximumByteCount: configuration.maximumIndexCacheByteCount,
            maximumOpenTitleCount: configuration.maximumOpenTitleCount, threadPool: threadPool)
    }

    /// Watches and ingests until the surrounding service group shuts down; running workers are killed then, and
    /// their jobs done again at the next start.
    package func run() async throws {
        try await takeUp()
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                for lane in IngestLane.allCases {
                    for _ in 0..<configuration.width(of: lane) { group.addTask { await self.work(in: lane) } }
                }
                group.addTask { await self.makeLadders() }
                group.addTask { await self.watch() }
            }
        }
    }

    /// Brings order into what a kill left behind.
    func takeUp() async throws {
        let titles = try await catalogue.allTitles()
        let tracks = try await catalogue.allTracks()
        let kept = Set(titles.flatMap(\.pathsInUse) + tracks.flatMap(\.pathsInUse))
        let (derived, mediaImport) = (derived, importer.mediaImport)
        let count = try await threadPool.runIfActive {
            mediaImport.deleteUnfinished() + derived.deleteOrphans(keeping: kept)
        }
        if count > 0 { logger.info("files of jobs that were cut off are deleted", metadata: ["count": "\(count)"]) }
        try await readCatalogue()
        // A title plays from the moment it is ready; its poster may not have been made by then.
        for title in titles { await queuePoster(for: title) }
        try await takeUpLadders(titles)
    }

    private func watch() async {
        while !Task.isCancelled {
            for section in LibrarySection.allCases {
                do {
                    try await scan(section)
                } catch {
                    logger.error(
                        "the media folder cannot be looked through",
                        metadata: ["folder": "\(section.rawValue)", "error": "\(error)"])
                }
            }
            await cache.dropAgedIngested()
            try? await clock.sleep(for: configuration.scanInterval)
        }
        await queue.close()
        await ladderJobs.close()
    }
}
