import Foundation
import NIOPosix
import TestSupport
import Testing

@testable import MediaStorage

struct RangeCacheTests {
    private let harness: CacheHarness
    private var store: FakeStore { harness.store }
    private static let block = CacheHarness.block

    init() throws { harness = try CacheHarness() }

    /// Blocks as bytes.
    private func at(_ blocks: Range<Int64>) -> Range<Int64> { CacheHarness.blocks(blocks) }

    private func object(
        _ cache: RangeCache, _ key: String = "film.mp4", blocks: Int64 = 100, version: String = "v1"
    ) async throws -> CachedObject {
        // The last block is not complete.
        try await cache.object(key, byteCount: blocks * Self.block - 100, version: version)
    }

    // MARK: Reading

    @Test func readsWhatWasFetched() async throws {
        try await harness.run { cache in
            let film = try await object(cache)
            let range = Int64(70_000)..<200_000
            #expect(!film.beginReading([range]))
            try await film.fetched(range)
            #expect(try film.leasedBytes(range) == testBytes(range))
            #expect(store.reads == [FakeStore.Read(key: "film.mp4", range: at(1..<4), version: "v1")])
            // The end of the object is within a block.
            let end = film.byteCount - 50..<film.byteCount
            try await film.fetched(end)
            #expect(try film.leasedBytes(end) == testBytes(end))
            // A request ends a moment after its last block has come.
            try await eventually { cache.statistics.requestCount == 2 }
            let statistics = cache.statistics
            #expect(statistics.hitCount == 2 && statistics.missCount == 1)
            #expect(statistics.presentByteCount == 4 * Self.block - 100)
            #expect(statistics.fetchedByteCount == statistics.presentByteCount)
            #expect(try LocalFile.status(of: film.path)?.byteCount == film.byteCount)
            #expect(try #require(try LocalFile.status(of: film.path)).allocatedByteCount < 6 * Self.block)
        }
    }

