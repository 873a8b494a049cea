import CAntenaSystem
import Glibc
import MediaCore
package import NIOCore

/// A local file that is open for reading or writing at any offset. All calls wait for the disk.
///
/// The descriptor is constant, pread(2) and pwrite(2) share no position, and the file is closed with the last
/// reference.
package final class LocalFile: Sendable {
    package let path: String
    package let descriptor: Int32

    /// Opens a regular file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - flags: Flags of open(2); `O_CLOEXEC` is added.
    /// - Throws: ``MediaStorageError`` with `notFound` if there is no file, otherwise with `localFile`.
    package init(_ path: String, flags: Int32 = O_RDONLY) throws {
        // O_NONBLOCK: opening a FIFO for reading would otherwise wait for a writer. It has no effect on regular files.
        let descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw Self.failure(path, "open", errno) }
        self.path = path
        self.descriptor = descriptor
        guard try status().isRegular else { throw Self.failure(path, "open as a regular file", EINVAL) }
    }

    deinit { close(descriptor) }

    /// Size, identity and modification time of a file.
    package struct Status: Sendable, Hashable {
        package var byteCount: Int64
        package var inode: UInt64
        /// In nanoseconds since 1970.
        package var modificationTime: Int64
        package var isRegular: Bool
        package var isFolder: Bool
        /// The bytes that the file takes on the disk, which are fewer than its size if it has holes.
        package var allocatedByteCount: Int64

        fileprivate init(_ status: stat) {
            byteCount = Int64(status.st_size)
            inode = UInt64(status.st_ino)
            modificationTime = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            isRegular = status.st_mode & S_IFMT == S_IFREG
            isFolder = status.st_mode & S_IFMT == S_IFDIR
            allocatedByteCount = Int64(status.st_blocks) * 512
        }
    }

    package func status() throws -> Status {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(path, "open", errno) }
        return Status(status)
    }

    /// The status of the file at a path; `nil` if there is none.
    package static func status(of path: String) throws -> Status? {
        var status = stat()
        if stat(path, &status) == 0 { return Status(status) }
        guard errno == ENOENT || errno == ENOTDIR else { throw failure(path, "open", errno) }
        return nil
    }

    package static func isSymbolicLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Reads up to `count` bytes; fewer only at the end of the file.
    package func read(at offset: Int64, count: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        var failure: Int32 = 0
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
            var done = 0
            while done < count, let base = target.baseAddress {
                let read = pread(descriptor, base + done, count - done, off_t(offset) + off_t(done))
                if read < 0, errno == EINTR { continue }
                if read < 0 { failure = errno }
                guard read > 0 else { break }
                done += read
            }
            return done
        }
        guard failure == 0 else { throw Self.failure(path, "read", failure) }
        return buffer
    }

    /// Writes the whole buffer.
    package func write(_ buffer: ByteBuffer, at offset: Int64) throws {
        let code: Int32 = buffer.withUnsafeReadableBytes { bytes in
            var done = 0
            while done < bytes.count, let base = bytes.baseAddress {
                let count = pwrite(descriptor, base + done, bytes.count - done, off_t(offset) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : ENOSPC }
                done += count
            }
            return 0
        }
        guard code == 0 else { throw Self.failure(path, "write", code) }
    }

    /// Sets the size; a larger size appends a hole.
    package func truncate(to byteCount: Int64) throws {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw Self.failure(path, "resize", errno) }
    }

    /// Makes a hole: gives the blocks of the disk back, without changing the size (fallocate(2)).
    package func punchHole(at offset: Int64, byteCount: Int64) throws {
        guard antena_punch_hole(descriptor, off_t(offset), off_t(byteCount)) == 0 else {
            throw Self.failure(path, "make a hole in", errno)
        }
    }

    /// Makes content and size durable.
    package func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw Self.failure(path, "flush", errno) }
    }

    // MARK: Names

    package static func rename(_ path: String, to other: String) throws {
        guard Glibc.rename(path, other) == 0 else { throw failure(other, "write", errno) }
    }

    /// Removes a file; does nothing if there is none.
    package static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw failure(path, "remove", errno) }
    }

    /// Makes the names in a folder durable.
    package static func synchronizeFolder(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, "open", errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path, "flush", errno) }
    }

    /// Makes a folder and those above it.
    package static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw failure(path, "make the folder", errno)
        }
        try makeFolder(String(path[..<slash]))
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw failure(path, "make the folder", errno) }
    }

    /// The names in a folder, in no order; empty if there is no folder.
    package static func names(inFolder path: String) throws -> [String] {
        guard let folder = opendir(path) else {
            guard errno == ENOENT || errno == ENOTDIR else { throw failure(path, "read the folder", errno) }
            return []
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    static func failure(_ path: String, _ operation: String, _ number: Int32) -> MediaStorageError {
        MediaStorageError(
            number == ENOENT || number == ENOTDIR ? .notFound : .localFile,
            "cannot \(operation) \(path): \(FileErrorText.text(number))", systemError: number)
    }
}
