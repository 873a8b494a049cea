import Glibc

/// Writes files that are complete or do not exist, whatever happens meanwhile.
package enum AtomicOutput {
    static let partialSuffix = ".part"

    struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ doing: String, _ path: String) {
            description = "cannot \(doing) \(path): \(String(cString: strerror(errno)))"
        }
    }

    /// Lets `body` write to a temporary file beside `path`, flushes it and renames it; removes it if that fails.
    package static func write(_ path: String, _ body: (_ part: String) throws -> Void) throws {
        let part = path + partialSuffix
        do {
            try body(part)
            try sync(part, flags: O_RDWR)
            guard rename(part, path) == 0 else { throw Failure("rename to", path) }
        } catch {
            unlink(part)
            throw error
        }
        // The name must survive a power cut, too.
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try sync(folder, flags: O_RDONLY | O_DIRECTORY)
    }

    package static func writeBytes(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure("create", path) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure("write", path) }
            written += count
        }
    }

    private static func sync(_ path: String, flags: Int32) throws {
        let descriptor = open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure("sync", path) }
    }
}
