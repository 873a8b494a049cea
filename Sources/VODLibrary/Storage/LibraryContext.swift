import Catalogue
import Foundation
import LibraryStorage
import LogMetadata
import Logging
import MediaCore
import MediaWorker
import NIOPosix

/// The folders, records, threads and clocks that all parts of the library share.
struct LibraryContext: Sendable {
    let configuration: VODLibraryConfiguration
    let catalogue: any CatalogueStore
    let derived: DerivedFiles
    let cache: TitleIndexCache
    let threads: LibraryThreads
    let files: LibraryFiles
    /// Measures durations and intervals.
    let clock: any Clock<Duration>
    /// Measures the intervals between looks at the folders.
    let scanClock: any Clock<Duration>
    /// Tells the time with which the dates of files are compared.
    let wallClock: WallClock
    let logger: Logger

    /// The threads on which the library reads, writes and deletes files.
    var threadPool: NIOThreadPool { threads.library }

    /// Deletes derived files on a thread that may wait for the disk, because a storyboard's folder has many files.
    /// Other paths are ignored.
    func deleteDerived(_ paths: [String?]) async {
        let (derived, paths) = (derived, paths.compactMap(\.self))
        guard !paths.isEmpty else { return }
        await threadPool.runToEnd { for path in paths { derived.delete(path) } }
        await deleteStored(paths.filter(derived.contains))
    }

    /// Drops files from the media store: those at the paths, and those in folders with the paths. The record that named
    /// them is gone, so a failure is only logged; the next start finds what is left.
    func deleteStored(_ paths: [String]) async {
        do {
            try await files.stored?.delete(paths)
        } catch {
            logger.warning(
                "files could not be deleted from the media store; will retry at the next start",
                metadata: [.error: "\(error)"])
        }
    }

    /// Closes the titles at these paths, and deletes those of the paths that are derived files.
    func dropDerived(_ paths: [String]) async {
        for path in paths { await cache.remove(path: path) }
        await deleteDerived(paths)
    }
}
