#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Something that the library cannot do, and why; for people.
package struct LibraryError: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        case noSuchFile
        /// Neither video nor audio by its name.
        case notMedia
        /// It is all that, but this file cannot be played.
        case unplayable
        /// A named limit is reached.
        case limitExceeded
        case storage
        /// The server's user may not write there, or the file system is mounted read-only.
        case readOnly
        /// Not in the state that things are in.
        case notPossible
    }

    package var code: Code
    package var reason: String
    /// The system's reason (`errno`), when it was a system call that failed.
    package var systemError: Int32?

    package init(_ code: Code, _ reason: String, systemError: Int32? = nil) {
        self.code = code
        self.reason = reason
        self.systemError = systemError
    }

    package var description: String { reason }

    /// Why something cannot be written.
    ///
    /// - Parameters:
    ///   - what: what cannot be done, as in "film.mp4 cannot be deleted".
    ///   - folder: where; its path.
    ///   - number: the system's `errno`.
    package static func writing(_ what: String, in folder: String, number: CInt) -> LibraryError {
        guard [EROFS, EACCES, EPERM].contains(number) else {
            return LibraryError(.storage, "\(what): \(String(cString: strerror(number)))")
        }
        return LibraryError(
            .readOnly, "\(what): the folder \(folder) is read-only for the server; let the server's user write there")
    }
}
