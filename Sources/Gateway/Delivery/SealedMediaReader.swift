import NIOCore
import Packaging

/// Reads stored media piece by piece as it is delivered encrypted, or a range of that.
///
/// Every block of ciphertext depends on the one before it, so a range is encrypted from the start of the resource. What
/// lies in front of the range is thrown away, a few pieces at a time.
struct SealedMediaReader: Sendable {
    private var plain: StoredMediaReader
    private var chain: BlockChain
    private let range: Range<Int>
    /// Bytes encrypted so far.
    private var position = 0

    /// Encrypted in front of a range by one call; bounds how long a thread of the pool is taken, about 10 ms.
    static let skippedByteCount = 64 * FileTransfer.pieceByteCount

    /// - Parameter range: of the encrypted resource.
    init(_ media: StoredMedia, range: Range<Int>, chain: BlockChain) {
        plain = StoredMediaReader(media, range: 0..<media.byteCount)
        self.chain = chain
        self.range = range
    }

    /// The last block that a range needs may reach beyond its end.
    var remainingByteCount: Int { max(0, range.upperBound - max(position, range.lowerBound)) }

    /// Fills an empty buffer with the next piece, which stays empty while the range has not been reached.
    ///
    /// - Parameters:
    ///   - maximumByteCount: at least two blocks.
    ///   - cachedOnly: do not wait for the disk.
    /// - Returns: false when `cachedOnly` is set and it would take the disk, or long; the buffer is then empty.
    /// - Throws: ``MediaFileError``
    mutating func readPiece(_ maximumByteCount: Int, into buffer: inout ByteBuffer, cachedOnly: Bool) throws -> Bool {
        if cachedOnly, range.lowerBound - position > FileTransfer.pieceByteCount { return false }
        let end = position + Self.skippedByteCount
        while true {
            let missing = range.lowerBound - position
            let byteCount = missing >= FileTransfer.pieceByteCount ? FileTransfer.pieceByteCount : maximumByteCount
            guard try sealNext(byteCount, into: &buffer, cachedOnly: cachedOnly) else { return false }
            if position > range.lowerBound {
                buffer.moveReaderIndex(forwardBy: max(0, missing))
                buffer.moveWriterIndex(to: buffer.writerIndex - max(0, position - range.upperBound))
                return true
            }
            buffer.clear()
            if position >= end { return true }
        }
    }

    private mutating func sealNext(
        _ maximumByteCount: Int, into buffer: inout ByteBuffer, cachedOnly: Bool
    ) throws -> Bool {
        // The padding has room in the last piece.
        let byteCount = (maximumByteCount / BlockChain.blockByteCount - 1) * BlockChain.blockByteCount
        guard try plain.readPiece(byteCount, into: &buffer, cachedOnly: cachedOnly) else { return false }
        try chain.seal(&buffer, isLast: plain.remainingByteCount == 0)
        position += buffer.readableBytes
        return true
    }
}
