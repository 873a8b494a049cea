import Foundation
import LibraryCore
import MediaWorker
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
}
