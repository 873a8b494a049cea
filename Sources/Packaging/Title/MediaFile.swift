import CAntenaSystem
import Glibc
import ISOBMFF
package import NIOCore

/// A media file open for reading at any offset from any thread.
///
/// `@unchecked Sendable` is not needed: the descriptor is constant, and pread(2) shares no position.
package final class MediaFile: RandomAccessData, Sendable {
    package let path: String
    package let byteCount: Int64
    /// Tells a file from another one that took its name.
    package let identity: Identity
    let descriptor: Int32
    /// `nil` for a file in memory, which is there at any time.
    private let pageCache: PageCacheProbe?

    package struct Identity: Sendable, Hashable {
        package var device: UInt64
        package var inode: UInt64
        package var byteCount: Int64
        /// Nanoseconds since 1970.
        package var modificationTime: Int64
    }

    /// - Parameter isOwn: the server made the file: neither a symbolic link nor a file with a second name is opened.
    /// - Throws: ``MediaFileError`` where the file cannot be opened or is no regular file.
    package init(path: String, isOwn: Bool = false) throws(MediaFileError) {
        // O_NONBLOCK: opening a FIFO for reading would wait for a writer. Regular files do not know it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isOwn ? O_NOFOLLOW : 0))
        guard descriptor >= 0 else { throw MediaFileError(path: path, operation: "open", errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw MediaFileError(path: path, operation: "open", errno: code)
        }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else {
            close(descriptor)
            throw MediaFileError(
                path: path, operation: "open as a regular file", errno: kind == S_IFDIR ? EISDIR : EINVAL)
        }
        guard !isOwn || status.st_nlink == 1 else {
            close(descriptor)
            throw MediaFileError(path: path, operation: "open as a file of the server's own", errno: EMLINK)
        }
        self.path = path
        self.descriptor = descriptor
        pageCache = PageCacheProbe()
        byteCount = Int64(status.st_size)
        identity = Identity(status)
    }

    /// Makes a file in memory, which can be sent to a socket without being copied again.
    ///
    /// - Parameter pieces: the file's content, in this order.
    /// - Throws: ``MediaFileError`` if the system has no descriptor or no memory for it.
    package init(inMemory pieces: [ByteBuffer]) throws(MediaFileError) {
        let path = "a file in memory"
        let descriptor = antena_memory_file("antena-media")
        guard descriptor >= 0 else { throw MediaFileError(path: path, operation: "make", errno: errno) }
        var byteCount: Int64 = 0
        for piece in pieces {
            let code = DiskFile.write(piece, to: descriptor, at: byteCount)
            guard code == 0 else {
                close(descriptor)
                throw MediaFileError(path: path, operation: "write", errno: code)
            }
            byteCount += Int64(piece.readableBytes)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw MediaFileError(path: path, operation: "make", errno: code)
        }
        self.path = path
        self.descriptor = descriptor
        self.byteCount = byteCount
        pageCache = nil
        identity = Identity(status)
    }

    deinit { close(descriptor) }

    /// Of the file that has the name now; `nil` where there is none.
    package static func identity(ofFileAt path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(status) : nil
    }

    /// Whether the file has a name somewhere: one that was renamed has, one that was deleted has not. Blocks.
    package var isLinked: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }
    /// Whether a part of the file is in the page cache; false in doubt.
    func isResident(_ range: FileRange) -> Bool { pageCache?.isResident(range, descriptor: descriptor) ?? true }

    package func read(at offset: Int64, count: Int) throws -> ByteBuffer {
        guard count >= 0, offset >= 0, offset <= byteCount - Int64(count) else {
            throw MediaFileError(path: path, operation: "read beyond the end of", errno: EINVAL)
        }
        var buffer = ByteBuffer()
        guard count > 0 else { return buffer }
        let range = FileRange(offset: offset, byteCount: count)
        let isComplete = try appendRanges([range], to: &buffer, cachedOnly: false)
        precondition(isComplete, "a blocking read is complete or throws")
        return buffer
    }

    /// Appends the ranges' bytes, in their order, to `buffer`.
    ///
    /// Neighbours that lie close together are read by one call, with what is between them read into nowhere.
    ///
    /// - Parameter cachedOnly: do not wait for the disk.
    /// - Returns: false where `cachedOnly` is set and not everything is in the page cache; `buffer` is then as before.
    package func appendRanges(
        _ ranges: [FileRange], to buffer: inout ByteBuffer, cachedOnly: Bool
    ) throws(MediaFileError) -> Bool {
        let total = ranges.reduce(0) { $0 + $1.byteCount }
        guard total > 0 else { return true }
        // preadv2 takes an offset of -1 for the descriptor's own position.
        guard ranges.allSatisfy({ $0.offset >= 0 && $0.byteCount >= 0 }) else {
            throw MediaFileError(path: path, operation: "read before the start of", errno: EINVAL)
        }
        var failure: MediaFileError?
        var isComplete = true
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: total) { target in
            guard let base = target.baseAddress else { return 0 }
            // Files in memory do not support RWF_NOWAIT, and there is no disk to wait for.
            var reader = ScatteredReader(
                descriptor: descriptor, cachedOnly: cachedOnly && pageCache != nil, target: base)
            switch reader.read(ranges) {
            case .complete: return total
            case .notCached:
                isComplete = false
                return 0
            case .failed(let code):
                failure = MediaFileError(path: path, operation: "read", errno: code)
                return 0
            }
        }
        if let failure { throw failure }
        return isComplete
    }
}

extension MediaFile.Identity {
    fileprivate init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        byteCount = Int64(status.st_size)
        modificationTime = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
}

/// A run of bytes of a file.
package struct FileRange: Sendable, Hashable {
    package var offset: Int64
    package var byteCount: Int

    package init(offset: Int64, byteCount: Int) {
        self.offset = offset
        self.byteCount = byteCount
    }

    package var endOffset: Int64 { offset + Int64(byteCount) }
}

/// A file that could not be opened or read, and why.
package struct MediaFileError: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var operation: String
    package var errno: Int32

    package init(path: String, operation: String, errno: Int32) {
        self.path = path
        self.operation = operation
        self.errno = errno
    }

    package var description: String { "cannot \(operation) \(path): \(String(cString: strerror(errno)))" }
}
