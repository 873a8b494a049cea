import Foundation
import TestSupport
import Testing

@testable import MediaStorage

/// The contents that a cache keeps from one run to the next, and its work while the store is away.
struct RangeCacheRestartTests {
    private let harness: CacheHarness
    private var store: FakeStore { harness.store }
    private static let block = CacheHarness.block
    private static let size = 100 * block - 100

    init() throws { harness = try CacheHarness() }

    private func at(_ blocks: Range<Int64>) -> Range<Int64> { CacheHarness.blocks(blocks) }

    private func object(_ cache: RangeCache, version: String = "v1") async throws -> CachedObject {
        try await cache.object("film.mp4", byteCount: Self.size, version: version)
    }

    private func fetchSomeBlocks() async throws {
        try await harness.run { cache in
            let film = try await object(cache)
            try await film.fetched(at(0..<2), at(7..<8), Self.size - 1..<Self.size)
        }
    }

    // MARK: Restart

    @Test func keepsItsContentAfterACleanShutdown() async throws {
        try await fetchSomeBlocks()
        #expect(try LocalFile.names(inFolder: harness.directory).count == 2)
        try await harness.run { cache in
            let film = try await object(cache)
            #expect(cache.statistics.presentByteCount == 4 * Self.block - 100)
            #expect(try film.leasedBytes(at(0..<2)) == testBytes(at(0..<2)))
            #expect(try film.leasedBytes(at(7..<8)) == testBytes(at(7..<8)))
            #expect(try film.leasedBytes(Self.size - 9..<Self.size) == testBytes(Self.size - 9..<Self.size))
            #expect(!film.beginReading([at(2..<3)]))
            // A crash from now on must not find the index again.
            #expect(try LocalFile.names(inFolder: harness.directory).count == 1)
        }
        #expect(store.reads.count == 3)
    }

    @Test func startsEmptyAfterACrash() async throws {
        try await fetchSomeBlocks()
        for name in try LocalFile.names(inFolder: harness.directory) where name.hasSuffix(".index") {
            try LocalFile.remove("\(harness.directory)/\(name)")
        }
        try await harness.run { cache in
            let film = try await object(cache)
            #expect(!film.beginReading([at(0..<1)]))
            #expect(cache.statistics.presentByteCount == 0)
            #expect(try LocalFile.names(inFolder: harness.directory).count == 1)
        }
    }

    @Test(arguments: [
        "", "{}", "{\"key\":\"film.mp4\",\"version\":\"v1\",\"byteCount\":1,\"blockByteCount\":65536,\"runs\":[0,1]}",
        "{\"key\":\"film.mp4\",\"version\":\"v1\",\"byteCount\":6553500,\"blockByteCount\":4096,\"runs\":[0,1]}",
        "{\"key\":\"film.mp4\",\"version\":\"v1\",\"byteCount\":6553500,\"blockByteCount\":65536,\"runs\":[99,2]}",
        "{\"key\":\"film.mp4\",\"version\":\"v1\",\"byteCount\":6553500,\"blockByteCount\":65536,\"runs\":[5,1,5,1]}",
        "{\"key\":\"../x\",\"version\":\"v1\",\"byteCount\":6553500,\"blockByteCount\":65536,\"runs\":[0,1]}",
    ])
    func doesNotTrustADamagedIndex(json: String) async throws {
        try await fetchSomeBlocks()
        let names = try LocalFile.names(inFolder: harness.directory)
        let index = try #require(names.first { $0.hasSuffix(".index") })
        try Data(json.utf8).write(to: URL(fileURLWithPath: "\(harness.directory)/\(index)"))
        try await harness.run { cache in
            let film = try await object(cache)
            #expect(!film.beginReading([at(0..<1)]))
            #expect(cache.statistics.presentByteCount == 0)
        }
    }

    @Test func aSmallerBoundHoldsFromTheStart() async throws {
        try await fetchSomeBlocks()
        try await harness.run(blocks: 2) { cache in
            _ = try await object(cache)
            #expect(cache.statistics.presentByteCount <= 2 * Self.block)
        }
    }

    @Test func callsFailAfterTheEnd() async throws {
        let log = FetchLog()
        let film = try await harness.run { cache in
            let film = try await object(cache)
            store.setGated(true)
            film.fetch([at(0..<1)], then: log.entry())
            try await eventually { store.waitingCount == 1 }
            return film
        }
        film.fetch([at(0..<1)], then: log.entry())
        #expect(log.codes == [.shutDown, .shutDown])
    }

    // MARK: The store is away

    private static let away = MediaStorageError(.unavailable, "away")

    @Test func presentBlocksServeWhileTheStoreIsAway() async throws {
        var settings = CacheHarness.settings
        settings.maximumReadAheadBlockCount = 0
        try await harness.run(settings: settings) { cache in
            let (film, log) = (try await object(cache), FetchLog())
            try await film.fetched(at(0..<2))
            // The success of the first request must not come behind the failures.
            try await eventually { cache.statistics.requestCount == 1 }
            store.setFailure(Self.away)
            for number in Int64(10)..<13 {
                await #expect(throws: MediaStorageError.self) {
                    try await film.fetched(at(number * 2..<number * 2 + 1))
                }
            }
            #expect(cache.statistics.isStoreAway && cache.statistics.errorCount == 3)
            #expect(try film.leasedBytes(at(0..<2)) == testBytes(at(0..<2)))
            // Hundreds of calls fail at once, and the store is left alone.
            for _ in 0..<500 { film.fetch([at(50..<51)], then: log.entry()) }
            #expect(log.count == 500 && log.codes.allSatisfy { $0 == .unavailable })
            #expect(store.reads.count == 4)

            // One call at a time finds out whether it is back.
            harness.clock.advance(by: .seconds(3))
            store.setGated(true)
            film.fetch([at(50..<51)], then: log.entry("trial"))
            try await eventually { store.waitingCount == 1 }
            film.fetch([at(60..<61)], then: log.entry("other"))
            #expect(log.names.last == "other" && log.codes.last == .unavailable)
            store.setFailure(nil)
            store.setGated(false)
            store.release()
            try await eventually { log.names.last == "trial" }
            #expect(log.codes.last == .some(nil))
            try await film.fetched(at(60..<61))
            #expect(!cache.statistics.isStoreAway)
        }
    }

    @Test func anAnswerThatRefusesDoesNotMeanAway() async throws {
        try await harness.run { cache in
            let film = try await object(cache)
            store.setFailure(MediaStorageError(.changed, "replaced"))
            for number in Int64(0)..<5 {
                let error = await #expect(throws: MediaStorageError.self) {
                    try await film.fetched(at(number * 2..<number * 2 + 1))
                }
                #expect(error?.code == .changed)
            }
            #expect(!cache.statistics.isStoreAway)
            #expect(cache.statistics.presentByteCount == 0)
        }
    }

    @Test func refusesAFolderThatCannotBeUsed() async throws {
        try harness.folder.write("a file", to: "cache")
        let error = await #expect(throws: MediaStorageError.self) { try await harness.run { _ in } }
        #expect(error?.code == .localFile || error?.code == .notFound)
    }
}
