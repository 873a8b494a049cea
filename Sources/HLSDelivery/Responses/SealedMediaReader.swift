import NIOCore
import Packaging

/// Reads stored media in pieces and encrypts it, or a range of it.
///
/// Every block of ciphertext depends on the previous one, so a range is encrypted from the start of the resource; the
/// bytes before the range are discarded, a few pieces at a time.
struct SealedMediaReader: Sendable {
    private var plain: StoredMediaReader
    private var chain: BlockChain
    private let range: Range<Int>
    /// Number of bytes encrypted so far.
    private var position = 0

    /// Number of bytes before a range that one call encrypts; limits how long a thread of the pool is used to about 10
    /// ms.
    static let skippedByteCount = 64 * FileTransfer.pieceByteCount

    /// - Parameter range: the range of the encrypted resource to deliver.
    init(_ media: StoredMedia, range: Range<Int>, chain: BlockChain) {
        plain = StoredMediaReader(media, range: 0..<media.byteCount)
        self.chain = chain
        self.range = range
    }

    /// Number of bytes left. The last block that a range needs may extend beyond its end.
    var remainingByteCount: Int { max(0, range.upperBound - max(position, range.lowerBound)) }

    /// Fills an empty buffer with the next piece, which stays empty until the range is reached.
    ///
    /// - Parameters:
    ///   - maximumByteCount: maximum size of the piece; at least two blocks.
    ///   - cachedOnly: true does not wait for the disk.
    /// - Returns: false if `cachedOnly` is true and the piece needs the disk or much computation; the buffer is then
    ///   empty.
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

    /// Has the media that will be encrypted next brought to this machine if the file is on another one; see
    /// `FileTransfer.fetchPiece(_:_:)`.
    func fetchPiece(
        _ maximumByteCount: Int, _ completion: @escaping FetchCompletion
    ) -> Bool {
        plain.fetchPiece(maximumByteCount, completion)
    }

    private mutating func sealNext(
        _ maximumByteCount: Int, into buffer: inout ByteBuffer, cachedOnly: Bool
    ) throws -> Bool {
        // The last piece leaves room for the padding.
        let byteCount = (maximumByteCount / BlockChain.blockByteCount - 1) * BlockChain.blockByteCount
        guard try plain.readPiece(byteCount, into: &buffer, cachedOnly: cachedOnly) else { return false }
        try chain.seal(&buffer, isLast: plain.remainingByteCount == 0)
        position += buffer.readableBytes
        return true
    }
}
