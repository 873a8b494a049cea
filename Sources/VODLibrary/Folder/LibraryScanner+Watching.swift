import Foundation
import LibraryCore
import Logging
import LogMetadata
import MediaCore
import MediaFolders
import NIOPosix

extension LibraryScanner {
    /// Interval between two scans of folders whose changes are reported, in case a change was missed.
    static let watchedScanInterval = Duration.seconds(30)

    /// Scans the folders regularly, and examines files as soon as their writer has closed them. Runs until the task is
    /// cancelled.
    func watch() async {
        let watcher = try? await context.threadPool.runIfActive { [trees] in
            FolderWatcher(paths: trees.map(\.path))
        }
        if watcher == nil {
            context.logger.warning("inotify is not available; media folder is scanned at intervals")
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
                try? await context.threadPool.runIfActive { watcher.completeTrees() }
            }
            for section in LibrarySection.allCases where isScanDue(section, last: lastScans[section]) {
                await scanNow(section)
            }
            try? await jobs.queueAwaited()
            await context.cache.dropAgedIngested()
            await housekeeping()
            try? await context.scanClock.sleep(for: context.configuration.scanInterval)
        }
    }

    /// Scans a section, unless a scan of it is running: two interleaved scans would mistake each other's work for
    /// changes.
    private func scanNow(_ section: LibrarySection) async {
        guard scanning.insert(section).inserted else {
            scans.insert(section)
            return
        }
        defer { scanning.remove(section) }
        lastScans[section] = .now
        scans.remove(section)
        do {
            try await scan(section)
        } catch is CancellationError {
            // The server is stopping.
        } catch {
            context.logger.error(
                "media folder cannot be scanned",
                metadata: [.section: "\(section.rawValue)", .error: "\(error)"])
        }
    }

    /// Scans a section at once, unless that was done a moment ago, so that a program that copies a thousand folders
    /// does not cause a thousand scans.
    private func scanAtOnce(_ section: LibrarySection) async {
        if let last = lastScans[section], ContinuousClock.now - last < context.configuration.scanInterval { return }
        await scanNow(section)
    }

    private func isScanDue(_ section: LibrarySection, last: ContinuousClock.Instant?) -> Bool {
        guard let watcher, let last else { return true }
        // Two scans in quick succession would take a file that is still being written for settled.
        guard ContinuousClock.now - last >= FileSettling.quietPeriod else { return false }
        let isTold = trees.enumerated().allSatisfy { index, tree in
            tree.section != section || watcher.isComplete(tree: index)
        }
        return !isTold || scans.contains(section) || ContinuousClock.now - last >= Self.watchedScanInterval
    }

    private func follow(_ watcher: FolderWatcher) async {
        for await _ in watcher.signals {
            for (tree, changes) in zip(trees, watcher.takeChanges()) {
                // What lies beside a media file is read by a scan, which knows which file it belongs to.
                if changes.needsScan || changes.finished.contains(where: CompanionFiles.takes)
                    || changes.attributed.contains(where: { wasForbidden(tree.prefix + $0, in: tree.section) })
                {
                    scans.insert(tree.section)
                }
                guard !changes.finished.isEmpty else { continue }
                do {
                    try await examine(changes.finished.map { tree.prefix + $0 }, in: tree.section)
                } catch is CancellationError {
                    return
                } catch {
                    context.logger.error(
                        "new files cannot be examined",
                        metadata: [.section: "\(tree.section.rawValue)", .error: "\(FileErrorText(error))"])
                }
            }
            for section in LibrarySection.allCases where scans.contains(section) {
                await scanAtOnce(section)
            }
        }
    }

    /// Returns whether a file failed because the server may not read it.
    private func wasForbidden(_ name: String, in section: LibrarySection) -> Bool {
        known.record(ofFile: name, in: section)?.wasForbidden == true
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
        known.record(ofFile: file.name, in: section) == nil
            && !known.names(ofRevision: file.revision, in: section).isEmpty
    }

    /// Processes files that have been completely written, without scanning all others and without waiting for them to
    /// settle.
    func examine(_ names: [String], in section: LibrarySection) async throws {
        try await known.read(from: context.catalogue)
        let folder = folder(section)
        let closed = try await context.threadPool.runIfActive { names.compactMap { folder.file(named: $0) } }
        // Some programs create a file, close it, and then open it again for writing.
        let files = closed.filter { $0.byteCount > 0 && !isBeingWritten($0.name, in: section) }
        if files.count < closed.count { scans.insert(section) }
        // Between file systems, `mv` copies the file, and deletes the source when the copy has been closed.
        if files.contains(where: { hasTwin($0, in: section) }) { try await context.clock.sleep(for: Self.moveGrace) }
        let forbidden = try await forbidden(files, in: section)
        let busy = await jobs.busyIDs(in: section)
        var records: [String: KnownRecord] = [:]
        for file in files { records[file.name] = known.record(ofFile: file.name, in: section) }
        let difference = LibraryDifference(
            listing: FolderListing(files: files), known: records, forbidden: forbidden, isSettled: { _ in true },
            isBusy: busy.contains)
        try await intake.apply(difference, to: section, jobs: jobs)
    }
}
