import CAntenaSystem
import Glibc
import MediaStorage
import Packaging

/// Files that come back from the store. All calls block.
enum LocalFiles {
    /// Creates a file that must not exist.
    ///
    /// - Throws: `MediaStorageError` with `localFile`.
    static func create(_ path: String) throws -> LocalFile {
        do {
            return try LocalFile(path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        } catch var error as MediaStorageError {
            // A folder that is missing is no object that is missing.
            error.code = .localFile
            throw error
        }
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
