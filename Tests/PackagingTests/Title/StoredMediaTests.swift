import Foundation
import NIOCore
import Packaging
import TestSupport
import Testing

struct StoredMediaTests {
    private let directory: TemporaryDirectory
    private let media: StoredMedia
    private let whole: [UInt8]

    init() throws {
        directory = try TemporaryDirectory()
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try directory.write(bytes, to: "media.bin")
        let runs: [StoredMedia.Run] = [
            .bytes(ByteBuffer(string: "header")), .file(FileRange(offset: 100, byteCount: 1_000)),
            .file(FileRange(offset: 1_100, byteCount: 1)), .file(FileRange(offset: 5_000, byteCount: 2_000)),
            .bytes(ByteBuffer()), .bytes(ByteBuffer(string: "between")), .file(FileRange(offset: 0, byteCount: 50)),
        ]
        media = StoredMedia(file: try MediaFile(path: directory.file("media.bin")), runs: runs)
        whole =
            Array("header".utf8) + bytes[100..<1_101] + bytes[5_000..<7_000] + Array("between".utf8) + bytes[0..<50]
    }

    private func read(_ range: Range<Int>, pieceByteCount: Int) throws -> [UInt8] {
        var reader = StoredMediaReader(media, range: range)
        var buffer = ByteBuffer()
        var bytes: [UInt8] = []
        while reader.remainingByteCount > 0 {
            buffer.clear()
            #expect(try reader.readPiece(pieceByteCount, into: &buffer, cachedOnly: false))
            #expect(buffer.readableBytes == min(pieceByteCount, range.count - bytes.count))
            bytes += buffer.readableBytesView
        }
        return bytes
    }

    @Test(arguments: [1, 7, 100, 1_007, 100_000])
    func piecesAddUpToTheWhole(pieceByteCount: Int) throws {
        #expect(media.byteCount == whole.count)
        #expect(try read(0..<whole.count, pieceByteCount: pieceByteCount) == whole)
    }

    @Test(arguments: [0..<0, 0..<3, 4..<9, 6..<1_006, 1_005..<1_009, 2_999..<3_064, 3_007..<3_015, 3_063..<3_064])
    func aRangeIsThatPartOfTheWhole(range: Range<Int>) throws {
        #expect(try read(range, pieceByteCount: 64) == Array(whole[range]))
    }

    @Test func aFileThatHasShrunkIsAnError() throws {
        try FileHandle(forWritingTo: URL(fileURLWithPath: directory.file("media.bin"))).truncate(atOffset: 500)
        var reader = StoredMediaReader(media, range: 0..<whole.count)
        var buffer = ByteBuffer()
        #expect(throws: MediaFileError.self) {
            _ = try reader.readPiece(5_000, into: &buffer, cachedOnly: false)
        }
    }
}