    @Test func refusesRangesOutsideTheObject() async throws {
        try await harness.run { cache in
            let film = try await object(cache)
            #expect(!film.beginReading([film.byteCount - 1..<film.byteCount + 1]))
            let error = await #expect(throws: MediaStorageError.self) {
                try await film.fetched(film.byteCount..<film.byteCount + 1)
            }
            #expect(error?.code == .invalidRequest)
            // What no cache of this size can hold at once.
            let whole = await #expect(throws: MediaStorageError.self) { try await film.fetched(at(0..<65)) }
            #expect(whole?.code == .invalidRequest)
            #expect(store.reads.isEmpty)
        }
    }

    @Test func waitingThreadsGetTheirBlocks() async throws {
        try await harness.run { cache in
            let film = try await object(cache)
            try await NIOThreadPool.singleton.blocking { try film.fetchBlocking([0..<10, 500..<900]) }
            #expect(film.beginReading([0..<900]))
            film.endReading([0..<900])
            store.setGated(true)
            let error = await #expect(throws: MediaStorageError.self) {
                try await NIOThreadPool.singleton.blocking {
                    try film.fetchBlocking([CacheHarness.blocks(5..<6)], within: .milliseconds(20))
                }
            }
            #expect(error?.code == .unavailable)
            store.release()
        }
    }

    // MARK: Requests

    @Test func callsForTheSameBlockShareARequest() async throws {
        try await harness.run { cache in
            store.setGated(true)
            let (film, log) = (try await object(cache), FetchLog())
            for number in 0..<50 { film.fetch([Int64(number)..<60_000 + Int64(number)], then: log.entry()) }
            try await eventually { store.waitingCount == 1 }
            #expect(cache.statistics.waitingCallCount == 50)
            store.release()
            try await eventually { log.count == 50 }
            #expect(store.ranges == [at(0..<1)])
            #expect(log.codes.allSatisfy { $0 == nil })
            #expect(cache.statistics.waitingCallCount == 0)
        }
    }

    @Test func neighboursAreFetchedTogetherUpToEightBlocks() async throws {
        var settings = CacheHarness.settings
        settings.maximumReadAheadBlockCount = 0
        try await harness.run(settings: settings) { cache in
            let film = try await object(cache)
            try await film.fetched(at(3..<4))
            try await film.fetched(at(0..<1), at(2..<5), at(10..<30), at(1..<2))
            let sorted = store.ranges.sorted { $0.lowerBound < $1.lowerBound }
            #expect(sorted == [at(0..<3), at(3..<4), at(4..<5), at(10..<18), at(18..<26), at(26..<30)])
            #expect(try film.leasedBytes(at(10..<30)) == testBytes(at(10..<30)))
        }
    }

    @Test func limitsRequestsAndWaitingCalls() async throws {
        var settings = CacheHarness.settings
        (settings.maximumRequestCount, settings.maximumWaitingCallCount) = (3, 10)
        try await harness.run(settings: settings) { cache in
            store.setGated(true)
            let (film, log) = (try await object(cache), FetchLog())
            for number in 0..<12 { film.fetch([at(Int64(number) * 5..<Int64(number) * 5 + 1)], then: log.entry()) }
            #expect(log.codes == [.busy, .busy])
            try await eventually { store.waitingCount == 3 }
            #expect(store.reads.count == 3)
            store.setGated(false)
            store.release()
            try await eventually { log.count == 12 }
            #expect(store.reads.count == 10)
        }
    }

    @Test func limitsTheBytesInFlightOfAnObject() async throws {
        var settings = CacheHarness.settings
        settings.maximumObjectByteCountInFlight = 10 * Self.block
        try await harness.run(settings: settings) { cache in
            store.setGated(true)
            let (film, other, log) = (
                try await object(cache), try await object(cache, "other.mp4"), FetchLog()
            )
            film.fetch([at(0..<32)], then: log.entry())
            other.fetch([at(0..<1)], then: log.entry("other"))
            try await eventually { store.waitingCount == 2 }
            #expect(Set(store.reads.map(\.key)) == ["film.mp4", "other.mp4"])
            store.setGated(false)
            store.release()
            try await eventually { log.count == 2 }
            #expect(store.reads.count == 5)
        }
    }

    @Test func readsAheadOfSequentialReaders() async throws {
        try await harness.run { cache in
            let film = try await object(cache)
            try await film.fetched(at(0..<1))
            try await film.fetched(at(1..<2))
            // One block ahead, then two, by reading alone.
            try await eventually { film.beginReading([at(2..<3)]) }
            film.endReading([at(2..<3)])
            try await eventually { film.beginReading([at(3..<5)]) }
            film.endReading([at(3..<5)])
            try await eventually { store.reads.count >= 4 && cache.statistics.presentByteCount >= 8 * Self.block }
            // Requests run side by side, and may reach the store in any order.
            #expect(Set(store.ranges.prefix(4)) == [at(0..<1), at(1..<2), at(2..<3), at(3..<5)])
            // Nobody asked for more, so it is not fetched again and again.
            #expect(store.ranges.allSatisfy { $0.upperBound <= 20 * Self.block })
        }
    }

    @Test func whatWillBeReadIsFetchedInOneRequestWithinTheLimit() async throws {
        try await harness.run { cache in
            let film = try await object(cache)
            try await film.fetched(at(30..<31))
            // Out of order, overlapping, and partly present.
            film.prefetch([at(33..<34), at(30..<32), at(31..<33)])
            try await eventually { film.beginReading([at(30..<34)]) }
            film.endReading([at(30..<34)])
            #expect(store.ranges.prefix(2) == [at(30..<31), at(31..<34)])
            film.prefetch([at(50..<99)])
            let limit = Int64(CacheHarness.settings.maximumReadAheadBlockCount)
            try await eventually { film.beginReading([at(50..<(50 + limit))]) }
            film.endReading([at(50..<(50 + limit))])
            film.prefetch([(-5)..<3])
            #expect(store.ranges.allSatisfy { $0.upperBound <= (50 + limit) * Self.block })
        }
    }

    @Test func whatACallWaitsForComesBeforeReadAhead() async throws {
        var settings = CacheHarness.settings
        settings.maximumRequestCount = 1
        try await harness.run(settings: settings) { cache in
            let (film, other, log) = (
                try await object(cache), try await object(cache, "other.mp4"), FetchLog()
            )
            try await film.fetched(at(0..<1))
            store.setGated(true)
            film.fetch([at(1..<2)], then: log.entry("1"))
            try await eventually { store.waitingCount == 1 }
            // The read-ahead of block 2 is queued by now.
            other.fetch([at(50..<51)], then: log.entry("other"))
            store.release()
            try await eventually { log.count == 1 && store.waitingCount == 1 }
            #expect(store.reads.last?.key == "other.mp4")
            store.setGated(false)
            store.release()
            try await eventually { log.count == 2 && store.reads.count >= 4 }
            #expect(store.reads[3].key == "film.mp4" && store.reads[3].range == at(2..<3))
        }
    }

    // MARK: Space

    @Test func theLeastRecentlyUsedBlocksMakeRoom() async throws {
        try await harness.run(blocks: 10) { cache in
            let film = try await object(cache)
            for number in stride(from: Int64(0), to: 40, by: 4) { try await film.fetched(at(number..<number + 1)) }
            // The first one is used again.
            #expect(film.beginReading([at(0..<1)]))
            film.endReading([at(0..<1)])
            try await film.fetched(at(50..<52))
            #expect(cache.statistics.presentByteCount == 10 * Self.block)
            #expect(cache.statistics.evictionCount == 2 && harness.disk.holeCount == 2)
            let present = stride(from: Int64(0), to: 40, by: 4).filter { number in
                guard film.beginReading([at(number..<number + 1)]) else { return false }
                film.endReading([at(number..<number + 1)])
                return true
            }
            #expect(present == [0, 12, 16, 20, 24, 28, 32, 36])
            // The disk has its space back.
            #expect(try #require(try LocalFile.status(of: film.path)).allocatedByteCount <= 11 * Self.block)
        }
    }

    @Test func leasedBlocksStay() async throws {
        try await harness.run(blocks: 10) { cache in
            let (film, log) = (try await object(cache), FetchLog())
            try await film.fetched(at(0..<8))
            #expect(film.beginReading([at(0..<8)]))
            try await film.fetched(at(20..<22))
            try await film.fetched(at(30..<32))
            #expect(try film.leasedBytes(at(0..<8)) == testBytes(at(0..<8)))
            #expect(!film.beginReading([at(20..<22)]))
            // There is no room for this one until the lease ends.
            film.fetch([at(40..<44)], then: log.entry())
            try await film.fetched(at(30..<31))
            #expect(log.count == 0 && cache.statistics.presentByteCount <= 10 * Self.block)
            film.endReading([at(0..<8)])
            try await eventually { log.count == 1 }
            #expect(log.codes == [nil])
            #expect(try film.leasedBytes(at(40..<44)) == testBytes(at(40..<44)))
            #expect(cache.statistics.presentByteCount <= 10 * Self.block)
        }
    }

    @Test func theBoundHoldsWhileManyRead() async throws {
        try await harness.run(blocks: 24) { cache in
            let films = [
                try await object(cache, "a"), try await object(cache, "b"), try await object(cache, "c"),
            ]
            try await withThrowingTaskGroup(of: Int64.self) { group in
                for reader in 0..<6 {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(reader))
                        var largest: Int64 = 0
                        for _ in 0..<40 {
                            let film = films[Int.random(in: 0..<3, using: &random)]
                            let start = Int64.random(in: 0..<6_000_000, using: &random)
                            let range = start..<start + Int64.random(in: 1...150_000, using: &random)
                            for _ in 0..<20 {
                                if let bytes = try film.leasedBytes(range) {
                                    #expect(bytes == testBytes(range))
                                    break
                                }
                                try await film.fetched(range)
                            }
                            largest = max(largest, cache.statistics.presentByteCount)
                        }
                        return largest
                    }
                }
                for try await largest in group { #expect(largest <= 24 * Self.block) }
            }
            let allocated = try films.reduce(Int64(0)) {
                $0 + (try LocalFile.status(of: $1.path)?.allocatedByteCount ?? 0)
            }
            #expect(allocated <= 25 * Self.block)
        }
    }

    @Test func aFullDiskMakesTheCacheSmallerForAWhile() async throws {
        try await harness.run(blocks: 20) { cache in
            let film = try await object(cache)
            for number in Int64(0)..<10 { try await film.fetched(at(number * 3..<number * 3 + 1)) }
            harness.disk.failWrites(1)
            // Written when others have been given up.
            try await film.fetched(at(50..<51))
            #expect(try film.leasedBytes(at(50..<51)) == testBytes(at(50..<51)))
            #expect(cache.statistics.maximumByteCount < 11 * Self.block)
            #expect(cache.statistics.presentByteCount <= 9 * Self.block)
            // Nothing helps.
            harness.disk.failWrites(2)
            let error = await #expect(throws: MediaStorageError.self) { try await film.fetched(at(60..<61)) }
            #expect(error?.code == .localFile && error?.description.contains("the disk is full") == true)
            #expect(!cache.statistics.isStoreAway)
            // Everything goes on, and the bound comes back.
            try await film.fetched(at(60..<61))
            #expect(try film.leasedBytes(at(60..<61)) == testBytes(at(60..<61)))
            harness.clock.advance(by: .seconds(601))
            #expect(cache.statistics.maximumByteCount == 20 * Self.block)
        }
    }

    // MARK: Versions

    @Test func anotherVersionReplacesTheFormerOne() async throws {
        try await harness.run { cache in
            let old = try await object(cache)
            try await old.fetched(at(0..<2))
            let new = try await object(cache, version: "v2")
            #expect(new.path != old.path && !new.beginReading([at(0..<1)]))
            // Readers of the former one may go on.
            #expect(try old.leasedBytes(at(0..<2)) == testBytes(at(0..<2)))
            try await new.fetched(at(0..<1))
            #expect(store.reads.last?.version == "v2")
        }
    }

    @Test func filesGoWithTheLastHandle() async throws {
        try await harness.run { cache in
            var film: CachedObject? = try await object(cache)
            let again = try await object(cache)
            let path = try #require(film?.path)
            #expect(again.path == path)
            try await film?.fetched(at(0..<2))
            cache.forget("film.mp4")
            film = nil
            #expect(try again.leasedBytes(at(0..<2)) == testBytes(at(0..<2)))
            #expect(try LocalFile.status(of: path) != nil)
        }
        // What was forgotten is not kept, and neither is a file without blocks.
        #expect(try LocalFile.names(inFolder: harness.directory).isEmpty)
    }

    @Test func aForgottenObjectWithoutHandlesGoesAtOnce() async throws {
        try await harness.run { cache in
            let path: String
            do {
                let film = try await object(cache)
                try await film.fetched(at(0..<2))
                path = film.path
            }
            try await eventually { cache.statistics.presentByteCount == 2 * Self.block }
            #expect(try LocalFile.status(of: path) != nil)
            cache.forget("film.mp4")
            try await eventually { try LocalFile.status(of: path) == nil }
            #expect(cache.statistics.presentByteCount == 0)
        }
    }

    // MARK: Whole objects

    @Test func copiesAWholeObjectAndChecksIt() async throws {
        let destination = try harness.folder.file("copies/film.mp4")
        try await harness.run { cache in
            let film = try await object(cache, blocks: 3)
            store.setHead(StoredObject(key: film.key, byteCount: film.byteCount, version: "v1"))
            try await film.copyWhole(to: destination)
            #expect(try bytesOfFile(destination) == testBytes(0..<film.byteCount))
            store.setHead(
                StoredObject(
                    key: film.key, byteCount: film.byteCount, version: "v1",
                    sha256: String(repeating: "0", count: 64)))
            let damaged = await #expect(throws: MediaStorageError.self) { try await film.copyWhole(to: destination) }
            #expect(damaged?.code == .corrupted)
            store.setHead(StoredObject(key: film.key, byteCount: film.byteCount, version: "v2"))
            let replaced = await #expect(throws: MediaStorageError.self) { try await film.copyWhole(to: destination) }
            #expect(replaced?.code == .changed)
        }
        // The good copy is still there, and nothing else.
        #expect(try LocalFile.names(inFolder: "\(harness.folder.path)/copies") == ["film.mp4"])
    }
}
