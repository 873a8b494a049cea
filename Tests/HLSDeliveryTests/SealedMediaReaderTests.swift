import Foundation
import NIOCore
import Packaging
import TestSupport
import Testing

@testable import HLSDelivery

struct SealedMediaReaderTests {
    private let folder: TemporaryDirectory
    private let key = TitleKey(bytes: Array(100..<116))

    init() throws { folder = try TemporaryDirectory(label: "sealed") }

    /// Media that consists of a header and bytes of a file.
    private func media(byteCount: Int) throws -> (media: StoredMedia, bytes: ByteBuffer) {
        let header = ByteBuffer(repeating: 7, count: min(100, byteCount))
        let rest = ByteBuffer(bytes: (0..<(byteCount - header.readableBytes)).map { UInt8(truncatingIfNeeded: $0 / 3) })
        let path = try folder.file("media-\(byteCount)")
        try Data(rest.readableBytesView).write(to: URL(filePath: path))
        let range = FileRange(offset: 0, byteCount: rest.readableBytes)
        var bytes = header
        bytes.writeImmutableBuffer(rest)
        return (StoredMedia(file: try MediaFile(path: path), runs: [.bytes(header), .file(range)]), bytes)
    }

    private func reader(_ media: StoredMedia, _ range: Range<Int>) -> SealedMediaReader {
        SealedMediaReader(media, range: range, chain: BlockChain(key: key, vector: key.vector(of: "video")))
    }

    private func read(_ reader: SealedMediaReader, pieces: Int = FileTransfer.pieceByteCount) throws -> ByteBuffer {
        var reader = reader
        var result = ByteBuffer()
        while reader.remainingByteCount > 0 {
            var piece = ByteBuffer()
            guard try reader.readPiece(pieces, into: &piece, cachedOnly: false) else { throw CancellationError() }
            #expect(piece.readableBytes <= pieces)
            result.writeImmutableBuffer(piece)
        }
        return result
    }

    @Test(arguments: [0, 1, 15, 16, 17, 100, 131_055, 131_056, 131_057, 131_072, 262_112, 300_001])
    func piecesMakeTheSameAsTheWhole(byteCount: Int) throws {
        let (media, bytes) = try media(byteCount: byteCount)
        let whole = try key.encrypt(bytes, of: "video")
        #expect(whole.readableBytes == BlockChain.sealedByteCount(byteCount))
        for pieces in [16 << 10, FileTransfer.pieceByteCount] {
            #expect(try read(reader(media, 0..<whole.readableBytes), pieces: pieces) == whole)
        }
        let end = whole.readableBytes
        for range in [0..<1, end - 1..<end, end / 2..<end, end / 3..<end / 3 + 5, max(0, end - 17)..<end - 15] {
            #expect(
                try read(reader(media, range)) == whole.getSlice(at: range.lowerBound, length: range.count), "\(range)")
        }
    }

    /// The end of a large segment is reached in steps, which do not block an event loop.
    @Test func aRangeFarBehindTheStartIsReachedInSteps() throws {
        let path = try folder.file("large")
        try Data().write(to: URL(filePath: path))
        let byteCount = 100 << 20
        #expect(truncate(path, byteCount) == 0)
        let media = StoredMedia(
            file: try MediaFile(path: path), runs: [.file(FileRange(offset: 0, byteCount: byteCount))])
        let end = BlockChain.sealedByteCount(byteCount)
        var sealed = reader(media, end - 16..<end)
        var piece = ByteBuffer()
        #expect(try !sealed.readPiece(FileTransfer.pieceByteCount, into: &piece, cachedOnly: true))
        var steps = 0
        while piece.readableBytes == 0 {
            steps += 1
            #expect(try sealed.readPiece(FileTransfer.pieceByteCount, into: &piece, cachedOnly: false))
        }
        #expect(steps == (byteCount + SealedMediaReader.skippedByteCount - 1) / SealedMediaReader.skippedByteCount)
        #expect(piece.readableBytes == 16 && sealed.remainingByteCount == 0)
        #expect(piece.capacity <= 2 * FileTransfer.pieceByteCount)
    }
}
