import NIOCore
import Synchronization

/// Buffers of finished transfers, for the next ones. The one that was used last is taken first, because it is most
/// likely to be in the processor's cache.
final class PieceBuffers: Sendable {
    private let free = Mutex([ByteBuffer]())

    /// More than are in use at a time on most servers; 4 MB.
    static let maximumCount = 32

    /// An empty buffer.
    func take() -> ByteBuffer { free.withLock { $0.popLast() } ?? ByteBuffer() }

    func give(_ buffer: ByteBuffer) {
        guard buffer.capacity >= FileTransfer.pieceByteCount, buffer.capacity <= 2 * FileTransfer.pieceByteCount else {
            return
        }
        free.withLock { free in
            if free.count < Self.maximumCount { free.append(buffer) }
        }
    }

    /// Buffers that wait to be used again.
    var count: Int { free.withLock(\.count) }
}
