import AsyncHTTPClient
import Foundation
import MediaCore
import NIOCore
import NIOHTTP1
import OfflineCopyFormat
import Synchronization
import TestSupport
import Testing

@testable import OfflineDownloads

@Suite(.timeLimit(.minutes(2))) struct PlayingTests {
    private static let rental = FakeCopyServer.rental

    private final class Problems: Sendable {
        let texts = Mutex<[String]>([])
    }

    /// Plays a copy while `body` runs.
    private func playing(
        _ library: OfflineLibrary, _ copy: StoredCopy, _ problems: Problems,
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let (addresses, address) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await library.play(copy) { problem in
                    problems.texts.withLock { $0.append(problem.description) }
                } onStart: {
                    address.yield($0)
                }
            }
            group.addTask {
                for await address in addresses { return try await body(address) }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private static func get(_ address: String) async throws -> (status: Int, body: [UInt8]) {
        let response = try await HTTPClient.shared.execute(HTTPClientRequest(url: address), timeout: .seconds(30))
        return (Int(response.status.code), Array(try await response.body.collect(upTo: 8 << 20).readableBytesView))
    }

    @Test func aCopyIsPlayedWithoutTheServerUntilItsRentalEnds() async throws {
        let fixture = try OfflineFixture()
        let copy = try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let copy = try await library.add(rental: Self.rental) { _ in }
            #expect(
                await OfflineFixture.code {
                    try await library.play(copy) { _ in
                    } onStart: { _ in
                    }
                } == .notFound)
            try await library.download(copy)
            return copy
        }
        let plain = fixture.server.state.withLock(\.plain)
        let library = try fixture.library("http://127.0.0.1:1")
        let problems = Problems()
        try await playing(library, copy, problems) { address in
            let playlist = try await Self.get(address)
            #expect(playlist.status == 200 && playlist.body == Array("#EXTM3U\n".utf8))
            let folder = address.dropLast("playlist.m3u8".count)
            let segment = try await Self.get("\(folder)video/0.m4s")
            #expect(segment.status == 200 && segment.body == Array(plain.suffix(1 << 20)))
            #expect(try await Self.get("\(folder)none").status == 404)
            let port = try #require(URL(string: address)?.port)
            #expect(try await Self.get("http://127.0.0.1:\(port)/playlist.m3u8").status == 404)
            // A damaged byte in the middle of it.
            let file = try FileHandle(forUpdating: URL(filePath: copy.bytesPath))
            let index = try CopyIndex.byteCount(header: Array(plain.prefix(16)))
            try file.seek(toOffset: UInt64(16 + index + 8 + 10))
            let old = try #require(try file.read(upToCount: 1)).map { $0 ^ 255 }
            try file.seek(toOffset: UInt64(16 + index + 8 + 10))
            try file.write(contentsOf: Data(old))
            // Eight chunks are kept, and the segment has more.
            let damaged = try await Self.get("\(folder)video/0.m4s")
            #expect(damaged.status == 500)
            #expect(String(decoding: damaged.body, as: UTF8.self).contains("is damaged in chunk 0"))
            // The rental ends while it is played.
            fixture.clock.withLock { $0 = WallClockTime(secondsSince1970: 1_893_456_001) }
            #expect(try await Self.get(address).status == 410)
        }
        #expect(problems.texts.withLock { $0 }.first?.contains("download delete copy1") == true)
        #expect(
            await OfflineFixture.code {
                try await library.play(copy) { _ in
                } onStart: { _ in
                }
            } == .rentalEnded)
        #expect(!FileManager.default.fileExists(atPath: copy.path))
    }

    @Test func theKeyComesWithTheActivation() async throws {
        let fixture = try OfflineFixture(byteCount: 10_000)
        fixture.server.state.withLock { $0.rentalState = "rented" }
        try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let copy = try await library.add(rental: Self.rental) { _ in }
            #expect(try await library.download(copy))
            #expect(
                await OfflineFixture.code {
                    try await library.play(copy) { _ in
                    } onStart: { _ in
                    }
                } == .notActivated)
            #expect(try copy.wrappedKey() == nil)
            fixture.server.state.withLock { $0.rentalState = "activated" }
            try await playing(library, copy, Problems()) { address in
                let answer = try await Self.get(address)
                #expect(answer.status == 200)
            }
            #expect(try copy.note().endsAt == WallClockTime(secondsSince1970: 1_893_456_000))
        }
    }

    @Test func whatTheServerSaysLaterReachesTheDevice() async throws {
        let fixture = try OfflineFixture(byteCount: 10_000)
        fixture.server.state.withLock { $0.rentalState = "rented" }
        try await fixture.server.serving { address in
            let library = try fixture.library(address)
            #expect(try await library.refresh() == [])
            let copy = try await library.add(rental: Self.rental) { _ in }
            #expect(try await library.download(copy))
            #expect(try await library.refresh() == [])
            #expect(try copy.wrappedKey() == nil && copy.note().endsAt == nil)
            fixture.server.state.withLock { $0.rentalState = "activated" }
            #expect(try await library.refresh() == [])
            #expect(try copy.wrappedKey() != nil && copy.note().endsAt != nil)
            // A refund.
            fixture.server.state.withLock { $0.isOver = true }
            #expect(try await library.refresh() == ["Film"])
            #expect(!FileManager.default.fileExists(atPath: copy.path))
        }
    }

    @Test func sweepsDeleteWhatIsOverAndWhatHasNoFile() async throws {
        let fixture = try OfflineFixture(byteCount: 10_000)
        let copy = try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let copy = try await library.add(rental: Self.rental) { _ in }
            // What has not begun stays.
            #expect(try await library.sweep() == [])
            try await library.download(copy)
            return copy
        }
        let library = try fixture.library("http://127.0.0.1:1")
        #expect(try await library.sweep() == [])
        try FileManager.default.removeItem(atPath: copy.bytesPath)
        #expect(try await library.sweep() == ["Film"])
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        let second = try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let copy = try await library.add(rental: Self.rental) { _ in }
            try await library.download(copy)
            return copy
        }
        fixture.clock.withLock { $0 = WallClockTime(secondsSince1970: 1_893_456_000) }
        #expect(try await library.sweep() == ["Film"])
        #expect(!FileManager.default.fileExists(atPath: second.path))
        #expect(try await library.sweep() == [])
    }

    @Test func aClockThatWasSetBackIsNoticed() async throws {
        let fixture = try OfflineFixture(byteCount: 10_000)
        let copy = try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let copy = try await library.add(rental: Self.rental) { _ in }
            try await library.download(copy)
            return copy
        }
        let library = try fixture.library("http://127.0.0.1:1")
        fixture.advance(.seconds(3_600))
        _ = try await library.sweep()
        fixture.advance(.seconds(-3_000))
        #expect(
            await OfflineFixture.code {
                try await library.play(copy) { _ in
                } onStart: { _ in
                }
            } == .clockSetBack)
        // The time of a server counts, too.
        let heard = WallClockTime(secondsSince1970: 1_893_456_000)
        #expect(try fixture.folder.time(WallClock { WallClockTime(secondsSince1970: 0) }, heard: heard).now == heard)
        #expect(try await library.sweep() == ["Film"])
    }
}
