import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaIntake
import MediaWorker
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import VODLibrary

/// An origin in memory.
private final class FakeOrigin: RemoteImporting {
    struct Break: Error {}

    struct State {
        var data = Data()
        var validator: String? = "\"v1\""
        var name = "film.mp4"
        var announces = true
        /// Bytes after which each connection breaks.
        var breaksAfter: Int?
        var requests: [Int64] = []
        var holds = false
    }

    let state: Mutex<State>

    init(_ data: Data) { state = Mutex(State(data: data)) }

    func fetch(
        _ url: String, from offset: Int64, validator: String?,
        receive: @Sendable (RemoteResponse) async throws -> Void
    ) async throws {
        let state = state.withLock { state in
            state.requests.append(offset)
            return state
        }
        let begin = validator == state.validator ? offset : 0
        let rest = state.data.dropFirst(Int(begin))
        let (bytes, continuation) = AsyncThrowingStream.makeStream(of: ByteBuffer.self, throwing: (any Error).self)
        for start in stride(from: 0, to: min(rest.count, state.breaksAfter ?? rest.count), by: 1_000) {
            continuation.yield(ByteBuffer(bytes: rest.dropFirst(start).prefix(1_000)))
        }
        let breaks = rest.count > state.breaksAfter ?? rest.count
        if !state.holds { continuation.finish(throwing: breaks ? Break() : nil) }
        try await receive(
            RemoteResponse(
                offset: begin, byteCount: state.announces ? Int64(state.data.count) : nil,
                validator: state.validator, name: state.name, bytes: bytes))
    }
}

@Suite(.eachEngine, .timeLimit(.minutes(2))) struct DownloadTests {
    private func fixture(_ origin: FakeOrigin, folder: String? = nil) throws -> LibraryFixture {
        try LibraryFixture(folder: folder, fetcher: origin)
    }

    private func incoming(_ fixture: LibraryFixture) -> [String] {
        ["media/vod", "media/audio", "data/uploads"].flatMap { name in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(fixture.folder)/\(name)")) ?? [])
                .filter { $0.hasPrefix(".antena") || $0.hasSuffix(".note") }
        }
    }

    @Test func aFileFromElsewhereBecomesATitle() async throws {
        let origin = FakeOrigin(try SampleMedia.movie())
        let fixture = try fixture(origin)
        let job = try await fixture.library.importFile(from: "https://example.org/a/film.mp4?x=1")
        // It is a promise: there is nothing else that a kill would leave of it.
        #expect(try await fixture.catalogue.job(number: job.number)?.origin == "https://example.org/a/film.mp4?x=1")
        try await fixture.finishJobs()
        let done = try #require(try await fixture.library.job(number: job.number))
        #expect(done.state == .ready && done.subject == "film" && done.section == "vod" && done.kind == .download)
        #expect(try await fixture.title("film.mp4")?.state == .ready)
        #expect(incoming(fixture) == [])
        fixture.remove()
    }

    @Test func goesOnWhereItBrokeOff() async throws {
        let movie = try SampleMedia.movie()
        let origin = FakeOrigin(movie)
        origin.state.withLock { $0.breaksAfter = movie.count / 2 / 1_000 * 1_000 }
        let fixture = try fixture(origin)
        _ = try await fixture.library.importFile(from: "http://example.org/film.mp4")
        try await fixture.finishJobs()
        let requests = origin.state.withLock { $0.requests }
        #expect(requests.count >= 2 && requests[0] == 0 && requests[1] == Int64(movie.count / 2 / 1_000 * 1_000))
        #expect(try Data(contentsOf: URL(filePath: fixture.vod("film.mp4"))) == movie)
        fixture.remove()
    }

    @Test func anotherVersionBeginsAnewAndWithoutAValidatorSoDoesEverything() async throws {
        for validator in [nil, "\"v2\""] {
            let movie = try SampleMedia.movie()
            let origin = FakeOrigin(movie)
            origin.state.withLock {
                $0.holds = true
                $0.data = Data(repeating: 7, count: 5_000)
                $0.breaksAfter = 3_000
                if validator == nil { $0.validator = nil }
            }
            let first = try fixture(origin)
            _ = try await first.library.importFile(from: "http://example.org/film.mp4")
            let running = Task { try await first.library.run() }
            let part = first.vod(".antena-incoming-download1.part")
            try await eventually {
                try FileManager.default.attributesOfItem(atPath: part)[.size] as? Int == 3_000
            }
            running.cancel()
            try await running.value
            #expect(incoming(first).count == 2)
            // Another run, and another file at the origin.
            origin.state.withLock {
                $0.holds = false
                $0.data = movie
                $0.breaksAfter = nil
                $0.validator = validator
            }
            let second = try fixture(origin, folder: first.folder)
            try await second.library.resume()
            try await second.finishJobs()
            #expect(try Data(contentsOf: URL(filePath: second.vod("film.mp4"))) == movie)
            #expect(try await second.library.job(number: 1)?.attempt == 2)
            #expect(incoming(second) == [])
            second.remove()
        }
    }

    @Test func whatIsNoMediumOrMoreThanAnnouncedFailsAndLeavesNothing() async throws {
        let origin = FakeOrigin(Data(count: 5_000))
        origin.state.withLock { $0.name = "page.html" }
        let fixture = try fixture(origin)
        let job = try await fixture.library.importFile(from: "http://example.org/film.mp4")
        try await fixture.finishJobs()
        let failed = try #require(try await fixture.library.job(number: job.number))
        #expect(failed.state == .failed && failed.error?.contains("page.html has no file extension of a video") == true)
        #expect(incoming(fixture) == [])
        // Mended at the origin.
        origin.state.withLock { $0.name = "film.mp4" }
        _ = try await fixture.library.retryJob(number: job.number)
        try await fixture.finishJobs()
        #expect(try await fixture.library.job(number: job.number)?.state == .ready)
        fixture.remove()
    }

    @Test func cancellingDeletesWhatHasCome() async throws {
        let origin = FakeOrigin(Data(count: 5_000))
        origin.state.withLock { $0.holds = true }
        let fixture = try fixture(origin)
        let job = try await fixture.library.importFile(from: "http://example.org/film.mp4")
        let running = Task { try await fixture.library.run() }
        try await eventually { try await (fixture.library.job(number: job.number)?.progress ?? 0) > 0 }
        #expect(try await fixture.library.job(number: job.number)?.state == .downloading)
        #expect(incoming(fixture).count == 2)
        #expect(try await fixture.library.cancelJob(number: job.number)?.state == .cancelled)
        #expect(incoming(fixture) == [])
        running.cancel()
        try await running.value
        fixture.remove()
    }

    @Test(arguments: [
        "", "film.mp4", "ftp://example.org/a.mp4", "file:///etc/passwd", "http:///a.mp4",
        "http://user:pass@a.org/b.mp4",
        "http://a.org/" + String(repeating: "a", count: 3_000),
    ])
    func addressesThatAreNotTaken(_ url: String) async throws {
        let fixture = try fixture(FakeOrigin(Data()))
        await #expect(throws: LibraryError.self) { try await fixture.library.importFile(from: url) }
        fixture.remove()
    }
}
