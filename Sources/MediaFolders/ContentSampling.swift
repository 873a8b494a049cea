import Crypto
import Foundation
import MediaStorage

/// Detects files with the same content: reads a little of each file, and whole files only if the samples are equal.
package enum ContentSampling {
    /// Number of places that are sampled: the beginning, the end, and between them.
    private static let placeCount = 5
    private static let placeByteCount = 64 << 10
    private static let pieceByteCount = 1 << 20
    /// Nice value from 0 to 19, the lowest priority, so that viewers come first.
    private static let niceness: Int32 = 19

    /// Computes a digest of the size and up to 320 KiB of the file; of a smaller file, all of it is read. Blocks.
    package static func sample(of path: String) throws -> (byteCount: Int64, digest: String) {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? handle.close() }
        let byteCount = try handle.seekToEnd()
        var hasher = SHA256()
        hasher.update(data: Data("\(byteCount)".utf8))
        let last = byteCount > UInt64(placeByteCount) ? byteCount - UInt64(placeByteCount) : 0
        for place in 0..<placeCount {
            try handle.seek(toOffset: last / UInt64(placeCount - 1) * UInt64(place))
            hasher.update(data: try handle.read(upToCount: placeByteCount) ?? Data())
        }
        // Rounding may have skipped some bytes at the end.
        try handle.seek(toOffset: last)
        hasher.update(data: try handle.read(upToCount: placeByteCount) ?? Data())
        return (Int64(clamping: byteCount), text(hasher.finalize()))
    }

    /// Computes a digest of the whole file on a thread of its own with the lowest priority.
    package static func digest(of path: String) async throws -> String {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let thread = Thread {
                    // On Linux, this sets the priority of this thread only.
                    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
                    continuation.resume(with: Result { try read(path, cancellation) })
                }
                thread.name = "antena.digest"
                thread.start()
            }
        } onCancel: {
            cancellation.set()
        }
    }

    private static func read(_ path: String, _ cancellation: CancellationFlag) throws -> String {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? handle.close() }
        var hasher = SHA256()
        while let piece = try handle.read(upToCount: pieceByteCount), !piece.isEmpty {
            guard !cancellation.isSet else { throw CancellationError() }
            hasher.update(data: piece)
        }
        return text(hasher.finalize())
    }

    private static func text(_ digest: SHA256.Digest) -> String {
        digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
