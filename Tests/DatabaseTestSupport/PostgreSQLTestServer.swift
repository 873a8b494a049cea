import Foundation
import TestSupport

/// A PostgreSQL server of a test's own, on a Unix socket in a temporary folder.
///
/// `@unchecked Sendable`: `process` is written while `lock` is held.
package final class PostgreSQLTestServer: @unchecked Sendable {
    private let folder: TemporaryDirectory
    private let lock = NSLock()
    private var process: Process?

    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Support/postgres-server.sh").standardizedFileURL

    /// Starts a server and waits until it accepts connections.
    package init() async throws {
        folder = try TemporaryDirectory(label: "postgres")
        // The server runs as another user if the tests run as root.
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder.path)
        try await start()
    }

    deinit { kill() }

    package var url: String { Self.url(ofFolder: socketFolder) }
    private var socketFolder: String { "\(folder.path)/server" }

    static func url(ofFolder folder: String) -> String { "postgres:///postgres?host=\(folder)&user=antena" }

    /// Starts the server again after ``kill()``.
    package func start() async throws {
        let process = Process()
        process.executableURL = Self.script
        process.arguments = [socketFolder]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        lock.withLock { self.process = process }
        try await eventually("the server accepts connections", within: 60) {
            Self.accepts(socketFolder) ? () : nil
        }
    }

    /// Ends the server as a crash would, and waits for its end.
    package func kill() {
        guard let process = lock.withLock({ self.process }) else { return }
        // Its children end when they notice that it has gone; a stopped one would not.
        signalChildren(SIGKILL)
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: "\(socketFolder)/data/postmaster.pid")
        lock.withLock { self.process = nil }
    }

    /// Lets the server and its children stand still, as on a machine that hangs.
    package func pause() { signalAll(SIGSTOP) }
    package func resume() { signalAll(SIGCONT) }

    private func signalAll(_ signal: Int32) {
        guard let process = lock.withLock({ self.process }) else { return }
        Foundation.kill(process.processIdentifier, signal)
        signalChildren(signal)
    }

    private func signalChildren(_ signal: Int32) {
        guard let process = lock.withLock({ self.process }) else { return }
        let list = "/proc/\(process.processIdentifier)/task/\(process.processIdentifier)/children"
        for child in ((try? String(contentsOfFile: list, encoding: .utf8)) ?? "").split(separator: " ") {
            if let number = Int32(child) { Foundation.kill(number, signal) }
        }
    }

    private static func accepts(_ folder: String) -> Bool {
        let status = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        // The last line of the file is the state.
        return status?.split(separator: "\n").last?.trimmingCharacters(in: .whitespaces) == "ready"
    }
}
