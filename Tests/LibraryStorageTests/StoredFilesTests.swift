import Database
import DatabaseTestSupport
import Foundation
import MediaCore
import MediaStorage
import NIOCore
import Packaging
import TestSupport
import Testing

@testable import LibraryStorage

@Suite(.eachEngine) struct StoredFilesTests {
    private func text(_ file: MediaFile) async throws -> String {
        let range = FileRange(offset: 0, byteCount: Int(file.byteCount))
        try await file.fetch([range])
        return String(buffer: try file.read(at: 0, count: Int(file.byteCount)))
    }

    @Test func aFileGoesToTheStoreAndIsReadFromThere() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        let identity = try #require(MediaFile.identity(ofFileAt: path))
        try await fixture.opened { files, _ in
            #expect(try await files.moveToStore(path) == .moved(byteCount: 6))
            #expect(!fixture.exists("media/vod/film.mp4"))
            let stored = try #require(files.file(at: path))
            #expect(stored.byteCount == identity.byteCount && stored.modificationTime == identity.modificationTime)
            #expect(files.files(below: fixture.path("media/vod")).map(\.path) == [path])
            #expect(files.total.count == 1 && files.total.byteCount == 6)
            let file = try #require(try await files.open(path))
            #expect(file.isRemote && file.path == path && file.identity == stored.identity && file.isLinked)
            #expect(try await text(file) == "a film")
            #expect(try await files.verify(path, readsContent: true) == 6)
        }
        let keys = try await fixture.keys
        #expect(keys.count == 1 && keys[0].hasPrefix("media/vod/film.mp4."))
        // The next start finds it.
        try await fixture.opened { files, _ in
            let file = try #require(try await files.open(path))
            #expect(try await text(file) == "a film")
        }
    }

    @Test func aFileComesBackAsItWas() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        let identity = try #require(MediaFile.identity(ofFileAt: path))
        try await fixture.opened { files, _ in
            _ = try await files.moveToStore(path)
            #expect(try await files.bringBack(path) == .moved(byteCount: 6))
            #expect(files.file(at: path) == nil)
            #expect(try await files.open(path) == nil)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a film")
        // The same revision: nothing is ingested again.
        #expect(MediaFile.identity(ofFileAt: path)?.modificationTime == identity.modificationTime)
        #expect(try await fixture.keys.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path("media/vod")) == ["film.mp4"])
    }

    @Test func aStoreThatFailsCostsNothing() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        try await fixture.opened { files, database in
            for fault in [FaultyStore.Fault.put, .head] {
                fixture.store.fail([fault])
                await #expect(throws: MediaStorageError.self) { try await files.moveToStore(path) }
                #expect(fixture.exists("media/vod/film.mp4") && files.file(at: path) == nil)
            }
            fixture.store.fail([.wrongChecksum])
            await #expect(throws: StoredFilesError.self) { try await files.moveToStore(path) }
            #expect(fixture.exists("media/vod/film.mp4") && files.file(at: path) == nil)
            fixture.store.fail([])
            #expect(try await fixture.keys.isEmpty)
            let count: Int? = try await database.read { db in try db.firstValue("SELECT count(*) FROM storedFile") }
            #expect(count == 0)
            #expect(try await files.moveToStore(path) == .moved(byteCount: 6))
        }
    }

    @Test func anObjectThatCannotBeDeletedIsDeletedLater() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        try await fixture.opened { files, _ in
            _ = try await files.moveToStore(path)
            fixture.store.fail([.delete])
            try await files.delete([path])
            #expect(files.file(at: path) == nil)
            #expect(try await fixture.keys.count == 1)
        }
        fixture.store.fail([])
        try await fixture.opened { files, _ in
            #expect(files.file(at: path) == nil)
            try await files.deleteDropped()
        }
        #expect(try await fixture.keys.isEmpty)
    }

    @Test func aFileThatChangesWhileItIsPutStays() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        fixture.store.afterPut { try? Data("another film".utf8).write(to: URL(filePath: path)) }
        try await fixture.opened { files, _ in
            let error = await #expect(throws: StoredFilesError.self) { try await files.moveToStore(path) }
            #expect(error?.code == .changed)
            #expect(files.file(at: path) == nil)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "another film")
        #expect(try await fixture.keys.isEmpty)
    }

    /// The server was killed after the note and before it deleted the local file.
    @Test func aFileThatIsInBothPlacesIsMovedOnce() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        try FileManager.default.linkItem(atPath: path, toPath: fixture.path("kept"))
        try await fixture.opened { files, _ in
            _ = try await files.moveToStore(path)
            try FileManager.default.linkItem(atPath: fixture.path("kept"), toPath: path)
            #expect(try await files.moveToStore(path) == .moved(byteCount: 6))
            #expect(!fixture.exists("media/vod/film.mp4"))
            #expect(try await fixture.keys.count == 1)
        }
    }

    /// The server was killed while it put the object: it is not known whether the store has it.
    @Test func anObjectOfAKilledServerIsDeletedAfterADay() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        try await fixture.opened { files, _ in
            try await files.rows.begin("media/vod/film.mp4.0", place: "media/vod/film.mp4")
            _ = try await fixture.store.put(fileAt: path, as: "media/vod/film.mp4.0", contentType: "video/mp4")
        }
        try await fixture.opened { files, _ in
            #expect(files.file(at: path) == nil)
            try await files.deleteDropped()
            // Another server may be putting it.
            #expect(try await fixture.keys.count == 1)
            fixture.clock.advance(by: StoredFileRows.maximumPutDuration + .seconds(1))
            try await files.deleteDropped()
            #expect(try await fixture.keys.isEmpty)
        }
    }

    @Test func aNewFileOfTheSameNameReplacesTheObject() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        try await fixture.opened { files, _ in
            _ = try await files.moveToStore(path)
            try fixture.write("a longer film", to: "media/vod/film.mp4")
            #expect(try await files.moveToStore(path) == .moved(byteCount: 13))
            let file = try #require(try await files.open(path))
            #expect(try await text(file) == "a longer film")
        }
        #expect(try await fixture.keys.count == 1)
    }

    @Test func filesInAFolderAreDroppedWithIt() async throws {
        let fixture = try StorageFixture()
        let folder = "data/storyboards/film"
        try FileManager.default.createDirectory(atPath: fixture.path(folder), withIntermediateDirectories: true)
        let paths = try ["1.jpg", "2.jpg"].map { try fixture.write("image", to: "\(folder)/\($0)") }
        let other = try fixture.write("image", to: "data/movies/film.mp4")
        try await fixture.opened { files, _ in
            for path in paths + [other] { _ = try await files.moveToStore(path) }
            try await files.delete([fixture.path(folder)])
            #expect(files.paths == [other])
        }
        #expect(try await fixture.keys.count == 1)
    }

    @Test func contentThatWasChangedInTheStoreIsFound() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        try await fixture.opened { files, _ in
            _ = try await files.moveToStore(path)
            let key = try #require(files.file(at: path)?.key)
            try fixture.write("b film", to: "store/\(key)")
            await #expect(throws: (any Error).self) { try await files.verify(path, readsContent: true) }
            await #expect(throws: (any Error).self) { try await files.bringBack(path) }
            #expect(files.file(at: path) != nil && !fixture.exists("media/vod/film.mp4"))
            try FileManager.default.removeItem(atPath: fixture.path("store/\(key)"))
            let error = await #expect(throws: StoredFilesError.self) {
                try await files.verify(path, readsContent: false)
            }
            #expect(error?.description == "media/vod/film.mp4 is missing in the media store")
        }
    }

    @Test func otherBytesThanWerePutAreFound() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        try await fixture.opened { files, _ in
            _ = try await files.moveToStore(path)
            fixture.store.fail([.otherBytes])
            let expected = StoredFilesError(
                .corrupted, "media/vod/film.mp4 has another content in the media store than it had here")
            await #expect(throws: expected) { try await files.verify(path, readsContent: true) }
            await #expect(throws: expected) { try await files.bringBack(path) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path("media/vod")).isEmpty)
            fixture.store.fail([])
            #expect(try await files.bringBack(path) == .moved(byteCount: 6))
        }
    }

    @Test func aFolderThatIsMissingIsNotMadeForAFileThatComesBack() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        try await fixture.opened { files, _ in
            _ = try await files.moveToStore(path)
            try FileManager.default.removeItem(atPath: fixture.path("media/vod"))
            let error = await #expect(throws: MediaStorageError.self) { try await files.bringBack(path) }
            #expect(error?.code == .localFile)
            #expect(!fixture.exists("media/vod") && files.file(at: path) != nil)
        }
    }

    @Test func anotherStoreIsRefusedWhileFilesAreInTheFirst() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "media/vod/film.mp4")
        try await fixture.opened { files, database in
            #expect(try await StoredFiles.address(in: database, program: "test") == nil)
            _ = try await files.moveToStore(path)
            #expect(try await StoredFiles.address(in: database, program: "test") == "/store")
        }
        let error = await #expect(throws: StoredFilesError.self) {
            try await fixture.opened(address: "s3://other") { _, _ in }
        }
        #expect(error?.code == .otherStore)
        #expect(error?.description.contains("/store") == true && error?.description.contains("s3://other") == true)
        try await fixture.opened { files, _ in _ = try await files.bringBack(path) }
        try await fixture.opened(address: "s3://other") { _, _ in }
    }

    @Test func pathsOutsideTheLibraryAreRefused() async throws {
        let fixture = try StorageFixture()
        let path = try fixture.write("a film", to: "film.mp4")
        try await fixture.opened { files, _ in
            await #expect(throws: StoredFilesError.self) { try await files.moveToStore(path) }
            let moving = try await files.moveToStore(fixture.path("media/vod/none.mp4"))
            #expect(moving == .nothing)
        }
        #expect(fixture.exists("film.mp4"))
    }
}
