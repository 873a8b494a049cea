import Crypto
import MediaCore
import NIOCore

/// The checksums of a file and of its parts, computed by reading the file once.
struct FileDigests: Sendable, Hashable {
    /// The checksums of a part.
    struct Part: Sendable, Hashable {
        var range: Range<Int64>
        var md5: [UInt8]
        /// In hexadecimal digits.
        var sha256: String
    }

    /// The status of the file when it was read.
    var status: LocalFile.Status
    /// At least one; empty for an empty file.
    var parts: [Part]
    /// The SHA-256 of the whole file in hexadecimal digits.
    var sha256: String

    private static let pieceByteCount = 256 << 10

    /// Reads a file. Waits for the disk.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - partByteCount: The size of every part but the last one, by the size of the file.
    ///   - isCancelled: Whether nobody needs the result any more; then `CancellationError` is thrown.
    init(of file: LocalFile, partByteCount: (Int64) -> Int64, isCancelled: () -> Bool) throws {
        status = try file.status()
        parts = []
        var whole = SHA256()
        let size = partByteCount(status.byteCount)
        var start: Int64 = 0
        repeat {
            let range = start..<min(status.byteCount, start + size)
            var (md5, sha256) = (Insecure.MD5(), SHA256())
            var position = start
            while position < range.upperBound {
                guard !isCancelled() else { throw CancellationError() }
                let count = Int(min(Int64(Self.pieceByteCount), range.upperBound - position))
                let piece = try file.read(at: position, count: count)
                guard piece.readableBytes == count else { throw Self.changed(file) }
                piece.withUnsafeReadableBytes { bytes in
                    whole.update(bufferPointer: bytes)
                    md5.update(bufferPointer: bytes)
                    sha256.update(bufferPointer: bytes)
                }
                position += Int64(count)
            }
            parts.append(
                Part(range: range, md5: Array(md5.finalize()), sha256: sha256.finalize().hexadecimalDigits))
            start = range.upperBound
        } while start < status.byteCount
        sha256 = whole.finalize().hexadecimalDigits
    }

    static func changed(_ file: LocalFile) -> MediaStorageError {
        MediaStorageError(.localFile, "\(file.path) changed while it was read")
    }
}
