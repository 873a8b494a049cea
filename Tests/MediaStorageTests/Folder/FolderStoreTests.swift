import Foundation
import NIOPosix
import TestSupport
import Testing

@testable import MediaStorage

struct FolderStoreTests {
    private let folder: TemporaryDirectory
    private let store: FolderStore

    init() throws {
        folder = try TemporaryDirectory(label: "folder-store")
        try FileManager.default.createDirectory(atPath: "\(folder.path)/root", withIntermediateDirectories: false)
        store = FolderStore(root: "\(folder.path)/root", threads: .singleton)
    }

    private func put(_ text: String, _ key: String) async throws -> StoredObject {
        try await store.put(fileAt: folder.write(text, to: "source"), as: key, contentType: "video/mp4")
    }

    @Test func keepsWhatWasPut() async throws {
        let content = testBytes(0..<700_000)
        let source = try folder.write(content, to: "source")
        let object = try await store.put(fileAt: source, as: "movies/a film.mp4", contentType: "video/mp4")
        #expect(object.byteCount == 700_000 && object.sha256?.count == 64)
        #expect(try bytesOfFile("\(store.root)/movies/a film.mp4") == content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(store.root)/movies") == ["a film.mp4"])

        let head = try await store.head("movies/a film.mp4")
        #expect(head?.version == object.version && head?.byteCount == 700_000)
        #expect(try await store.bytes("movies/a film.mp4", 262_100..<600_000) == testBytes(262_100..<600_000))
        #expect(try await store.bytes("movies/a film.mp4", 5..<5) == [])

        try await store.copy("movies/a film.mp4", to: "copies/b.mp4")
        #expect(try await store.bytes("copies/b.mp4", 0..<700_000) == content)
        try await store.delete("movies/a film.mp4")
        try await store.delete("movies/a film.mp4")
        #expect(try await store.head("movies/a film.mp4") == nil)
        #expect(try await store.head("movies") == nil)
        #expect(try await store.head("copies/b.mp4/c") == nil)
    }

    @Test func noticesThatAFileWasReplaced() async throws {
        let first = try await put("first", "film.mp4")
        let second = try await put("other", "film.mp4")
        #expect(first.version != second.version)
        let error = await #expect(throws: MediaStorageError.self) {
            try await store.bytes("film.mp4", 0..<5, version: first.version)
        }
        #expect(error?.code == .changed)
        #expect(try await store.bytes("film.mp4", 0..<5, version: second.version) == Array("other".utf8))
    }

    @Test func saysWhatIsMissing() async throws {
        let missing = await #expect(throws: MediaStorageError.self) { try await store.bytes("film.mp4", 0..<5) }
        #expect(missing?.code == .notFound)
        #expect(missing?.description == "cannot read film.mp4: there is no such file in \(store.root)")
        let source = await #expect(throws: MediaStorageError.self) {
            try await store.put(fileAt: "\(folder.path)/none", as: "film.mp4", contentType: "video/mp4")
        }
        #expect(source?.code == .localFile)
        let copy = await #expect(throws: MediaStorageError.self) { try await store.copy("film.mp4", to: "b.mp4") }
        #expect(copy?.code == .notFound)
        _ = try await put("first", "film.mp4")
        let below = await #expect(throws: MediaStorageError.self) { try await put("x", "film.mp4/other.mp4") }
        #expect(below?.code == .localFile)
        let range = await #expect(throws: MediaStorageError.self) { try await store.bytes("film.mp4", 3..<6) }
        #expect(range?.code == .invalidRequest)
    }

    @Test(arguments: ["../outside", "/etc/passwd", "a/../../b", "a//b", ""])
    func staysInItsFolder(key: String) async throws {
        let source = try folder.write("x", to: "source")
        await #expect(throws: MediaStorageError.self) {
            try await store.put(fileAt: source, as: key, contentType: "video/mp4")
        }
        await #expect(throws: MediaStorageError.self) { try await store.bytes(key, 0..<1) }
        await #expect(throws: MediaStorageError.self) { try await store.head(key) }
        await #expect(throws: MediaStorageError.self) { try await store.delete(key) }
        await #expect(throws: MediaStorageError.self) { try await store.copy("a", to: key) }
    }

    @Test func listsInTheOrderOfTheKeysBytes() async throws {
        // As S3 orders them: a folder's keys sort with their slash.
        let keys = ["a!", "a-b/c", "a.mp4", "a/b", "a/b.mp4", "a/c/d", "a0", "año", "b/x", "z"]
        for key in keys.shuffled() { _ = try await put(key, key) }
        try folder.write("half", to: "root/a/.antena-write-1")
        try FileManager.default.createSymbolicLink(atPath: "\(store.root)/loop", withDestinationPath: store.root)
        let sorted = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(try await store.list(prefix: "", after: nil, limit: 100).map(\.key) == sorted)
        for limit in 1...4 {
            var found: [String] = []
            while true {
                let page = try await store.list(prefix: "", after: found.last, limit: limit).map(\.key)
                found += page
                if page.count < limit { break }
            }
            #expect(found == sorted)
        }
        #expect(try await store.list(prefix: "a/", after: nil, limit: 9).map(\.key) == ["a/b", "a/b.mp4", "a/c/d"])
        #expect(try await store.list(prefix: "a/b", after: "a/b", limit: 9).map(\.key) == ["a/b.mp4"])
        #expect(try await store.list(prefix: "a-", after: nil, limit: 9).map(\.byteCount) == [5])
        #expect(try await store.list(prefix: "none/", after: nil, limit: 9).isEmpty)
    }

    @Test func aReadThatIsCancelledEnds() async throws {
        let source = try folder.write(testBytes(0..<700_000), to: "source")
        _ = try await store.put(fileAt: source, as: "film.mp4", contentType: "video/mp4")
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await store.read("film.mp4", range: 0..<700_000, version: nil) { _ in
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                }
            }
        }
    }
}
