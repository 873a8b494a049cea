import Foundation
import MediaWorkerTestSupport
import NIOPosix
import Packaging
import TestSupport
import Testing

@testable import MediaWorker

/// A worker that has been taken over gains nothing by its answers. `Tests/Support/hostile-worker.py` plays its part,
/// and is not confined.
struct HostileWorkerTests {
    private let fixtures: WorkerFixtures
    private static let script = "\(Repository.path)/Tests/Support/hostile-worker.py"

    init() throws { fixtures = try WorkerFixtures() }

    private var cover: String { fixtures.path("out/art") }

    /// - Returns: what the server makes of the attack, or why it refuses it.
    private func attack(
        _ name: String, target: String = "/etc/hostname", byteCount: Int = 1 << 20,
        threads: WorkerThreads = WorkerThreads(shared: .singleton)
    ) async throws -> Result<WorkerResult, WorkerFailure> {
        try FileManager.default.createDirectory(atPath: fixtures.path("out"), withIntermediateDirectories: true)
        var limits = WorkerFixtures.limits
        limits.fileByteCount = byteCount
        limits.wallClockSeconds = 30
        do {
            return .success(
                try await WorkerProcess.run(
                    WorkerRequest(task: .cover(output: cover), input: fixtures.path("a.mp3"), limits: limits),
                    executable: "/usr/bin/env", arguments: ["python3", Self.script, name, target], threads: threads
                ) { _ in })
        } catch let failure as WorkerFailure {
            return .failure(failure)
        }
    }

    /// All that is left in the folder of outputs.
    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: fixtures.path("out"))) ?? []).sorted()
    }

    @Test func aPathInTheAnswerIsNotEvenRead() async throws {
        let secret = try fixtures.write("secret", to: "secret")
        let result = try await attack("foreign-path", target: secret).get()
        #expect(result.cover == nil)
        #expect(names.isEmpty)
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "secret")
    }

    @Test(arguments: [
        ("symbolic-link", "not a plain file"), ("hard-link", "not a file of its own"), ("pipe", "not a plain file"),
        ("folder", "not a plain file"), ("too-large", "larger than its limit"), ("nothing", "did not write its output"),
        ("folder-is-a-link", "did not write its output"),
        ("foreign-ending", "not valid"), ("overflow", "not valid"), ("nested", "not valid"),
        ("talk", "sends too many messages"), ("endless-line", "a line that is too long"),
    ])
    func isRefused(attack name: String, words: String) async throws {
        let secret = try fixtures.write("secret", to: "secret")
        let result = try await attack(name, target: secret)
        guard case .failure(let failure) = result else {
            Issue.record("\(name) succeeded: \(result)")
            return
        }
        #expect(failure.reason.hasPrefix("a.mp3: "), "\(failure.reason)")
        #expect(failure.reason.contains(words), "\(failure.reason)")
        #expect(names.isEmpty, "\(names)")
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "secret")
    }

    /// Threads that everybody in the process shares may all wait for something.
    @Test func aJobWaitsForTheLibrarysOwnThreadsOnly() async throws {
        let own = NIOThreadPool(numberOfThreads: 1)
        own.start()
        let gate = DispatchSemaphore(value: 0)
        let shared = NIOThreadPool.singleton
        for _ in 0..<shared.numberOfThreads { shared.submit { _ in gate.wait() } }
        defer { for _ in 0..<shared.numberOfThreads { gate.signal() } }
        _ = try await attack("link-in-the-folder", threads: WorkerThreads(shared: own)).get()
        #expect(names == ["art.jpg"])
        try await own.shutdownGracefully()
    }

    @Test func nothingIsRemovedThroughALinkInTheFolder() async throws {
        let secret = try fixtures.write("secret", to: "secret")
        #expect(try await attack("link-in-the-folder", target: secret).get().cover == .jpg)
        #expect(names == ["art.jpg"])
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "secret")
    }

    @Test func outputsLoseSetUserIDBits() async throws {
        _ = try await attack("set-user-id").get()
        var status = stat()
        #expect(stat("\(cover).jpg", &status) == 0)
        #expect(status.st_mode & 0o7777 & ~0o644 == 0)
    }

    @Test func numbersAndTextsAreBounded() async throws {
        let result = try await attack("numbers").get()
        #expect(result.firstTime == nil)
        #expect(result.note.map { $0.count <= WorkerAnswerLimits.maximumReasonCharacterCount } == true)
        #expect(result.note?.contains { $0.isNewline } == false)
        #expect((result.leftOut?.count ?? 0) <= WorkerAnswerLimits.maximumLeftOutCount)
        let description = try #require(result.description)
        #expect(description.duration == nil)
        #expect(description.container.count <= WorkerAnswerLimits.maximumWordCharacterCount)
        #expect(description.tags.count <= 64)
        #expect(description.tags.values.allSatisfy { !$0.contains { $0.isNewline } })
        #expect(description.streams.count <= WorkerAnswerLimits.maximumStreamCount)
        let stream = try #require(description.streams.first)
        #expect(stream.shownSize == nil && stream.width == nil && stream.height == nil)
        #expect(stream.frameRate == nil && stream.sampleRate == nil && stream.channels == nil && stream.index == 0)
        #expect(stream.type.count <= WorkerAnswerLimits.maximumWordCharacterCount)
    }

    @Test func progressIsAlwaysAShare() {
        for fraction in [Double.infinity, -.infinity, .nan, 2, -1] {
            guard case .progress(let checked) = WorkerEvent.progress(fraction: fraction).checked(folder: nil) else {
                Issue.record("another event")
                continue
            }
            #expect((0...1).contains(checked))
        }
    }

    @Test func aReasonIsOneLine() async throws {
        guard case .failure(let failure) = try await attack("reason") else {
            Issue.record("a failure was no failure")
            return
        }
        #expect(failure.reason.hasPrefix("a.mp3: "))
        #expect(failure.reason.count <= WorkerAnswerLimits.maximumReasonCharacterCount)
        #expect(!failure.reason.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test(.timeLimit(.minutes(1))) func oneThatStaysIsEnded() async throws {
        guard case .failure(let failure) = try await attack("stays") else {
            Issue.record("a worker that was killed succeeded")
            return
        }
        #expect(failure.reason.contains("SIGKILL"), "\(failure.reason)")
        #expect(names.isEmpty)
    }
}
