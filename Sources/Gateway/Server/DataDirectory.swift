import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Everything that a server writes lies below this directory, which one server at a time may use.
package final class DataDirectory: Sendable {
    /// Absolute.
    package let path: String
    /// Held open as long as the server lives: the kernel lets go of the lock however the process ends, `kill -9` too.
    private let lockDescriptor: CInt

    /// Made where it does not exist, and locked.
    ///
    /// - Throws: ``ServerStartError``
    package init(path: String) throws(ServerStartError) {
        let absolute = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
        self.path = absolute.count > 1 && absolute.hasSuffix("/") ? String(absolute.dropLast()) : absolute
        do {
            try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
        } catch {
            throw ServerStartError(
                "the data directory \(self.path) cannot be made: \(Self.reason(errno)); choose another with --data")
        }
        let lockPath = "\(self.path)/antena.lock"
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
        // For the message above only; the lock itself does not depend on it.
        let text = Array("\(getpid())".utf8)
        ftruncate(lockDescriptor, 0)
        _ = pwrite(lockDescriptor, text, text.count, 0)
    }

    deinit { close(lockDescriptor) }

    /// The path of a file or folder below.
    package func path(of name: String) -> String { "\(path)/\(name)" }

    private static func reason(_ number: CInt) -> String { String(cString: strerror(number)) }
}

/// Why a server cannot start; says what to do.
package struct ServerStartError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
