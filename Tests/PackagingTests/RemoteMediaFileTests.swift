import Foundation
import ISOBMFF
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Packaging

/// Has the ranges that the test lets it have.
private final class FakeContents: RemoteContents {
    struct Failure: Error {}

    private struct State {
        var present: Set<Int64> = []
        var readerCount = 0
        var fetches: [FileRange] = []
        var prefetches: [FileRange] = []
        var fails = false
    }

    private let state = Mutex(State())
    /// Ranges come in blocks of this size.
    static let blockByteCount: Int64 = 16

    var readerCount: Int { state.withLock { $0.readerCount } }
    var fetches: [FileRange] { state.withLock { $0.fetches } }
    var prefetches: [FileRange] { state.withLock { $0.prefetches } }
    func fail() { state.withLock { $0.fails = true } }

    private static func blocks(_ ranges: [FileRange]) -> Set<Int64> {
        Set(ranges.flatMap { $0.offset / blockByteCount...max($0.offset, $0.endOffset - 1) / blockByteCount })
    }

    func beginReading(_ ranges: [FileRange]) -> Bool {
        state.withLock { state in
            guard Self.blocks(ranges).isSubset(of: state.present) else { return false }
            state.readerCount += 1
            return true
        }
    }

    func endReading(_ ranges: [FileRange]) { state.withLock { $0.readerCount -= 1 } }

    func fetch(_ ranges: [FileRange], _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let fails = state.withLock { state in
            state.fetches += ranges
            if !state.fails { state.present.formUnion(Self.blocks(ranges)) }
            return state.fails
        }
        completion(fails ? .failure(Failure()) : .success(()))
    }

    func prefetch(_ ranges: [FileRange]) { state.withLock { $0.prefetches += ranges } }

    func fetchAndWait(_ ranges: [FileRange]) throws {
        let outcome = Mutex<Result<Void, any Error>>(.success(()))
        fetch(ranges) { result in outcome.withLock { $0 = result } }
        try outcome.withLock { $0 }.get()
    }
}

@Suite struct RemoteMediaFileTests {
    private let folder: TemporaryDirectory
    private let contents = FakeContents()
    private let file: MediaFile
    private let bytes = (0..<100).map { UInt8($0) }

    init() throws {
        folder = try TemporaryDirectory(label: "remote")
        try Data(bytes).write(to: URL(filePath: "\(folder.path)/cached"))
        file = try MediaFile(
            path: "/media/film.mp4", cachedAt: "\(folder.path)/cached",
            identity: .init(device: .max, inode: 1, byteCount: 100, modificationTime: 2), remote: contents)
    }

    @Test func whatIsNotHereIsNotRead() throws {
        #expect(file.isRemote && file.byteCount == 100 && file.isLinked)
        var buffer = ByteBuffer()
        let isRead = try file.appendRanges([FileRange(offset: 0, byteCount: 4)], to: &buffer, cachedOnly: true)
        #expect(!isRead)
        #expect(buffer.readableBytes == 0 && contents.fetches.isEmpty)
        #expect(file.whileResident(FileRange(offset: 0, byteCount: 4)) { true } == nil)
    }

    @Test func aReadThatMayWaitFetches() throws {
        #expect(Array(try file.read(at: 30, count: 10).readableBytesView) == Array(bytes[30..<40]))
        #expect(contents.fetches == [FileRange(offset: 30, byteCount: 10)])
        #expect(contents.readerCount == 0)
        // The second time it is here.
        _ = try file.read(at: 32, count: 4)
        #expect(contents.fetches.count == 1)
    }

    @Test func whatIsHereIsReadAtOnceAndStaysMeanwhile() async throws {
        let range = FileRange(offset: 48, byteCount: 16)
        try await file.fetch([range])
        var buffer = ByteBuffer()
        let isRead = try file.appendRanges([range], to: &buffer, cachedOnly: true)
        #expect(isRead)
        #expect(Array(buffer.readableBytesView) == Array(bytes[48..<64]))
        let readers = file.whileResident(range) { contents.readerCount }
        #expect(readers == 1 && contents.readerCount == 0)
        #expect(!file.fetch([range]) { _ in Issue.record("nothing has to be fetched") })
    }

    @Test func aStoreThatFailsIsAnError() async throws {
        contents.fail()
        #expect(throws: MediaFileError.self) { try file.read(at: 0, count: 1) }
        await #expect(throws: FakeContents.Failure.self) { try await file.fetch([FileRange(offset: 0, byteCount: 1)]) }
        #expect(contents.readerCount == 0)
    }

    @Test func aReaderFetchesItsNextPiece() async throws {
        let media = StoredMedia(
            file: file,
            runs: [
                .bytes(ByteBuffer(string: "head")), .file(FileRange(offset: 64, byteCount: 8)),
                .file(FileRange(offset: 0, byteCount: 8)),
            ])
        var reader = StoredMediaReader(media, range: 0..<20)
        var piece = ByteBuffer()
        let isHere = try reader.readPiece(20, into: &piece, cachedOnly: true)
        #expect(!isHere)
        #expect(reader.fetchPiece(20) { _ in })
        #expect(contents.fetches == [FileRange(offset: 64, byteCount: 8), FileRange(offset: 0, byteCount: 8)])
        let isRead = try reader.readPiece(20, into: &piece, cachedOnly: true)
        #expect(isRead)
        var expected = Array("head".utf8)
        expected += bytes[64..<72]
        expected += bytes[0..<8]
        #expect(Array(piece.readableBytesView) == expected)
        #expect(contents.readerCount == 0 && contents.prefetches.isEmpty)
    }

    @Test func whatFollowsAPieceIsBroughtWithIt() async throws {
        let media = StoredMedia(
            file: file,
            runs: [
                .file(FileRange(offset: 64, byteCount: 8)), .bytes(ByteBuffer(string: "head")),
                .file(FileRange(offset: 0, byteCount: 8)),
            ])
        let reader = StoredMediaReader(media, range: 0..<18)
        #expect(reader.fetchPiece(6) { _ in })
        #expect(contents.fetches == [FileRange(offset: 64, byteCount: 6)])
        #expect(
            contents.prefetches == [FileRange(offset: 70, byteCount: 2), FileRange(offset: 0, byteCount: 6)])
        // A piece that is here brings nothing.
        #expect(!reader.fetchPiece(6) { _ in Issue.record("nothing has to be fetched") })
        #expect(contents.prefetches.count == 2)
    }
}
