import CAntenaSystem
import Glibc
import ISOBMFF
package import NIOCore

/// A media file that is open for reading at any offset from any thread.
///
/// `@unchecked Sendable` is not needed: the descriptor is constant, and pread(2) shares no position.
package final class MediaFile: RandomAccessData, Sendable {
    /// The path under which the file was opened.
    package let path: String
    /// The size of the file when it was opened.
    package let byteCount: Int64
    /// The identity of the file, which differs from that of another file that took its name.
    package let identity: Identity
    let descriptor: Int32
    /// Tells what is in the page cache; `nil` for a file in memory, which needs no disk.
    private let pageCache: PageCacheProbe?

    /// The identity of a file.
    package struct Identity: Sendable, Hashable {
        package var device: UInt64
        package var inode: UInt64
        package var byteCount: Int64
        /// The modification time in nanoseconds since 1970.
        package var modificationTime: Int64
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file to open.
    ///   - isOwn: Whether the server made the file: symbolic links and files with a second hard link are then refused.
    /// - Throws: ``MediaFileError`` if the file cannot be opened or is not a regular file.
    package convenience init(path: String, isOwn: Bool = false) throws(MediaFileError) {
        // O_NONBLOCK: opening a FIFO for reading would otherwise wait for a writer. It has no effect on regular files.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isOwn ? O_NOFOLLOW : 0))
        guard descriptor >= 0 else { throw MediaFileError(path: path, operation: "open", errno: errno) }
        try self.init(path: path, owning: descriptor, pageCache: PageCacheProbe()) { status throws(MediaFileError) in
            let kind = status.st_mode & S_IFMT
            guard kind == S_IFREG else {
                throw MediaFileError(
                    path: path, operation: "open as a regular file", errno: kind == S_IFDIR ? EISDIR : EINVAL)
            }
            guard !isOwn || status.st_nlink == 1 else {
                throw MediaFileError(path: path, operation: "open as a file of the server", errno: EMLINK)
            }
        }
    }

    /// Makes a file in memory, which can be sent to a socket without being copied again.
    ///
    /// - Parameter pieces: the file's content, in this order.
    /// - Throws: ``MediaFileError`` if the system has no descriptor or no memory for it.
    package convenience init(inMemory pieces: [ByteBuffer]) throws(MediaFileError) {
        let path = "a file in memory"
        let descriptor = antena_memory_file("antena-media")
        guard descriptor >= 0 else { throw MediaFileError(path: path, operation: "create", errno: errno) }
        var end: Int64 = 0
        for piece in pieces {
            let code = DiskFile.write(piece, to: descriptor, at: end)
            guard code == 0 else {
                close(descriptor)
                throw MediaFileError(path: path, operation: "write", errno: code)
            }
            end += Int64(piece.readableBytes)
        }
        try self.init(path: path, owning: descriptor, pageCache: nil) { _ throws(MediaFileError) in }
    }

    /// Takes over an open descriptor, and closes it if the file is refused.
    ///
    /// - Parameter check: Throws if a file with this status is to be refused.
    private init(
        path: String, owning descriptor: Int32, pageCache: PageCacheProbe?,
        check: (stat) throws(MediaFileError) -> Void
    ) throws(MediaFileError) {
        do throws(MediaFileError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else {
                throw MediaFileError(path: path, operation: "open", errno: errno)
            }
            try check(status)
            self.path = path
            self.descriptor = descriptor
            self.pageCache = pageCache
            byteCount = Int64(status.st_size)
            identity = Identity(status)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// The identity of the file that has the name now; `nil` if there is none.
    package static func identity(ofFileAt path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(status) : nil
    }

    /// True if the file still has a name: a renamed file has one, a deleted one does not. Blocks.
    package var isLinked: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// Returns whether a part of the file is in memory; false if unsure.
    func isResident(_ range: FileRange) -> Bool { pageCache?.isResident(range, descriptor: descriptor) ?? true }

    /// Returns the file's mapping if all of a range is in the page cache; `nil` if it is not, or if unsure.
    func residentMapping(covering range: FileRange) -> FileMapping? {
        guard let mapping = pageCache?.mapping(covering: range, descriptor: descriptor), mapping.isResident(range)
        else { return nil }
        return mapping
    }

    /// Reads bytes, and waits for the disk if they are not in memory.
    ///
    /// - Throws: ``MediaFileError`` if the range ends beyond the file, or reading fails.
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

    /// Appends the bytes of the ranges, in order, to `buffer`.
    ///
    /// Ranges that lie close together are read with one call; the bytes between them are discarded.
    ///
    /// - Parameters:
    ///   - ranges: The ranges to read.
    ///   - buffer: Receives the bytes.
    ///   - cachedOnly: Whether to fail instead of waiting for the disk.
    /// - Returns: False if `cachedOnly` is set and not everything is in the page cache; `buffer` is then unchanged.
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
