import Foundation
package import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The directory that contains everything that a server writes. Only one server at a time may use it.
package final class DataDirectory: Sendable {
    /// The absolute path.
    package let path: String
    /// Holds the lock, which the kernel releases however the process ends, even after `kill -9`.
    private let lockDescriptor: CInt
    /// When a server last ran with this directory; `nil` if none has.
    package let lastRunTime: WallClockTime?

    /// Creates the directory if it does not exist, and locks it.
    ///
    /// - Throws: ``ServerStartError`` if it cannot be created or written, or another server uses it.
    package init(path: String) throws(ServerStartError) {
        let absolute = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
        self.path = absolute.count > 1 && absolute.hasSuffix("/") ? String(absolute.dropLast()) : absolute
        do {
            try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
        } catch {
            throw ServerStartError(
                "the data directory \(self.path) cannot be created: \(Self.reason(errno)); choose another with --data")
        }
        let lockPath = "\(self.path)/\(Self.lockName)"
        lockDescriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard lockDescriptor >= 0 else {
            throw ServerStartError(
                "the data directory \(self.path) cannot be written: \(Self.reason(errno)); choose another with --data")
        }
        guard flock(lockDescriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = (try? String(contentsOfFile: lockPath, encoding: .utf8)) ?? ""
            close(lockDescriptor)
            let process = holder.isEmpty ? "" : " (process \(holder.prefix(20)))"
            throw ServerStartError(
                "another Antena server\(process) uses the data directory \(self.path); stop it or choose another with --data"
            )
        }
        let lock = try? FileManager.default.attributesOfItem(atPath: lockPath)
        let isNew = (lock?[.size] as? Int ?? 0) == 0
        lastRunTime = isNew ? nil : (lock?[.modificationDate] as? Date).map { WallClockTime($0) }
        // The process ID is only for the message above; the lock does not depend on it.
        let text = Array("\(getpid())".utf8)
        ftruncate(lockDescriptor, 0)
        _ = pwrite(lockDescriptor, text, text.count, 0)
    }

    deinit { close(lockDescriptor) }

    /// Notes that the server runs, for ``lastRunTime`` of the next start. Blocks.
    package func noteRunning() { futimens(lockDescriptor, nil) }

    /// The name of the file that a running server has locked.
    package static let lockName = "antena.lock"
    /// The name of the default database.
    package static let catalogueName = "catalogue.sqlite"

    /// The path of a file or folder in the directory.
    package func path(of name: String) -> String { "\(path)/\(name)" }

    private static func reason(_ number: CInt) -> String { String(cString: strerror(number)) }
}
