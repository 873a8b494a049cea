import NIOCore
import NIOPosix

/// A part of a file as a sequence of pieces, read on the threads as they are asked for.
struct FilePieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let file: LocalFile
    let range: Range<Int64>
    let threads: NIOThreadPool

    /// A piece is in memory while it is sent; several parts are sent at once.
    static let pieceByteCount: Int64 = 256 << 10

    func makeAsyncIterator() -> Iterator { Iterator(pieces: self, position: range.lowerBound) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let pieces: FilePieces
        fileprivate var position: Int64

        /// - Throws: ``MediaStorageError`` with `localFile` if the file has become shorter.
        mutating func next() async throws -> ByteBuffer? {
            let (offset, file) = (position, pieces.file)
            let count = Int(Swift.min(FilePieces.pieceByteCount, pieces.range.upperBound - offset))
            guard count > 0 else { return nil }
            let piece = try await pieces.threads.blocking { try file.read(at: offset, count: count) }
            guard piece.readableBytes == count else { throw FileDigests.changed(file) }
            position += Int64(count)
            return piece
        }
    }
}
