import Foundation
import Logging
import MediaCore
import NIOPosix

/// A tree of files that is scanned and watched.
struct WatchedTree: Sendable, Hashable {
    var section: LibrarySection
    var path: String
    /// Prefix of the names below it in the catalogue.
    var prefix = ""

    /// All trees; the number of a tree is its index in this list.
    static func all(of configuration: VODLibraryConfiguration) -> [WatchedTree] {
        var trees = LibrarySection.allCases.map { section in
            WatchedTree(
                section: section,
                path: MediaFolder(section: section, mediaDirectory: configuration.mediaDirectory).path)
        }
        if let path = configuration.recordingsDirectory {
            trees.append(WatchedTree(section: .titles, path: path, prefix: "\(MediaFolder.recordingsPrefix)/"))
        }
        return trees
    }
}

extension VODLibrary {
    /// Interval between two scans of folders whose changes are reported, in case a change was missed.
    static let watchedScanInterval = Duration.seconds(30)

    /// Scans the folders regularly, and examines files as soon as their writer has closed them. Runs until the task is
    /// cancelled.
    func watch() async {
        let watcher = try? await threadPool.runIfActive { [trees] in FolderWatcher(paths: trees.map(\.path)) }
        if watcher == nil {
            logger.warning("inotify is not available; media folder is scanned at intervals")
        }
        self.watcher = watcher
        await withTaskGroup(of: Void.self) { group in
            if let watcher { group.addTask { await self.follow(watcher) } }
            group.addTask { await self.scanRegularly() }
        }
        watcher?.close()
        self.watcher = nil
    }

    private func scanRegularly() async {
        var lastCompletion = ContinuousClock.now
        while !Task.isCancelled {
            if let watcher, ContinuousClock.now - lastCompletion >= Self.watchedScanInterval {
                lastCompletion = .now
                try? await threadPool.runIfActive { watcher.completeTrees() }
            }
            for section in LibrarySection.allCases where isScanDue(section, last: lastLooks[section]) {
                await scanNow(section)
            }
            try? await queueAwaitedPosters()
            await cache.dropAgedIngested()
            _ = try? await threadPool.runIfActive { [uploads] in uploads.expire() }
            try? await clock.sleep(for: configuration.scanInterval)
        }
    }

    /// Scans a section, unless a scan of it is running: two interleaved scans would mistake each other's work for
    /// changes.
    private func scanNow(_ section: LibrarySection) async {
        guard scanning.insert(section).inserted else {
            sectionsToLookAt.insert(section)
            return
        }
        defer { scanning.remove(section) }
        lastLooks[section] = .now
        sectionsToLookAt.remove(section)
        do {
            try await scan(section)
        } catch is CancellationError {
            // The server is stopping.
        } catch {
            logger.error(
                "media folder cannot be scanned",
                metadata: ["folder": "\(section.rawValue)", "error": "\(error)"])
        }
    }

    /// Scans a section at once, unless that was done a moment ago, so that a program that copies a thousand folders
    /// does not cause a thousand scans.
    private func scanAtOnce(_ section: LibrarySection) async {
        if let last = lastLooks[section], ContinuousClock.now - last < configuration.scanInterval { return }
        await scanNow(section)
    }

    private func isScanDue(_ section: LibrarySection, last: ContinuousClock.Instant?) -> Bool {
        guard let watcher, let last else { return true }
        // Two scans in quick succession would take a file that is still being written for settled.
        guard ContinuousClock.now - last >= .seconds(FileSettling.quietSeconds) else { return false }
        let isTold = trees.enumerated().allSatisfy { index, tree in
            tree.section != section || watcher.isComplete(tree: index)
        }
        return !isTold || sectionsToLookAt.contains(section) || ContinuousClock.now - last >= Self.watchedScanInterval
    }

    private func follow(_ watcher: FolderWatcher) async {
        for await _ in watcher.signals {
            for (tree, changes) in zip(trees, watcher.takeChanges()) {
                if changes.needsLook { sectionsToLookAt.insert(tree.section) }
                guard !changes.finished.isEmpty else { continue }
                do {
                    try await look(at: changes.finished.map { tree.prefix + $0 }, in: tree.section)
                } catch is CancellationError {
                    return
                } catch {
                    logger.error(
                        "new files cannot be examined",
                        metadata: ["folder": "\(tree.section.rawValue)", "error": "\(FileErrorText(error))"])
                }
            }
            for section in LibrarySection.allCases where sectionsToLookAt.contains(section) {
                await scanAtOnce(section)
            }
        }
    }

    /// Returns whether a program that writes to the file has it open, as far as the system reports.
    func isBeingWritten(_ name: String, in section: LibrarySection) -> Bool {
        guard let watcher else { return false }
        for (index, tree) in trees.enumerated() where tree.section == section && name.hasPrefix(tree.prefix) {
            if watcher.isBeingWritten(String(name.dropFirst(tree.prefix.count)), tree: index) { return true }
        }
        return false
    }

    /// Time for the source of a copy to be deleted.
    private static let moveGrace = Duration.milliseconds(500)

    /// Returns whether a new file looks like a known one under another name.
    private func hasTwin(_ file: FoundFile, in section: LibrarySection) -> Bool {
        guard let known = known[section], known[file.name] == nil else { return false }
        return !known.names(ofRevision: file.revision).isEmpty
    }

    /// Processes files that have been completely written, without scanning all others and without waiting for them to
    /// settle.
    func look(at names: [String], in section: LibrarySection) async throws {
        try await readCatalogue()
        let folder = MediaFolder(section: section, configuration: configuration)
        let closed = try await threadPool.runIfActive { names.compactMap { folder.file(named: $0) } }
        // Some programs create a file, close it, and then open it again for writing.
        let files = closed.filter { $0.byteCount > 0 && !isBeingWritten($0.name, in: section) }
        if files.count < closed.count { sectionsToLookAt.insert(section) }
        // Between file systems, `mv` copies the file, and deletes the source when the copy has been closed.
        if files.contains(where: { hasTwin($0, in: section) }) { try await clock.sleep(for: Self.moveGrace) }
        let busy = await queue.busyIDs(in: section)
        var known: [String: LibraryDifference.Known] = [:]
        for file in files { known[file.name] = self.known[section]?[file.name] }
        try await apply(
            LibraryDifference(
                listing: FolderListing(files: files), known: known, isSettled: { _ in true }, isBusy: busy.contains),
            to: section)
    }
}
