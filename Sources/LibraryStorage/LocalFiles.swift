import CAntenaSystem
import Glibc
import NIOCore
import Packaging

/// Files that come back from the store. All calls block.
enum LocalFiles {
    /// Creates a file that must not exist.
    ///
    /// - Returns: its descriptor.
    static func create(_ path: String) throws(StoredFilesError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw failure("create", path, errno) }
        return descriptor
    }

    static func append(_ piece: ByteBuffer, to descriptor: Int32, _ path: String) throws(StoredFilesError) {
        var rest = piece
        while rest.readableBytes > 0 {
            let count = rest.withUnsafeReadableBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest.moveReaderIndex(forwardBy: count)
            } else if count == 0 || errno != EINTR {
                throw failure("write", path, count == 0 ? EIO : errno)
            }
        }
    }

    /// Flushes a file to the disk and closes it. If it throws, the descriptor is still open.
    static func finish(_ descriptor: Int32, _ path: String) throws(StoredFilesError) {
        guard fsync(descriptor) == 0 else { throw failure("write", path, errno) }
        close(descriptor)
    }

    /// Checks that there is room for a file.
    ///
    /// - Parameters:
    ///   - byteCount: the size of the file.
    ///   - folder: the folder that it comes back to.
    static func checkRoom(for byteCount: Int64, in folder: String) throws(StoredFilesError) {
        guard let free = DiskFile.freeByteCount(ofFolder: folder), byteCount > free - DiskFile.reservedByteCount else {
            return
        }
        throw StoredFilesError(
            .diskFull,
            """
            no room on the disk of \(folder): the next file has \(byteCount >> 20) MiB, \(free >> 20) MiB are free, and \
            Antena leaves \(DiskFile.reservedByteCount >> 20) MiB free; make room
            """)
    }

    /// Gives a file the modification time and the name of the one that was put. A file that has the name stays.
    static func complete(_ temporary: String, as path: String, _ file: StoredFile) throws(StoredFilesError) {
        guard antena_set_modification_time(temporary, file.modificationTime) == 0 else {
            throw failure("set the time of", temporary, errno)
        }
        guard link(temporary, path) == 0 || errno == EEXIST else { throw failure("create", path, errno) }
        unlink(temporary)
    }

    private static func failure(_ operation: String, _ path: String, _ number: Int32) -> StoredFilesError {
        StoredFilesError(
            number == ENOSPC || number == EDQUOT ? .diskFull : .localFile,
            "cannot \(operation) \(path): \(String(cString: strerror(number)))")
    }
}
