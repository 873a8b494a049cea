import Foundation
import Glibc
import TestSupport

/// A helper program that serves on a loopback port until the test ends.
///
/// `@unchecked Sendable`: nothing changes after `init`.
final class ServerProcess: @unchecked Sendable {
    let folder: TemporaryDirectory
    private let process = Process()
    let port: Int

    /// - Parameters:
    ///   - arguments: The program and its arguments.
    ///   - portIn: Finds the port in what the program has printed; `nil` if it is not there yet.
    init(
        _ arguments: [String], folder: TemporaryDirectory? = nil,
        portIn: (String) -> Int? = { Int($0.split(separator: "\n").first ?? "") }
    ) async throws {
        self.folder = try folder ?? TemporaryDirectory(label: "store")
        let log = try self.folder.write("", to: "output-\(UUID().uuidString)")
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let process = process
        do {
            port = try await eventually("\(arguments) prints its port", within: 120, every: .milliseconds(10)) {
                let text = try String(contentsOfFile: log, encoding: .utf8)
                guard process.isRunning else { throw Ended(output: text) }
                return text.hasSuffix("\n") ? portIn(text) : nil
            }
        } catch {
            kill(process.processIdentifier, SIGKILL)
            throw error
        }
    }

    private struct NotInstalled: Error, CustomStringConvertible {
        var program: String
        var description: String { "\(program) is not installed; run Scripts/setup.sh test, which installs it" }
    }

    private struct Ended: Error {
        var output: String
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    private static func installed(_ program: String) throws -> String {
        let path = "\(Repository.path)/.build/object-stores/bin/\(program)"
        guard FileManager.default.isExecutableFile(atPath: path) else { throw NotInstalled(program: program) }
        return path
    }

    static func moto() async throws -> ServerProcess {
        try await ServerProcess([installed("python"), "\(Repository.path)/Tests/Support/moto-server.py"])
    }

    /// OpenStack Swift's s3api, which checks signatures, with the keys ``TestStore/swiftEnvironment``.
    static func swift() async throws -> ServerProcess {
        let folder = try TemporaryDirectory(label: "swift")
        return try await ServerProcess(
            [installed("python"), "\(Repository.path)/Tests/Support/swift-server.py", "\(folder.path)/data"],
            folder: folder)
    }

    /// `rclone serve s3`, which checks signatures, with the bucket `media` in a folder.
    static func rclone() async throws -> ServerProcess {
        let folder = try TemporaryDirectory(label: "rclone")
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/buckets/media", withIntermediateDirectories: true)
        let keys = TestStore.environment
        return try await ServerProcess(
            [
                installed("rclone"), "serve", "s3", "--config", "/dev/null", "--cache-dir", "\(folder.path)/cache",
                "--addr", "127.0.0.1:0", "--auth-key",
                "\(keys["AWS_ACCESS_KEY_ID"] ?? ""),\(keys["AWS_SECRET_ACCESS_KEY"] ?? "")", "\(folder.path)/buckets",
            ], folder: folder
        ) { text in
            text.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) }
        }
    }

    /// A proxy in front of a store, which misbehaves as ``setFaults(_:)`` says.
    static func faultyProxy(before store: ServerProcess) async throws -> ServerProcess {
        let folder = try TemporaryDirectory(label: "proxy")
        return try await ServerProcess(
            [
                "python3", "\(Repository.path)/Tests/Support/faulty-store-proxy.py", "\(store.port)",
                "\(folder.path)/faults",
            ], folder: folder)
    }

    /// - Parameter json: The faults from now on, as `Tests/Support/faulty-store-proxy.py` describes them.
    func setFaults(_ json: String) throws {
        try Data(json.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/faults"), options: .atomic)
    }
}
