package import Database
package import Logging
import LogMetadata
package import MediaCore
package import MediaStorage
package import NIOPosix
package import Packaging
import Synchronization

/// The files of the library that lie in the media store instead of on this machine.
///
/// It is asked for a path as the library knows it. A file that lies on this machine comes first: where both exist, the
/// one in the store is about to be dropped.
package final class StoredFiles: Sendable {
    package let store: any MediaStore
    let cache: RangeCache
    let places: LibraryPlaces
    let rows: StoredFileRows
    /// Opens, reads and writes local files.
    let threads: NIOThreadPool
    let logger: Logger
    private let index: Mutex<StoredFileIndex>

    private init(
        store: any MediaStore, cache: RangeCache, places: LibraryPlaces, rows: StoredFileRows, threads: NIOThreadPool,
        index: StoredFileIndex, logger: Logger
    ) {
        (self.store, self.cache, self.places, self.rows) = (store, cache, places, rows)
        (self.threads, self.logger) = (threads, logger)
        self.index = Mutex(index)
    }

    /// Reads which files are in the store.
    ///
    /// - Parameters:
    ///   - database: the database of the catalogue.
    ///   - address: the address of the store, without credentials.
    ///   - store: the store.
    ///   - cache: the ranges that are kept on this machine.
    ///   - places: the folders of the library.
    ///   - threads: the threads on which local files are opened, read and written.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - wallClock: tells the time that is noted with each file.
    ///   - logger: receives the log.
    /// - Throws: ``StoredFilesError`` if files are in another store, and `SQLError`.
    package static func open(
        _ database: any SQLDatabase, address: String, store: any MediaStore, cache: RangeCache, places: LibraryPlaces,
        threads: NIOThreadPool, program: String, wallClock: WallClock = .system, logger: Logger
    ) async throws -> StoredFiles {
        try await SQLMigrator(StoredFileSchema.schema, program: program, wallClock: wallClock).migrate(database)
        let rows = StoredFileRows(database: database, wallClock: wallClock)
        if let other = try await rows.address(), other != address {
            throw StoredFilesError.otherStore(of: other, configured: address)
        }
        try await rows.setAddress(address)
        var index = StoredFileIndex()
        for file in try await rows.all() {
            if let path = places.path(ofPlace: file.place) { index[path] = file }
        }
        return StoredFiles(
            store: store, cache: cache, places: places, rows: rows, threads: threads, index: index, logger: logger)
    }

    /// Migrates the tables for a server without a media store.
    ///
    /// - Returns: the address of the store that files of the library are in; `nil` if all of them are on this machine.
    /// - Throws: `SQLError`
    package static func address(in database: any SQLDatabase, program: String) async throws -> String? {
        try await SQLMigrator(StoredFileSchema.schema, program: program).migrate(database)
        return try await StoredFileRows(database: database, wallClock: .system).address()
    }

    // MARK: What is in the store

    /// The file in the store that belongs at a path; `nil` if there is none. It never waits.
    package func file(at path: String) -> StoredFile? { index.withLock { $0[path] } }

    /// The paths of all files in the store.
    package var paths: [String] { index.withLock { Array($0.files.keys) } }

    /// The files in the store, by their paths on this machine, that begin with a folder's path.
    ///
    /// - Parameter folder: the path of a folder on this machine, with or without subfolders.
    package func files(below folder: String) -> [(path: String, file: StoredFile)] {
        let prefix = "\(folder)/".utf8
        return index.withLock { index in
            index.files.compactMap { path, file in path.utf8.starts(with: prefix) ? (path, file) : nil }
        }
    }

    /// The number of files in the store and the sum of their sizes in bytes.
    package var total: (count: Int, byteCount: Int64) {
        index.withLock { index in (index.files.count, index.files.values.reduce(0) { $0 + $1.byteCount }) }
    }

    /// The counters of the cache, and the size of its content.
    package var cacheStatistics: RangeCacheStatistics { cache.statistics }

    func note(_ file: StoredFile?, at path: String) { index.withLock { $0[path] = file } }

    // MARK: Reading

    /// Opens a file that is in the store; `nil` if there is none for the path.
    ///
    /// - Throws: `MediaStorageError`, and `MediaFileError` if the cache's file cannot be opened.
    package func open(_ path: String) async throws -> MediaFile? {
        guard let file = file(at: path) else { return nil }
        let object = try await cache.object(file.key, byteCount: file.byteCount, version: file.version)
        return try await threads.runIfActive {
            try MediaFile(
                path: path, cachedAt: object.path, identity: file.identity, remote: CachedContents(object: object))
        }
    }

    /// Copies a file from the store, for a program that needs all of it at once.
    ///
    /// - Parameters:
    ///   - path: the path of the file on this machine.
    ///   - target: the path of the copy, which must not exist.
    /// - Returns: false if the file is not in the store.
    /// - Throws: `MediaStorageError`, and ``StoredFilesError`` if the content is not what was put.
    package func copy(_ path: String, to target: String) async throws -> Bool {
        guard let file = file(at: path) else { return false }
        try await download(file, to: target)
        return true
    }

    // MARK: Deleting

    /// Drops the files that belong at these paths, and files directly in folders with these paths. Their objects are
    /// deleted now or, if the store does not answer, later.
    ///
    /// - Throws: `SQLError`; nothing has changed then.
    package func delete(_ paths: [String]) async throws {
        let found = index.withLock { index in
            (paths + paths.flatMap { index.paths(in: $0) }).compactMap { path in
                index[path].map { (path: path, key: $0.key) }
            }
        }
        guard !found.isEmpty else { return }
        try await rows.drop(found.map(\.key))
        for (path, key) in found {
            note(nil, at: path)
            await deleteObject(key)
        }
    }

    /// Deletes the objects that could not be deleted when they were dropped.
    ///
    /// - Throws: `SQLError`
    package func deleteDropped() async throws {
        var last = ""
        while true {
            let keys = try await rows.dropped(after: last, limit: Self.maximumDroppedCount)
            for key in keys {
                guard await deleteObject(key) else { return }
            }
            guard keys.count == Self.maximumDroppedCount, let end = keys.last else { return }
            last = end
        }
    }

    private static let maximumDroppedCount = 500

    /// - Returns: false if the store did not delete it.
    @discardableResult func deleteObject(_ key: String) async -> Bool {
        do {
            cache.forget(key)
            try await store.delete(key)
            try await rows.delete(key)
            return true
        } catch {
            // The row stays, and the object is deleted later.
            logger.info(
                "object could not be deleted from the media store; will retry",
                metadata: [.file: "\(key)", .error: "\(error)"])
            return false
        }
    }
}
