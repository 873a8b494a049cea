import Foundation
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import MediaStorage

/// A real engine behind a proxy that makes it slow, unreliable, or lets it disappear.
@Suite(.serialized) struct FaultyStoreTests {
    private static func with(
        _ test: (_ store: ObjectStore, _ proxy: ServerProcess, _ folder: TemporaryDirectory) async throws -> Void
    ) async throws {
        let engine = try await ServerProcess.moto()
        let proxy = try await ServerProcess.faultyProxy(before: engine)
        let folder = try TemporaryDirectory(label: "faulty")
        var settings = TestStore.quickSettings
        settings.readTimeout = .seconds(2)
        settings.minimumPartByteCount = 5 << 20
        try await TestStore.with(port: proxy.port, settings: settings) { try await test($0, proxy, folder) }
        withExtendedLifetime(engine) {}
    }

    @Test func nothingIsLostIfEveryThirdRequestFailsOrBreaksOff() async throws {
        try await Self.with { store, proxy, folder in
            try proxy.setFaults(#"{"failEvery": 3, "cutEvery": 3}"#)
            let content = testBytes(0..<12_000_000)
            let path = try folder.write(content, to: "source")
            for number in 0..<3 {
                let object = try await store.put(fileAt: path, as: "film-\(number).mp4", contentType: "video/mp4")
                #expect(object.byteCount == 12_000_000)
            }
            #expect(store.statistics.retryCount > 3 && store.statistics.failureCount == 0)
            for number in 0..<6 {
                let range = Int64(number) * 1_900_000..<Int64(number) * 1_900_000 + 1_500_000
                let bytes = try await store.bytes("film-\(number % 3).mp4", range)
                #expect(bytes == Array(content[Int(range.lowerBound)..<Int(range.upperBound)]))
            }
            #expect(try await store.list(prefix: "film", after: nil, limit: 9).count == 3)
            #expect(store.statistics.failureCount == 0)
        }
    }

    @Test func aSlowStoreServesAndReadAheadHidesTheDelay() async throws {
        try await Self.with { store, proxy, folder in
            let content = testBytes(0..<12_000_000)
            let path = try folder.write(content, to: "source")
            let object = try await store.put(fileAt: path, as: "film.mp4", contentType: "video/mp4")
            try proxy.setFaults(#"{"latency": 0.5}"#)
            let cache = RangeCache(
                directory: "\(folder.path)/cache", maximumByteCount: RangeCache.minimumByteCount, store: store,
                threads: .singleton, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await cache.run() }
                let film = try await cache.object("film.mp4", byteCount: object.byteCount, version: object.version)
                for start in stride(from: Int64(0), to: 11_000_000, by: 1_000_000) {
                    let range = start..<start + 1_000_000
                    if !film.beginReading([range]) {
                        try await film.fetched(range)
                        #expect(film.beginReading([range]))
                    }
                    let file = try LocalFile(film.path)
                    let bytes = try file.read(at: start, count: 1_000_000)
                    #expect(Array(bytes.readableBytesView) == Array(content[Int(start)..<Int(start) + 1_000_000]))
                    film.endReading([range])
                }
                // Eleven reads, but few waits of half a second.
                #expect(cache.statistics.requestCount <= 7)
                cache.shutDown()
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: ["refuse", "silent"])
    func cachedRangesPlayWhileTheStoreIsAway(kind: String) async throws {
        try await Self.with { store, proxy, folder in
            let content = testBytes(0..<4_000_000)
            let path = try folder.write(content, to: "source")
            let object = try await store.put(fileAt: path, as: "film.mp4", contentType: "video/mp4")
            var settings = RangeCacheSettings()
            (settings.failuresUntilOpen, settings.firstOpenTime) = (1, .milliseconds(50))
            let impatient = TestStore.impatientSettings
            try await TestStore.with(port: proxy.port, settings: impatient) { impatientStore in
                let cache = RangeCache(
                    directory: "\(folder.path)/cache", maximumByteCount: RangeCache.minimumByteCount,
                    store: impatientStore, threads: .singleton, settings: settings,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await cache.run() }
                    let film = try await cache.object(
                        "film.mp4", byteCount: object.byteCount, version: object.version)
                    // The store is impatient: a busy machine may be too slow for it.
                    try await eventually {
                        try await film.fetched(0..<1_000_000)
                        return true
                    }
                    try proxy.setFaults(#"{"away": "\#(kind)"}"#)
                    let error = await #expect(throws: MediaStorageError.self) {
                        try await film.fetched(3_000_000..<3_000_100)
                    }
                    #expect(error?.code == .unavailable)
                    #expect(try film.leasedBytes(0..<1_000_000) == Array(content[..<1_000_000]))
                    let put = await #expect(throws: MediaStorageError.self) {
                        try await impatientStore.put(fileAt: path, as: "other.mp4", contentType: "video/mp4")
                    }
                    #expect(put?.code == .unavailable)
                    try proxy.setFaults("{}")
                    // It is found out again that the store is there.
                    try await eventually {
                        try await film.fetched(3_000_000..<3_000_100)
                        return true
                    }
                    cache.shutDown()
                    try await group.waitForAll()
                }
            }
            #expect(try await store.bytes("film.mp4", 0..<4_000_000) == content)
            #expect(try await store.head("other.mp4") == nil)
        }
    }

    @Test func theClockIsNamed() async throws {
        try await Self.with { store, proxy, _ in
            try proxy.setFaults(#"{"clockSkew": 3600}"#)
            let error = await #expect(throws: MediaStorageError.self) {
                try await store.list(prefix: "", after: nil, limit: 1)
            }
            #expect(error?.code == .clockSkew)
            #expect(error?.reason.contains("60 min behind") == true)
        }
    }
}
