import Database
import DatabaseTestSupport
import Foundation
import LibraryCore
import LibraryStorage
import Logging
import MediaStorage
import NIOPosix
import TestSupport

@testable import VODLibrary

/// A library whose files may lie in a media store, which is another folder.
struct StoredLibrary: Sendable {
    let fixture: LibraryFixture
    let stored: StoredFiles
    let mover: MediaMover
    private let folder: TemporaryDirectory

    var storeFolder: String { "\(folder.path)/store" }

    /// Runs a test with a library.
    static func with(
        worker: FakeWorker = FakeWorker(), _ body: @Sendable (StoredLibrary) async throws -> Void
    ) async throws {
        let folder = try TemporaryDirectory(label: "stored-library")
        for name in ["store", "library/data"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        let library = "\(folder.path)/library"
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = FolderStore(root: "\(folder.path)/store", threads: .singleton)
        let cache = RangeCache(
            directory: "\(folder.path)/cache", maximumByteCount: 64 << 20, store: store, threads: .singleton,
            logger: logger)
        let database = try await TestDatabase.address(inFolder: "\(library)/data").open()
        let stored = try await StoredFiles.open(
            database, address: "/store", store: store, cache: cache,
            places: LibraryPlaces(
                mediaDirectory: "\(library)/media", recordingsDirectory: "\(library)/data/recordings",
                dataDirectory: "\(library)/data"),
            threads: .singleton, program: "test", logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await cache.run() }
            let result: Result<Void, any Error>
            do {
                let fixture = try LibraryFixture(
                    folder: library, worker: worker, files: LibraryFiles(stored: stored), clock: .anHourAhead())
                guard let mover = fixture.library.mover else { throw CancellationError() }
                let test = StoredLibrary(fixture: fixture, stored: stored, mover: mover, folder: folder)
                result = .success(try await body(test))
            } catch {
                result = .failure(error)
            }
            cache.shutDown()
            try await group.waitForAll()
            try result.get()
        }
        await database.close()
    }

    /// Samples all files, lets the time for images pass, and moves what can be moved.
    func move() async throws {
        for section in LibrarySection.allCases { try await fixture.library.duplicates.search(section) }
        fixture.clock.advance(by: MediaMover.imagePeriod)
        try await mover.moveAll()
    }

    func isLocal(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
