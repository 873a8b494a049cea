package import Foundation
package import MediaWorker

/// A folder for one test, with media that ffmpeg makes, and the built program to work on it.
package final class WorkerFixtures {
    struct ToolFailure: Error { var text: String }

    package let folder: URL

    package init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "antena-worker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Beside the test program, where the package manager puts both.
    package static var executable: String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent().appending(path: "antena").path
    }

    package func path(_ name: String) -> String { folder.appending(path: name).path }

    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return path(name)
    }

    /// A moving frame and a tone, in the form that `arguments` ask for.
    package func makeMedia(_ name: String, seconds: Int = 3, _ arguments: String) throws -> String {
        try Self.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i",
                "sine=frequency=440:sample_rate=48000", "-t", "\(seconds)", "-metadata", "title=A title",
            ] + arguments.split(separator: " ").map(String.init) + [path(name)])
        return path(name)
    }

    package func probe(_ path: String, _ arguments: String) throws -> String {
        try Self.run("ffprobe", ["-v", "error"] + arguments.split(separator: " ").map(String.init) + [path])
    }

    @discardableResult
    package static func run(_ tool: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        // Not waitUntilExit: its run loop can miss a process that ended before it began to wait, and waits for ever.
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        ended.wait()
        guard process.terminationStatus == 0 else {
            throw ToolFailure(text: "\(tool) ended with \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    package static let limits = WorkerLimits(
        addressSpaceByteCount: 4 << 30, cpuSeconds: 120, fileByteCount: 1 << 30, wallClockSeconds: 120)

    package func work(
        _ task: WorkerRequest.Task, on input: String, limits: WorkerLimits = WorkerFixtures.limits,
        onEvent: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
    ) async throws -> WorkerResult {
        try await WorkerProcess.run(
            WorkerRequest(task: task, input: input, limits: limits), executable: Self.executable, onEvent: onEvent)
    }

    /// The worker's reason for refusing a file.
    package func failure(
        _ task: WorkerRequest.Task, on input: String, limits: WorkerLimits = WorkerFixtures.limits
    ) async -> String {
        do {
            let result = try await work(task, on: input, limits: limits)
            return "no failure: \(result)"
        } catch {
            return "\(error)"
        }
    }

    package var leftovers: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".part") }
    }
}
