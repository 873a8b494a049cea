import Foundation
package import TestSupport

/// A PostgreSQL server of a test's own, on a Unix socket in a temporary folder, or with TLS on a loopback port.
///
/// `@unchecked Sendable`: `process` is written while `lock` is held.
package final class PostgreSQLTestServer: @unchecked Sendable {
    private let folder: TemporaryDirectory
    private let lock = NSLock()
    private var process: Process?
    /// Further settings of the server.
    private let settings: [String]
    private let port: Int?

    private static let script = URL(filePath: "\(Repository.path)/Tests/Support/postgres-server.sh")

    /// Starts a server and waits until it accepts connections.
    ///
    /// - Parameter certificate: the certificate with which the server listens on 127.0.0.1; `nil` for a Unix socket
    ///   only.
    package init(certificate: TestCertificate? = nil) async throws {
        folder = try TemporaryDirectory(label: "postgres")
        // The server runs as another user if the tests run as root.
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder.path)
        if let certificate {
            let (key, port) = (try folder.file("server.key"), try TCPPorts.free())
            try FileManager.default.copyItem(atPath: certificate.keyPath, toPath: key)
            // A key of root may be readable to the server's group, any other one to its owner only.
            let nobody = getuid() == 0 ? getgrnam("nogroup")?.pointee.gr_gid : nil
            try FileManager.default.setAttributes([.posixPermissions: nobody == nil ? 0o600 : 0o640], ofItemAtPath: key)
            if let nobody { chown(key, 0, nobody) }
            let copy = try folder.file("server.crt")
            try FileManager.default.copyItem(atPath: certificate.certificatePath, toPath: copy)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy)
            settings = [
                "listen_addresses=127.0.0.1", "port=\(port)", "ssl=on", "ssl_cert_file=\(copy)", "ssl_key_file=\(key)",
            ]
            self.port = port
        } else {
            (settings, port) = ([], nil)
        }
        try await start()
    }

    deinit { kill() }

    package var url: String { Self.url(ofFolder: socketFolder) }
    /// The address of a server with a certificate, on the loopback interface.
    ///
    /// - Parameters:
    ///   - host: the name that the certificate has to have.
    ///   - authority: the path of the certificate that is trusted.
    package func url(host: String, authority: String) -> String {
        "postgres://antena@\(host):\(port ?? 0)/postgres?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=\(authority)"
    }
    private var socketFolder: String { "\(folder.path)/server" }

    static func url(ofFolder folder: String) -> String { "postgres:///postgres?host=\(folder)&user=antena" }

    /// Starts the server again after ``kill()``.
    package func start() async throws {
        let process = Process()
        process.executableURL = Self.script
        process.arguments = [socketFolder] + settings
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
