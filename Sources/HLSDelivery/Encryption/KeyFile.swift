import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Reads and writes small files that hold keys. Only the server's user may read them, and each is either complete or
/// absent. All functions block.
enum KeyFile {
    enum ReadingFailure: Error, Equatable {
        case missing
        /// The file exists but is not valid or cannot be read.
        case unusable(reason: String)

        var reason: String {
            switch self {
            case .missing: "it does not exist"
            case .unusable(let reason): reason
            }
        }
    }

    /// Reads a key file.
    ///
    /// - Parameter byteCount: the required size of the file.
    static func read(_ path: String, byteCount: Int) -> Result<[UInt8], ReadingFailure> {
        // O_NONBLOCK keeps a FIFO in its place from blocking the server.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            return .failure(errno == ENOENT ? .missing : .unusable(reason: reason(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failure(.unusable(reason: reason(errno))) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failure(.unusable(reason: "it is not a regular file")) }
        guard status.st_size == byteCount else {
            return .failure(.unusable(reason: "it has \(status.st_size) bytes instead of \(byteCount)"))
        }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var count = 0
        while count < byteCount {
            let result = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: count), byteCount - count, off_t(count))
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else {
                return .failure(.unusable(reason: result == 0 ? "it is cut off" : reason(errno)))
            }
            count += result
        }
        return .success(bytes)
    }

    /// Replaces the file atomically; the change survives a power failure.
    static func write(_ bytes: [UInt8], to path: String) throws(TitleKeyError) {
        do {
            try FileReplacement.write(bytes, to: path)
        } catch {
            throw TitleKeyError(error.description)
        }
    }

    /// Deletes the file, if it exists.
    static func delete(_ path: String) throws(TitleKeyError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw TitleKeyError("\(path) cannot be deleted: \(reason(errno))")
        }
    }

    /// Flushes the folder of a file to disk; without it, a power failure may undo a rename or a deletion.
    static func synchronizeFolder(of path: String) throws(TitleKeyError) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw TitleKeyError("\(folder) cannot be opened: \(reason(errno))") }
        defer { close(descriptor) }
        // Some file systems do not support this; they keep directory entries in order anyway.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw TitleKeyError("\(folder) cannot be written to disk: \(reason(errno))")
        }
    }

    /// The system's message for an `errno`.
    static func reason(_ number: CInt) -> String { String(cString: strerror(number)) }
}
