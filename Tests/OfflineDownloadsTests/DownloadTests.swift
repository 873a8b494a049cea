import Foundation
import JSONDocument
import MediaCore
import NIOPosix
import OfflineCopyFormat
import Synchronization
import TestSupport
import Testing

@testable import OfflineDownloads

@Suite(.timeLimit(.minutes(2))) struct DownloadTests {
    private static let rental = FakeCopyServer.rental

    @Test func fiftyCutsCostNothingThatHadArrived() async throws {
        let fixture = try OfflineFixture(byteCount: 3 << 20)
        let whole = try fixture.server.encrypted
        fixture.server.state.withLock { ($0.cutCount, $0.preparingCount) = (50, 2) }
        try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let phases = Mutex(Set<DownloadProgress.Phase>())
            let copy = try await library.add(rental: Self.rental) { progress in
                phases.withLock { _ = $0.insert(progress.phase) }
            }
            #expect(try copy.state().state == .none)
            let result = try await library.transfer(copy, connectionCount: 4) { progress in
                phases.withLock { _ = $0.insert(progress.phase) }
            }
            #expect(result == .init(isComplete: true, transferredByteCount: Int64(whole.count)))
            #expect(try fixture.bytes(copy) == whole)
            #expect(try copy.state() == (.downloaded, Int64(whole.count)))
            #expect(phases.withLock { $0 }.isSuperset(of: [.preparing, .downloading, .waiting, .downloaded]))
            let state = fixture.server.state.withLock { ($0.cutCount, $0.reportedState, $0.credential) }
            #expect(state.0 == 0 && state.1 == "downloaded" && state.2 == "Bearer secret")
        }
    }

    @Test func aClientThatIsKilledLosesAtMostAChunkForEachConnection() async throws {
        let fixture = try OfflineFixture(byteCount: 2 << 20)
        let whole = try fixture.server.encrypted
        try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let copy = try await library.add(rental: Self.rental) { _ in }
            for kill in 1...5 {
                let running = Mutex<Task<Void, any Error>?>(nil)
                let limit = whole.count * kill / 8
                fixture.server.state.withLock { state in
                    state.onBytes = { total in
                        if total >= limit { running.withLock { $0?.cancel() } }
                    }
                }
                let task = Task { _ = try await library.transfer(copy, connectionCount: 4) }
                running.withLock { $0 = task }
                _ = await task.result
            }
            fixture.server.state.withLock { $0.onBytes = nil }
            #expect(try copy.state().state == .partial)
            #expect(try await library.transfer(copy, connectionCount: 4).isComplete)
            #expect(try fixture.bytes(copy) == whole)
            let sent = fixture.server.state.withLock(\.sentByteCount)
            #expect(sent - whole.count <= 5 * 4 * FakeCopyServer.chunkByteCount, "\(sent - whole.count)")
        }
    }

    /// `antena download R1 R2 R3 R4` runs four downloads in one process, and each of them stores the clock.
    @Test func manyTasksStoreTheClockAndTheSettingsAtTheSameTime() async throws {
        let fixture = try OfflineFixture()
        let folder = fixture.folder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for step in 0..<25 {
                        let heard = WallClockTime(secondsSince1970: 1_900_000_000 + Int64(8 * step + task))
                        _ = try folder.time(WallClock { fixture.clock.withLock { $0 } }, heard: heard)
                        try folder.setResumesByItself(step.isMultiple(of: 2))
                    }
                }
            }
            try await group.waitForAll()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["clock.json", "settings.json"])
    }

    @Test func aFlippedByteCostsOneChunk() async throws {
        let fixture = try OfflineFixture()
        let whole = try fixture.server.encrypted
        try await fixture.server.serving { address in
            let library = try fixture.library(address)
            // On the network.
            fixture.server.state.withLock { $0.damagedOffsets = [100_000] }
            let copy = try await library.add(rental: Self.rental) { _ in }
            let result = try await library.transfer(copy)
            #expect(result.transferredByteCount == Int64(whole.count + FakeCopyServer.chunkByteCount))
            // On the disk.
            let file = try FileHandle(forUpdating: URL(filePath: copy.bytesPath))
            try file.seek(toOffset: 500_000)
            try file.write(contentsOf: Data([whole[500_000] ^ 1]))
            try file.close()
            let reader = try await CopyReader(
                copy, try copy.record(), key: fixture.server.key, threadPool: .singleton)
            let range = try #require(await reader.range(of: "video/0.m4s"))
            #expect(try await reader.read(range.lowerBound..<range.lowerBound + 100).count == 100)
            let error = await #expect(throws: DownloadError.self) { try await reader.read(range) }
            #expect(error?.code == .damaged && error?.description.contains("chunk 30") == true, "\(error as Any)")
            #expect(error?.description.contains("download resume copy1") == true)
            #expect(error?.description.contains("download delete copy1") == true)
            #expect(try copy.state().state == .partial)
            #expect(
                try await library.transfer(copy)
                    == .init(isComplete: true, transferredByteCount: Int64(FakeCopyServer.chunkByteCount)))
            #expect(try fixture.bytes(copy) == whole)
        }
    }

    @Test func aServerThatSendsDamagedChunksAgainAndAgainIsGivenUp() async throws {
        let fixture = try OfflineFixture(byteCount: 10_000)
        try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let copy = try await library.add(rental: Self.rental) { _ in }
            fixture.server.state.withLock { $0.plain[5_000] ^= 1 }
            #expect(await OfflineFixture.code { try await library.transfer(copy) } == .damaged)
            #expect(fixture.server.state.withLock(\.ranges).count == RetryPolicy().maximumCorruptCount)
        }
    }

    @Test func thePosterIsKeptAndGoesWithTheCopy() async throws {
        let fixture = try OfflineFixture(byteCount: 10_000)
        fixture.server.state.withLock { $0.poster = [0xFF, 0xD8, 1] }
        try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let copy = try await library.add(rental: Self.rental) { _ in }
            let kept = try Data(contentsOf: URL(filePath: copy.posterPath))
            #expect(Array(kept) == [0xFF, 0xD8, 1])
            #expect(try await library.summaries().first?.poster == copy.posterPath)
            // The title has another one now, then one that is too large, then none.
            for (poster, expected) in [
                ([1, 2], [1, 2]), ([UInt8](repeating: 3, count: StoredCopy.maximumPosterByteCount + 1), [1, 2]),
                (nil, nil),
            ] as [([UInt8]?, [UInt8]?)] {
                fixture.server.state.withLock { $0.poster = poster }
                _ = try await library.add(rental: Self.rental) { _ in }
                #expect((try? Data(contentsOf: URL(filePath: copy.posterPath))).map(Array.init) == expected)
            }
            #expect(try await library.summaries().first?.poster == nil)
            fixture.server.state.withLock { $0.poster = [1] }
            _ = try await library.add(rental: Self.rental) { _ in }
            try await library.delete(copy)
            #expect(!copy.hasPoster && !copy.exists)
        }
    }

    @Test func aPauseHoldsUntilSomebodyGoesOn() async throws {
        let fixture = try OfflineFixture()
        let whole = try fixture.server.encrypted
        try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let copy = try await library.add(rental: Self.rental) { _ in }
            // Once: what another connection sends at that moment may be reported after the pause has ended.
            let pauseCount = Atomic(0)
            fixture.server.state.withLock { state in
                state.onBytes = { total in
                    guard total > 200_000, pauseCount.wrappingAdd(1, ordering: .relaxed).oldValue == 0 else { return }
                    try? copy.setPaused(true)
                }
            }
            #expect(try await library.download(copy) == false)
            #expect(try copy.state().state == .partial)
            #expect(try await library.interrupted().isEmpty)
            fixture.server.state.withLock { $0.onBytes = nil }
            try await library.setPaused(false, copy)
            #expect(try await library.interrupted() == [copy])
            #expect(try await library.download(copy))
            #expect(try await library.interrupted().isEmpty)
            #expect(fixture.server.state.withLock(\.sentByteCount) == whole.count)
            #expect(try fixture.bytes(copy) == whole)
        }
    }

    @Test func aRentalThatHasEndedTakesItsCopyAlongAndAnotherVersionBeginsAgain() async throws {
        let fixture = try OfflineFixture(byteCount: 100_000)
        try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let old = try await library.add(rental: Self.rental) { _ in }
            fixture.server.state.withLock { state in
                state.copyID = "copy2"
                state.plain[50_000] ^= 1
            }
            #expect(try await library.download(old))
            let copies = try fixture.folder.copies()
            #expect(copies.map(\.id) == ["copy2"])
            #expect(try fixture.bytes(copies[0]) == (try fixture.server.encrypted))
            try copies[0].noteCorrupt(0, count: try copies[0].record().manifest.plan.count)
            fixture.server.state.withLock { $0.isOver = true }
            #expect(await OfflineFixture.code { try await library.download(copies[0]) } == .rentalEnded)
            #expect(try fixture.folder.copies().isEmpty)
            #expect(await OfflineFixture.code { try await library.add(rental: Self.rental) { _ in } } == .rentalEnded)
        }
    }

    @Test func aDownloadIsOneProcessAtATime() async throws {
        let fixture = try OfflineFixture(byteCount: 100_000)
        try await fixture.server.serving { address in
            let library = try fixture.library(address)
            let copy = try await library.add(rental: Self.rental) { _ in }
            let file = try copy.openForWriting(try copy.record().manifest.plan)
            #expect(await OfflineFixture.code { try await library.download(copy) } == .busy)
            withExtendedLifetime(file) {}
        }
    }

    @Test func aServerThatStaysAwayIsGivenUpAndTheCopyStays() async throws {
        let fixture = try OfflineFixture(byteCount: 100_000)
        let copy = try await fixture.server.serving { address in
            try await fixture.library(address).add(rental: Self.rental) { _ in }
        }
        let library = try fixture.library("http://127.0.0.1:1")
        #expect(await OfflineFixture.code { try await library.download(copy) } == .unreachable)
        #expect(copy.exists)
    }

    @Test func onlyTheUserReadsTheDeviceAndTheCopies() async throws {
        let fixture = try OfflineFixture(byteCount: 10_000)
        try await fixture.server.serving { address in
            let library = try fixture.library(address)
            try await library.download(try await library.add(rental: Self.rental) { _ in })
            let files = try #require(FileManager.default.enumerator(atPath: fixture.folder.path))
            var count = 0
            for case let name as String in files {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(fixture.folder.path)/\(name)")
                let mode = try #require(attributes[.posixPermissions] as? Int)
                #expect(mode & 0o077 == 0, "\(name) \(String(mode, radix: 8))")
                count += 1
            }
            #expect(count >= 6)
            #expect(try await library.copy("cop").id == "copy1")
            #expect(try await library.copy(Self.rental).id == "copy1")
            #expect(await OfflineFixture.code { try await library.copy("x") } == .notFound)
            let summary = try #require(try await library.summaries().first)
            #expect(summary.state == .downloaded && summary.name == "Film" && summary.percent == 100)
            let copy = try fixture.folder.copies()[0]
            #expect(try copy.record().details?["year"]?.integer == 1987)
            try await library.delete(copy)
            #expect(try fixture.folder.copies().isEmpty)
            #expect(fixture.server.state.withLock(\.reportedState) == "none")
        }
    }

    @Test func mapsSurviveWhatIsMissing() {
        var map = ChunkMap(count: 11)
        for index in [0, 7, 8, 10] { map.insert(index) }
        #expect(ChunkMap(parsing: map.bytes, count: 11) == map)
        #expect(ChunkMap(parsing: [map.bytes[0]], count: 11).goodCount == 2)
        // Bits after the last chunk count for nothing.
        #expect(ChunkMap(parsing: [255, 255, 255], count: 11).goodCount == 11)
        map.remove(8)
        #expect(map.goodCount == 3 && !map.isComplete)
    }

    @Test func linesOfProgressAreForPeople() {
        let progress = DownloadProgress(
            copy: "c", name: "Film", phase: .downloading, byteCount: 2_000_000_000, receivedByteCount: 500_000_000)
        #expect(
            DownloadDisplay.line(progress)
                == "Film [#######-----------------------] 25 %, 500.0 MB of 2.0 GB, downloading")
        let lines = Mutex<[String]>([])
        let display = DownloadDisplay(isTerminal: false) { line in lines.withLock { $0.append(line) } }
        for received in stride(from: Int64(0), through: 2_000_000_000, by: 1_000_000) {
            var progress = progress
            progress.receivedByteCount = received
            display.show(progress, of: "c")
        }
        #expect(lines.withLock { $0.count } == 11)
    }
}
