import Foundation
import Packaging

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Recognizes errors that say nothing about a file: the process or the system has no more file descriptors (EMFILE,
/// ENFILE).
enum DescriptorShortage {
    static func isCause(of error: any Error) -> Bool {
        switch error {
        case let error as MediaFileError: return isShortage(error.errno)
        case let error as LibraryError: return error.systemError.map(isShortage) ?? false
        case let error as WorkerFailure: return error.systemError.map(isShortage) ?? false
        case let error as POSIXError: return isShortage(error.code.rawValue)
        default: break
        }
        let error = error as NSError
        if error.domain == NSPOSIXErrorDomain { return isShortage(Int32(truncatingIfNeeded: error.code)) }
        return (error.userInfo[NSUnderlyingErrorKey] as? any Error).map(isCause) ?? false
    }

    private static func isShortage(_ number: Int32) -> Bool { number == EMFILE || number == ENFILE }

    /// The time that a job waits before it is tried again. It doubles with each attempt, up to a minute.
    static func pause(afterAttempt attempt: Int) -> Duration { .seconds(min(60, 1 << min(max(0, attempt - 1), 6))) }
}
