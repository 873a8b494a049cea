package import Catalogue
import Foundation
package import Logging
package import NIOPosix
import Packaging
import ServiceLifecycle

/// The video club and the radio: watches the media folder, makes what it finds playable, and opens it for viewers.
package actor VODLibrary: Service {
    let configuration: VODLibraryConfiguration
    let catalogue: Catalogue
    let derived: DerivedFiles
    let cache: TitleIndexCache
    let worker: any WorkerRunning
    let queue = JobQueue()
    let logger: Logger
    let threadPool: NIOThreadPool
    /// Files that changed since the last look: left alone until a look finds them as they were.
    private var unsettled: [String: String] = [:]

    /// A file that was changed less than this many seconds ago may still be being written.
    static let settlingSeconds = 1.0

    /// - Parameter worker: a process for each job, unless a test has another idea.
    /// - Throws: where the data folder cannot be written.
    package init(
        configuration: VODLibraryConfiguration, catalogue: Catalogue, worker: (any WorkerRunning)? = nil,
        threadPool: NIOThreadPool = .singleton, logger: Logger
    ) throws {
        self.configuration = configuration
        self.catalogue = catalogue
        self.logger = logger
        self.threadPool = threadPool
        self.worker = worker ?? IngestWorkerProcess(executable: configuration.workerExecutable)
        derived = try DerivedFiles(dataDirectory: configuration.dataDirectory)
        cache = TitleIndexCache(
            maximumByteCount: configuration.maximumIndexCacheByteCount, threadPool: threadPool)
    }

    /// Watches and ingests until the surrounding service group shuts down; running workers are killed then, and
    /// their jobs done again at the next start.
    package func run() async throws {
        try await deleteOrphans()
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                for _ in 0..<max(1, configuration.maximumConcurrentJobCount) {
                    group.addTask { await self.work() }
                }
                group.addTask { await self.watch() }
            }
        }
    }

    // MARK: Watching

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
            try? await Task.sleep(for: configuration.scanInterval)
        }
        await queue.close()
    }

    func scan(_ section: LibrarySection) async throws {
        let folder = MediaFolder(section: section, mediaDirectory: configuration.mediaDirectory)
        let files = try await threadPool.runIfActive { try folder.files() }.filter(isSettled)
        let known = try await known(in: section)
        let busy = await queue.busyIDs()
        let difference = LibraryDifference(
            files: files, known: Dictionary(known.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }),
            isBusy: busy.contains)
        for id in difference.vanished { try await remove(id: id, section: section) }
        for file in difference.added { _ = try await register(file, section: section) }
        for (id, file) in difference.changed { try await replace(id: id, with: file, section: section) }
        for id in difference.interrupted {
            guard let file = known.first(where: { $0.value.id == id })?.key else { continue }
            await queue.add(IngestJob(task: section == .titles ? .title : .track, id: id, fileName: file))
        }
    }

    /// What has not changed for a second, or not since the last look.
    private func isSettled(_ file: FoundFile) -> Bool {
        let age = Date().timeIntervalSince1970 - Double(file.modificationTime) / 1e9
        if age >= Self.settlingSeconds || age < 0 || unsettled[file.path] == file.revision {
            unsettled.removeValue(forKey: file.path)
            return true
        }
        unsettled[file.path] = file.revision
        return false
    }

    private func known(in section: LibrarySection) async throws -> [String: LibraryDifference.Known] {
        switch section {
        case .titles:
            Dictionary(
                try await catalogue.allTitles().map {
                    ($0.file, .init(id: $0.id, revision: $0.revision, isFinal: $0.state.isFinal))
                }, uniquingKeysWith: { first, _ in first })
        case .tracks:
            Dictionary(
                try await catalogue.allTracks().map {
                    ($0.file, .init(id: $0.id, revision: $0.revision, isFinal: $0.state.isFinal))
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    // MARK: Records come and go

    /// - Returns: the new record's id.
    func register(_ file: FoundFile, section: LibrarySection) async throws -> String {
        let name = TitleIngest.title(fromFileName: file.name)
        switch section {
        case .titles:
            if let existing = try await catalogue.title(file: file.name) { return existing.id }
            let record = try await catalogue.add(
                TitleRecord(
                    id: "", title: name, file: file.name, sourcePath: file.path,
                    byteCount: file.byteCount, modifiedAt: file.modifiedAt, revision: file.revision, addedAt: Date()))
            await queue.add(IngestJob(task: .title, id: record.id, fileName: file.name))
            return record.id
        case .tracks:
            if let existing = try await catalogue.track(file: file.name) { return existing.id }
            let record = try await catalogue.add(
                AudioTrackRecord(
                    id: "", title: name, file: file.name, sourcePath: file.path,
                    byteCount: file.byteCount, modifiedAt: file.modifiedAt, revision: file.revision, addedAt: Date()))
            await queue.add(IngestJob(task: .track, id: record.id, fileName: file.name))
            return record.id
        }
    }

    /// The file has other content now: the record keeps its id and starts anew.
    private func replace(id: String, with file: FoundFile, section: LibrarySection) async throws {
        switch section {
        case .titles:
            guard var record = try await catalogue.title(id: id) else { return }
            await dropDerived([record.mediaPath, record.poster])
            record.state = .queued
            record.error = nil
            record.mediaPath = nil
            record.poster = nil
            record.sourcePath = file.path
            record.byteCount = file.byteCount
            record.modifiedAt = file.modifiedAt
            record.revision = file.revision
            try await catalogue.save(record)
        case .tracks:
            guard var record = try await catalogue.track(id: id) else { return }
            await dropDerived([record.mediaPath, record.cover])
            record.state = .queued
            record.error = nil
            record.mediaPath = nil
            record.cover = nil
            record.sourcePath = file.path
            record.byteCount = file.byteCount
            record.modifiedAt = file.modifiedAt
            record.revision = file.revision
            try await catalogue.save(record)
        }
        await queue.add(IngestJob(task: section == .titles ? .title : .track, id: id, fileName: file.name))
    }

    private func remove(id: String, section: LibrarySection) async throws {
        switch section {
        case .titles:
            guard let record = try await catalogue.title(id: id) else { return }
            try await catalogue.deleteTitle(id: id)
            await dropDerived([record.mediaPath, record.poster])
        case .tracks:
            guard let record = try await catalogue.track(id: id) else { return }
            try await catalogue.deleteTrack(id: id)
            await dropDerived([record.mediaPath, record.cover])
        }
        logger.info("its file has gone", metadata: ["id": "\(id)", "section": "\(section.rawValue)"])
    }

    private func dropDerived(_ paths: [String?]) async {
        for case let path? in paths {
            await cache.forget(path: path)
            derived.delete(path)
        }
    }

    private func deleteOrphans() async throws {
        let titles = try await catalogue.allTitles()
        let tracks = try await catalogue.allTracks()
        let kept = Set(
            titles.flatMap { [$0.mediaPath, $0.poster] }.compactMap(\.self)
                + tracks.flatMap { [$0.mediaPath, $0.cover] }.compactMap(\.self))
        let derived = derived
        let count = try await threadPool.runIfActive { derived.deleteOrphans(keeping: kept) }
        if count > 0 { logger.info("files of jobs that were cut off are deleted", metadata: ["count": "\(count)"]) }
    }
}
