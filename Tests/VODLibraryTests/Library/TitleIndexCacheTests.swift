import DatabaseTestSupport
import Foundation
import NIOPosix
import Testing

@testable import VODLibrary

@Suite(.eachEngine) struct TitleIndexCacheTests {
    private func movies(_ count: Int) throws -> (LibraryFixture, [String]) {
        let fixture = try LibraryFixture()
        let data = try SampleMedia.movie()
        return (fixture, try (0..<count).map { try fixture.write(data, to: fixture.vod("\($0).mp4")) })
    }

    @Test func keepsNoMoreTitlesOpenThanItsLimitAndTheLatestOfThem() async throws {
        let (fixture, paths) = try movies(3)
        let cache = TitleIndexCache(
            maximumByteCount: 1 << 30, maximumOpenTitleCount: 2, threads: LibraryThreads(shared: .singleton))
        _ = try await cache.title(path: paths[0])
        _ = try await cache.title(path: paths[1])
        _ = try await cache.title(path: paths[0])
        _ = try await cache.title(path: paths[2])
        #expect(await cache.count == 2)
        #expect(await !cache.holds(path: paths[1]))
        fixture.remove()
    }

    @Test func keepsNoMoreBytesThanItsLimitButTheNewest() async throws {
        let (fixture, paths) = try movies(3)
        let cache = TitleIndexCache(
            maximumByteCount: 1, maximumOpenTitleCount: 9, threads: LibraryThreads(shared: .singleton))
        for path in paths { _ = try await cache.title(path: path) }
        #expect(await cache.count == 1)
        #expect(await cache.holds(path: paths[2]))
        await cache.remove(path: paths[2])
        #expect(await cache.byteCount == 0)
        fixture.remove()
    }

    @Test func opensAReplacedFileAnew() async throws {
        let (fixture, paths) = try movies(1)
        let cache = TitleIndexCache(
            maximumByteCount: 1 << 30, maximumOpenTitleCount: 9, threads: LibraryThreads(shared: .singleton))
        let old = try await cache.title(path: paths[0])
        #expect(try await cache.title(path: paths[0]) === old)
        try fixture.write(SampleMedia.movie() + Data(count: 8), to: paths[0])
        #expect(try await cache.title(path: paths[0]) !== old)
        #expect(await cache.count == 1)
        fixture.remove()
    }

    @Test func manyThatAskAtOnceGetOneTitle() async throws {
        let (fixture, paths) = try movies(1)
        let cache = TitleIndexCache(
            maximumByteCount: 1 << 30, maximumOpenTitleCount: 9, threads: LibraryThreads(shared: .singleton))
        let instances = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<16 { group.addTask { ObjectIdentifier(try await cache.title(path: paths[0])) } }
            return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
        }
        #expect(instances.count == 1)
        fixture.remove()
    }
}
