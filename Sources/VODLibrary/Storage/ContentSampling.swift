import Crypto
import Foundation

/// Reads files for what tells equal ones: a little of each, and all of those that a little does not tell apart.
enum ContentSampling {
    /// At the beginning, the end, and in between.
    private static let placeCount = 5
    private static let placeByteCount = 64 << 10
    private static let pieceByteCount = 1 << 20
    /// Of 19: whoever watches comes first.
    private static let niceness: Int32 = 19

    /// Of the size and 320 KiB; of a smaller file, all of it. Blocks.
    static func sample(of path: String) throws -> (byteCount: Int64, digest: String) {
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
        // Rounding may have left some out.
        try handle.seek(toOffset: last)
        hasher.update(data: try handle.read(upToCount: placeByteCount) ?? Data())
        return (Int64(clamping: byteCount), text(hasher.finalize()))
    }

    /// Of the whole file, on a thread of its own with the lowest priority.
    static func digest(of path: String) async throws -> String {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let thread = Thread {
                    // On Linux that is the thread's alone.
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
