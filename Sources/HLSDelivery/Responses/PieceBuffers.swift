import NIOCore
import Synchronization

/// A pool of buffers for file transfers. The most recently used buffer is taken first, because it is most likely in the
/// processor's cache.
final class PieceBuffers: Sendable {
    private let free = Mutex([ByteBuffer]())

    /// Limit of pooled buffers, more than most servers use concurrently; 4 MB in total.
    static let maximumCount = 32

    /// Takes a buffer from the pool, or creates an empty one.
    func take() -> ByteBuffer { free.withLock { $0.popLast() } ?? ByteBuffer() }

    /// Returns a buffer to the pool, unless the pool is full or the buffer's size is unusual.
    func give(_ buffer: ByteBuffer) {
        guard buffer.capacity >= FileTransfer.pieceByteCount, buffer.capacity <= 2 * FileTransfer.pieceByteCount else {
            return
        }
        free.withLock { free in
            if free.count < Self.maximumCount { free.append(buffer) }
        }
    }

    /// Number of buffers in the pool.
    var count: Int { free.withLock(\.count) }
}
