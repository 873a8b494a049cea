import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A human-readable reason why a file could not be read or written. Foundation's own descriptions consist of domains,
/// codes and dictionaries.
package struct FileErrorText: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// The system's reason (`errno`); `nil` if the error names none.
    package let number: Int32?

    /// - Parameter error: a Foundation error, which is translated, or any other error, whose own description is used.
    package init(_ error: any Error) {
        let own = (error as? FileReplacement.Failure)?.number ?? (error as? POSIXError)?.code.rawValue
        number = own ?? Self.errorNumber(of: error as NSError)
        description = number.map(Self.text) ?? "\(error)"
    }

    /// The system's text for an error number, or "the disk is full".
    ///
    /// - Parameter errorNumber: a value of `errno`.
    package static func text(_ errorNumber: Int32) -> String {
        errorNumber == ENOSPC ? "the disk is full" : String(cString: strerror(errorNumber))
    }

    /// Limit on the levels of underlying errors: in practice one error wraps another that wraps the system's.
    private static let maximumDepth = 4

    /// The `errno` value that a Foundation error wraps; `nil` if there is none.
    private static func errorNumber(of error: NSError, depth: Int = 0) -> Int32? {
        if error.domain == NSPOSIXErrorDomain { return Int32(exactly: error.code) }
        guard error.domain == NSCocoaErrorDomain, depth < maximumDepth else { return nil }
        let underlying = error.userInfo[NSUnderlyingErrorKey]
        if let posix = underlying as? POSIXError { return posix.code.rawValue }
        if let error = underlying as? any Error, let number = errorNumber(of: error as NSError, depth: depth + 1) {
            return number
        }
        return cocoaErrors[error.code]
    }

    /// `errno` values for Cocoa errors that come without an underlying POSIX error.
    private static let cocoaErrors: [Int: Int32] = [
        CocoaError.fileNoSuchFile.rawValue: ENOENT, CocoaError.fileReadNoSuchFile.rawValue: ENOENT,
        CocoaError.fileReadNoPermission.rawValue: EACCES, CocoaError.fileWriteNoPermission.rawValue: EACCES,
        CocoaError.fileWriteFileExists.rawValue: EEXIST, CocoaError.fileWriteOutOfSpace.rawValue: ENOSPC,
        CocoaError.fileWriteVolumeReadOnly.rawValue: EROFS, CocoaError.fileReadTooLarge.rawValue: EFBIG,
        CocoaError.fileReadInvalidFileName.rawValue: ENAMETOOLONG,
    ]
}
