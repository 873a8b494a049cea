import Database
import DatabaseTestSupport
import Foundation
import Logging
import MediaCore
import MediaStorage
import NIOPosix
import TestSupport

@testable import LibraryStorage

/// The folders of a library, a media store in another folder, and a database.
struct StorageFixture: Sendable {
    let folder: TemporaryDirectory
    let database: TestDatabase
    let clock = TestClock()
    let store: FaultyStore

    init() throws {
        folder = try TemporaryDirectory(label: "library-storage")
        database = try TestDatabase()
        for name in ["media/vod", "data/recordings", "data/movies", "store"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        store = FaultyStore(FolderStore(root: "\(folder.path)/store", threads: .singleton))
    }

    var places: LibraryPlaces {
        LibraryPlaces(
            mediaDirectory: "\(folder.path)/media", recordingsDirectory: "\(folder.path)/data/recordings",
            dataDirectory: "\(folder.path)/data")
    }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The keys of all objects.
    var keys: [String] {
        get async throws { try await store.list(prefix: "", after: nil, limit: 1_000).map(\.key) }
    }

    /// Opens the files as a server that starts does, and closes them at the end of `body`.
    func opened(
        address: String = "/store", _ body: @Sendable (StoredFiles, any SQLDatabase) async throws -> Void
    ) async throws {
        let opened = try await database.open()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let cache = RangeCache(
            directory: path("cache"), maximumByteCount: 64 << 20, store: store, threads: .singleton, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await cache.run() }
            do {
                let files = try await StoredFiles.open(
                    opened, address: address, store: store, cache: cache, places: places, threads: .singleton,
                    program: "test", wallClock: clock.wallClock, logger: logger)
                try await body(files, opened)
            } catch {
                cache.shutDown()
                await opened.close()
                throw error
            }
            cache.shutDown()
            try await group.waitForAll()
        }
        await opened.close()
    }
}
