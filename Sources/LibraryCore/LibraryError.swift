#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An operation that the library cannot perform. `reason` is human-readable.
package struct LibraryError: Error, Hashable, CustomStringConvertible {
    /// The kind of a library error.
    package enum Code: Hashable, Sendable {
        case noSuchFile
        /// The file name's extension is not one of a video or audio format.
        case notMedia
        /// The file is a media file, but cannot be played.
        case unplayable
        /// A named limit is reached.
        case limitExceeded
        case storage
        /// The server's user may not write there, or the file system is mounted read-only.
        case readOnly
        /// The operation is not possible in the current state.
        case notPossible
    }

    package var code: Code
    package var reason: String
    /// The system's error number (`errno`), if a system call failed.
    package var systemError: Int32?

    package init(_ code: Code, _ reason: String, systemError: Int32? = nil) {
        self.code = code
        self.reason = reason
        self.systemError = systemError
    }

    package var description: String { reason }

    /// The error for something that cannot be written.
    ///
    /// - Parameters:
    ///   - what: what failed, for example "film.mp4 cannot be deleted".
    ///   - folder: the path of the folder.
    ///   - number: the system's `errno`.
    package static func writing(_ what: String, in folder: String, number: CInt) -> LibraryError {
        guard [EROFS, EACCES, EPERM].contains(number) else {
            return LibraryError(.storage, "\(what): \(String(cString: strerror(number)))")
        }
        return LibraryError(
            .readOnly, "\(what): the folder \(folder) is read-only for the server; let the server's user write there")
    }
}
