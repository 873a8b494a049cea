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
    /// Brings what is not on this machine; `nil` for a local file.
    let remote: (any RemoteContents)?

    /// The identity of a file.
    package struct Identity: Sendable, Hashable {
        package var device: UInt64
        package var inode: UInt64
        package var byteCount: Int64
        /// The modification time in nanoseconds since 1970.
        package var modificationTime: Int64

        /// Creates an identity; the parameters are the properties of the same names.
        package init(device: UInt64, inode: UInt64, byteCount: Int64, modificationTime: Int64) {
            self.device = device
            self.inode = inode
            self.byteCount = byteCount
            self.modificationTime = modificationTime
        }
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

    /// Makes a file of zeros in memory, whose content can be sent to a socket without being copied again.
    ///
    /// - Parameters:
    ///   - byteCount: The size of the file; with huge pages a multiple of ``hugePageByteCount``.
    ///   - usesHugePages: Whether the file gets all its memory now, in huge pages. Waits for memory then.
    /// - Throws: ``MediaFileError`` if the system has no descriptor or no memory for it, or no huge pages.
    package convenience init(inMemory byteCount: Int, usesHugePages: Bool = false) throws(MediaFileError) {
        let path = "a file in memory"
        let descriptor = antena_memory_file("antena-media", byteCount, usesHugePages)
        guard descriptor >= 0 else { throw MediaFileError(path: path, operation: "create", errno: errno) }
        try self.init(path: path, owning: descriptor, pageCache: nil) { _ throws(MediaFileError) in }
    }

    /// The size of a huge page in bytes, on most machines.
    package static let hugePageByteCount = Int(ANTENA_HUGE_PAGE_SIZE)

    /// True if the file is in memory, so that no part of it has to come from a disk.
    var isInMemory: Bool { pageCache == nil }

    /// Writes pieces, one after the other, into a file in memory.
    ///
    /// - Parameters:
    ///   - pieces: The bytes.
    ///   - offset: The place of the first byte. All bytes must fit into the file.
    /// - Throws: ``MediaFileError`` if the system has no memory for them.
    package func write(_ pieces: [ByteBuffer], at offset: Int64) throws(MediaFileError) {
        var end = offset
        for piece in pieces {
            let code = DiskFile.write(piece, to: descriptor, at: end)
            guard code == 0 else { throw MediaFileError(path: path, operation: "write", errno: code) }
            end += Int64(piece.readableBytes)
        }
    }

    /// Opens a file that lies on another machine.
    ///
    /// - Parameters:
    ///   - path: The path under which the file is known.
    ///   - localPath: The local file into which ``RemoteContents`` puts what has come. It has the size of the file.
    ///   - identity: The identity of the file, which is that of no local file.
    ///   - remote: Brings what is not here.
    /// - Throws: ``MediaFileError`` if the local file cannot be opened.
    package init(
        path: String, cachedAt localPath: String, identity: Identity, remote: any RemoteContents
    ) throws(MediaFileError) {
        let descriptor = open(localPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw MediaFileError(path: localPath, operation: "open", errno: errno) }
        (self.path, self.descriptor, self.identity, self.remote) = (path, descriptor, identity, remote)
        byteCount = identity.byteCount
        pageCache = PageCacheProbe()
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
            remote = nil
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

    /// True if the file still has a name: a renamed file has one, a deleted one does not. A file on another machine
    /// always has one. Blocks.
    package var isLinked: Bool {
        guard remote == nil else { return true }
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// Calls a function while a range is in memory.
    ///
    /// - Returns: `nil` if the range is not in memory, or if unsure; the function has not been called then.
    func whileResident<Result>(_ range: FileRange, _ body: () -> Result) -> Result? {
        whilePresent([range]) {
            guard pageCache?.isResident(range, descriptor: descriptor) ?? true else { return nil }
            return body()
        }
    }

    /// Calls a function with the file's mapping while ranges are in memory.
    ///
    /// - Parameters:
    ///   - ranges: The ranges that are needed, in rising order.
    ///   - span: The range from the start of the first to the end of the last.
    /// - Returns: `nil` if part of the span is not in memory, or if unsure; the function has not been called then.
    func whileResident<Result>(
        _ ranges: [FileRange], within span: FileRange, _ body: (FileMapping) -> Result
    ) -> Result? {
        whilePresent(ranges) {
            guard let mapping = pageCache?.mapping(covering: span, descriptor: descriptor), mapping.isResident(span)
            else { return nil }
            return body(mapping)
        }
    }

    /// Calls a function while the ranges are on this machine; does not call it, and returns `nil`, if they are not.
    private func whilePresent<Result>(_ ranges: [FileRange], _ body: () -> Result?) -> Result? {
        guard let remote else { return body() }
        guard remote.beginReading(ranges) else { return nil }
        defer { remote.endReading(ranges) }
        return body()
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
        guard let remote else { return try append(total, of: ranges, to: &buffer, cachedOnly: cachedOnly) }
        guard try beginReading(ranges, of: remote, waits: !cachedOnly) else { return false }
        defer { remote.endReading(ranges) }
        return try append(total, of: ranges, to: &buffer, cachedOnly: cachedOnly)
    }

    /// Appends ranges that are on this machine; the parameters are those of ``appendRanges(_:to:cachedOnly:)``.
    ///
    /// - Parameter total: The sum of the ranges' lengths, in bytes.
    private func append(
        _ total: Int, of ranges: [FileRange], to buffer: inout ByteBuffer, cachedOnly: Bool
    ) throws(MediaFileError) -> Bool {
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
