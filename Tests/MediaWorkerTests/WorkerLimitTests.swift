import Foundation
import MediaWorkerTestSupport
import Testing

@testable import MediaWorker

struct WorkerLimitTests {
    let fixtures: WorkerFixtures

    init() throws { fixtures = try WorkerFixtures() }

    /// Two minutes that have to be transcoded: four seconds again and again.
    private func longMedia() throws -> String {
        let short = try fixtures.makeMedia("short.avi", seconds: 4, "-vf scale=1280:720 -c:v mpeg4 -c:a libmp3lame")
        let path = fixtures.path("long.avi")
        try WorkerFixtures.run(
            "ffmpeg", ["-nostdin", "-v", "error", "-stream_loop", "29", "-i", short, "-c", "copy", path])
        return path
    }

    @Test func endsAtTheLimitOfProcessorTime() async throws {
        var limits = WorkerFixtures.limits
        limits.cpuSeconds = 1
        let reason = await fixtures.failure(
            .toMovie(output: fixtures.path("out.mp4")), on: try longMedia(), limits: limits)
        #expect(reason == "long.avi: took more than 1 s of processor time")
        #expect(fixtures.leftovers.isEmpty)
    }

    @Test func endsAtTheLimitOfMemory() async throws {
        var limits = WorkerFixtures.limits
        limits.addressSpaceByteCount = 340 << 20
        let reason = await fixtures.failure(
            .toMovie(output: fixtures.path("out.mp4")), on: try longMedia(), limits: limits)
        #expect(reason.hasPrefix("long.avi: "))
        #expect(reason.contains("memory") || reason.contains("killed by"), "\(reason)")
        #expect(fixtures.leftovers.isEmpty)
    }

    @Test func endsAtTheLimitOfOutput() async throws {
        var limits = WorkerFixtures.limits
        limits.fileByteCount = 100_000
        let reason = await fixtures.failure(
            .toMovie(output: fixtures.path("out.mp4")), on: try longMedia(), limits: limits)
        #expect(reason == "long.avi: the output would be larger than its limit")
        #expect(fixtures.leftovers.isEmpty)
    }

    @Test func endsAtTheDeadline() async throws {
        var limits = WorkerFixtures.limits
        limits.wallClockSeconds = 1
        let reason = await fixtures.failure(
            .toMovie(output: fixtures.path("out.mp4")), on: try longMedia(), limits: limits)
        #expect(reason == "long.avi: took longer than 1 s")
        #expect(fixtures.leftovers.isEmpty)
    }

    @Test func endsWhenItsTaskIsCancelled() async throws {
        let media = try longMedia()
        let fixtures = fixtures
        let (events, continuation) = AsyncStream.makeStream(of: WorkerEvent.self)
        let output = fixtures.path("out.mp4")
        let limits = WorkerFixtures.limits
        let job = Task {
            try await WorkerProcess.run(
                WorkerRequest(task: .toMovie(output: output), input: media, limits: limits),
                executable: WorkerFixtures.executable
            ) { continuation.yield($0) }
        }
        for await event in events {
            if case .progress = event { break }
        }
        job.cancel()
        await #expect(throws: CancellationError.self) { try await job.value }
        #expect(fixtures.leftovers.isEmpty)
    }

    @Test func survivesAWorkerThatDoesNotReadItsRequest() async {
        let request = WorkerRequest(
            task: .probe, input: "/films/a.mp4" + String(repeating: "a", count: 200_000), limits: WorkerFixtures.limits)
        await #expect(throws: WorkerFailure.self) {
            try await WorkerProcess.run(request, executable: "/bin/sh", arguments: ["-c", "exit 7"]) { _ in }
        }
    }

    @Test(arguments: [
        ("cat >/dev/null; kill -SEGV $$", "killed by SIGSEGV"), ("cat >/dev/null; echo nonsense", "not valid"),
        ("cat >/dev/null; exit 7", "status 7"),
    ])
    func explainsAWorkerThatBreaks(script: String, words: String) async throws {
        let request = WorkerRequest(task: .probe, input: "/films/a.mp4", limits: WorkerFixtures.limits)
        do {
            _ = try await WorkerProcess.run(request, executable: "/bin/sh", arguments: ["-c", script]) { _ in }
            Issue.record("a broken worker gave a result")
        } catch let failure as WorkerFailure {
            #expect(failure.reason.hasPrefix("a.mp4: "))
            #expect(failure.reason.contains(words), "\(failure.reason)")
        }
    }
}
