package import NIOCore
import Packaging

/// Reads a transfer's pieces into one reused buffer: memory that was just written to a socket is in the processor's
/// cache and costs no page faults.
///
/// `@unchecked Sendable`: used either by the event loop or by one thread of the pool, never by both; `BodySender`
/// hands it over and waits for its return.
package final class PieceReader: @unchecked Sendable {
    private var transfer: FileTransfer
    private var buffer: ByteBuffer

    /// - Parameters:
    ///   - transfer: the bytes to read.
    ///   - buffer: the buffer of a previous transfer, or a new one.
    package init(_ transfer: FileTransfer, buffer: ByteBuffer) {
        self.transfer = transfer
        // The sender holds the claim; a write that has not failed yet may hold the reader for longer.
        self.transfer.claim = nil
        self.buffer = buffer
    }

    package var isAtEnd: Bool { transfer.remainingByteCount == 0 }

    /// Reads the next piece into ``piece``, which may be empty although the end has not been reached.
    ///
    /// - Parameters:
    ///   - maximumByteCount: maximum size of the piece, at most `FileTransfer.pieceByteCount`.
    ///   - cachedOnly: true does not wait for the disk.
    /// - Returns: false if `cachedOnly` is true and part of the piece is not in the page cache.
    /// - Throws: `MediaFileError`
    package func readNext(_ maximumByteCount: Int = FileTransfer.pieceByteCount, cachedOnly: Bool) throws -> Bool {
        // Keeps the memory unless the previous piece is still referenced.
        buffer.clear(minimumCapacity: min(FileTransfer.pieceByteCount, transfer.remainingByteCount))
        return try transfer.readPiece(maximumByteCount, into: &buffer, cachedOnly: cachedOnly)
    }

    /// Has the next piece brought to this machine if the file is on another one.
    ///
    /// - Parameter completion: called once, on any thread, unless the result is false.
    /// - Returns: false if nothing has to be brought.
    func fetchNext(_ completion: @escaping FetchCompletion) -> Bool {
        transfer.fetchPiece(FileTransfer.pieceByteCount, completion)
    }

    /// Has the next piece brought to this machine if the file is on another one, and waits for it.
    ///
    /// - Throws: the reason why it does not come.
    package func fetchNext() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            if !fetchNext({ continuation.resume(with: $0) }) { continuation.resume() }
        }
    }

    /// Sends the next bytes from the page cache to a socket.
    func sendRun(to socket: NIOBSDSocket.Handle) -> MediaSending { transfer.sendRun(to: socket) }

    /// The last piece read.
    package var piece: ByteBuffer { buffer }
}
