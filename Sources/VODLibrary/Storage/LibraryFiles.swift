package import LibraryStorage
import NIOPosix
package import Packaging

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The library's files, on this machine and in the media store, and the file calls for which a disk may need seconds. A
/// test can replace those calls to simulate a disk; all of them block.
package struct LibraryFiles: Sendable {
    /// The identity of the file at a path on this machine; `nil` if there is none.
    package var identity: @Sendable (String) -> MediaFile.Identity?
    /// Returns whether the server lacks the permission to read the file at a path on this machine.
    package var isForbidden: @Sendable (String) -> Bool
    /// Removes a file's name. Returns 0, or an `errno`.
    package var unlink: @Sendable (String) -> Int32
    /// The files that lie in the media store; `nil` if there is no such store.
    package var stored: StoredFiles?

    package init(
        identity: @escaping @Sendable (String) -> MediaFile.Identity? = { MediaFile.identity(ofFileAt: $0) },
        isForbidden: @escaping @Sendable (String) -> Bool = {
            faccessat(AT_FDCWD, $0, R_OK, AT_EACCESS) != 0 && (errno == EACCES || errno == EPERM)
        },
        unlink: @escaping @Sendable (String) -> Int32 = { Glibc.unlink($0) == 0 ? 0 : errno },
        stored: StoredFiles? = nil
    ) {
        self.identity = identity
        self.isForbidden = isForbidden
        self.unlink = unlink
        self.stored = stored
    }

    /// The identity of the file at a path, on this machine or in the media store; `nil` if there is none. Blocks.
    func currentIdentity(_ path: String) -> MediaFile.Identity? {
        identity(path) ?? stored?.file(at: path)?.identity
    }

    /// Opens a file on this machine, or else in the media store.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - isOwn: whether the server made the file; see `MediaFile`.
    ///   - threads: the threads that may wait for the disk.
    /// - Throws: `MediaFileError`, and `MediaStorageError` if the media store cannot be used.
    func open(_ path: String, isOwn: Bool = false, on threads: NIOThreadPool) async throws -> MediaFile {
        do {
            return try await threads.runIfActive { try MediaFile(path: path, isOwn: isOwn) }
        } catch let error as MediaFileError where error.errno == ENOENT {
            guard let file = try await stored?.open(path) else { throw error }
            return file
        }
    }

    /// Opens a file and reads it.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - pool: the threads that may wait for the disk.
    ///   - fetching: the threads that read a file in the media store, and may wait for the network.
    ///   - body: reads the file; it may block.
    /// - Throws: as ``open(_:isOwn:on:)``, and what `body` throws.
    func read<Value: Sendable>(
        _ path: String, on pool: NIOThreadPool, remotelyOn fetching: NIOThreadPool,
        _ body: @escaping @Sendable (MediaFile) throws -> Value
    ) async throws -> Value {
        let file = try await open(path, on: pool)
        return try await (file.isRemote ? fetching : pool).runIfActive { try body(file) }
    }
}
