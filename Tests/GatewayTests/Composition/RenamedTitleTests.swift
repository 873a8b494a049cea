import Catalogue
import Database
import DatabaseTestSupport
import Foundation
import GatewayTestSupport
import Logging
import MediaCore
import MediaIntake
import MediaWorker
import NIOPosix
import Packaging
import TestSupport
import Testing
import VODLibrary

@testable import Gateway
@testable import HLSDelivery

/// An encrypted title stays encrypted when its file is renamed.
@Suite(.eachEngine, .timeLimit(.minutes(1))) struct RenamedTitleTests {
    private let folder: TemporaryDirectory
    private let library: VODLibrary
    private let source: LibraryTitleSource
    private let keys: TitleKeys

    private struct NoWorker: WorkerRunning {
        func run(
            _ request: WorkerRequest, onProgress: @escaping @Sendable (Double) -> Void
        ) async throws -> WorkerResult { throw CancellationError() }
    }

    init() throws {
        folder = try TemporaryDirectory(label: "renamed")
        for name in ["media/vod/x", "media/audio/x", "data/x"] { _ = try folder.file(name) }
        let catalogue = try Catalogue.open(TestDatabase.address(inFolder: "\(folder.path)/data"))
        library = try VODLibrary(
            configuration: VODLibraryConfiguration(
                mediaDirectory: "\(folder.path)/media", dataDirectory: "\(folder.path)/data",
                workerExecutable: "/bin/false"),
            catalogue: catalogue, worker: NoWorker(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        keys = try TitleKeys(directory: "\(folder.path)/data/keys")
        source = LibraryTitleSource(
            catalogue: catalogue, library: library,
            extras: LibraryTitleExtras(
                keys: keys, threadPool: .singleton, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    }

    private func key(_ address: TitleAddress) async throws -> (key: TitleKey, revision: String)? {
        guard case .ready(_, let revision, let extras) = try await source.packagedTitle(at: address) else { return nil }
        return extras.encryption.map { ($0.key, revision) }
    }

    @Test func aRenamedFileIsNeverInTheClear() async throws {
        let path = "\(folder.path)/media/vod/film.mp4"
        try FileManager.default.copyItem(atPath: await MovieFixture.bFrames.path(), toPath: path)
        guard case .title(let film) = try await library.ingest(path: path) else {
            Issue.record("a track")
            return
        }
        let id = try #require(MediaName(film.id))
        try keys.set(.encrypted(.aes128), ofTitle: film.id)
        let old = try #require(try await key(.title(id: id)))
        let newPath = try folder.file("media/vod/elsewhere/new.mp4")
        try FileManager.default.moveItem(atPath: path, toPath: newPath)
        // Until the library has noticed the move, the old name stays known and the new name is unknown.
        #expect(try await key(.title(id: id))?.key == old.key)
        guard case .unknown = try await source.packagedTitle(at: .titleFile(name: "elsewhere/new.mp4")) else {
            Issue.record("known under its new name without its choices")
            return
        }
        // The watcher or a scan would do this.
        _ = try await library.ingest(path: newPath)
        for address in [
            TitleAddress.title(id: id), .titleFile(name: "elsewhere/new.mp4"), .titleFile(name: "film.mp4"),
        ] {
            let new = try #require(try await key(address))
            #expect(new.key == old.key && new.revision == old.revision)
        }
    }

    @Test func aTitleWhoseFileIsNotWhereItWasIsAskedForAgain() async throws {
        let path = "\(folder.path)/media/vod/film.mp4"
        try FileManager.default.copyItem(atPath: await MovieFixture.bFrames.path(), toPath: path)
        guard case .title(let film) = try await library.ingest(path: path) else {
            Issue.record("a track")
            return
        }
        let id = try #require(MediaName(film.id))
        try FileManager.default.removeItem(atPath: path)
        guard case .notReady(let reason) = try await source.packagedTitle(at: .title(id: id)) else {
            Issue.record("not told to come again")
            return
        }
        #expect(reason == "the file has just been moved or removed; try again")
    }
}
