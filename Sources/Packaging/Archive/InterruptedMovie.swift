import Glibc
import ISOBMFF
import MediaCore
import NIOCore

/// The repair of a fragmented movie whose writer was killed.
package enum InterruptedMovie {
    /// The size of a box's longest header.
    private static let headerByteCount: Int64 = 16

    /// Truncates the file after its last complete fragment.
    ///
    /// - Returns: Whether it has any fragment; otherwise it is not playable.
    /// - Throws: ``MediaFileError``, or the error of reading the file.
    package static func cut(path: String) throws -> Bool {
        let file = try MediaFile(path: path)
        var end: Int64 = 0
        var offset: Int64 = 0
        var hasMovieFragment = false
        while let header = try header(in: file, at: offset) {
            offset = header.endOffset
            switch header.type {
            case "moof": hasMovieFragment = true
            case "mdat" where hasMovieFragment: end = offset
            default: break
            }
        }
        guard end > 0 else { return false }
        guard end == file.byteCount || truncate(path, off_t(end)) == 0 else {
            throw MediaFileError(path: path, operation: "truncate", errno: errno)
        }
        return true
    }

    /// Reads a box header; `nil` at the end, and if the box is incomplete.
    private static func header(in file: MediaFile, at offset: Int64) throws -> BoxHeader? {
        let available = min(headerByteCount, file.byteCount - offset)
        guard available >= 8 else { return nil }
        let bytes = try file.read(at: offset, count: Int(available))
        return try? BoxHeader(parsing: bytes, at: offset, enclosedBy: file.byteCount)
    }
}
