import Foundation
import Glibc
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
        let parts = [
            Array("header".utf8)[...], bytes[100..<1_101], bytes[5_000..<7_000], Array("between".utf8)[...],
            bytes[0..<50],
        ]
        whole = Array(parts.joined())
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

    // MARK: Sending

    /// Runs of `byteCount` bytes with gaps between them, as in an MP4 whose tracks are interleaved, and what they hold.
    private func interleaved(_ byteCount: Int, count: Int) throws -> (media: StoredMedia, bytes: [UInt8]) {
        let gap = 300
        let bytes = (0..<(byteCount + gap) * count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        try directory.write(bytes, to: "interleaved.bin")
        let starts = (0..<count).map { gap + $0 * (byteCount + gap) }
        let media = StoredMedia(
            file: try MediaFile(path: directory.file("interleaved.bin")),
            runs: starts.map { .file(FileRange(offset: Int64($0), byteCount: byteCount)) })
        return (media, starts.flatMap { bytes[$0..<$0 + byteCount] })
    }

    private struct SocketPair: ~Copyable {
        let (writer, reader): (Int32, Int32)

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
            (writer, reader) = (ends[0], ends[1])
        }

        deinit {
            close(writer)
            close(reader)
        }

        /// Everything that has arrived.
        func readAll() -> [UInt8] {
            var result: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = recv(reader, &buffer, buffer.count, 0), count > 0 { result += buffer[..<count] }
            return result
        }
    }

    @Test(arguments: [700, 8_000, 40_000])
    func runsOfAFileArriveInTheirOrderHoweverOftenTheSocketIsFull(byteCount: Int) throws {
        let (media, bytes) = try interleaved(byteCount, count: 3_000_000 / byteCount)
        let sockets = try SocketPair()
        var reader = StoredMediaReader(media, range: 5..<media.byteCount - 3)
        var received: [UInt8] = []
        var fullCount = 0
        while reader.remainingByteCount > 0 {
            switch reader.sendRun(to: sockets.writer) {
            case .progressed: continue
            case .socketIsFull:
                fullCount += 1
                received += sockets.readAll()
            case .mustBeRead: throw MediaFileError(path: "cached file", operation: "send", errno: EIO)
            case .failed(let code): throw MediaFileError(path: "socket", operation: "write to", errno: code)
            }
        }
        received += sockets.readAll()
        #expect(fullCount > 0)
        #expect(received == Array(bytes[5..<bytes.count - 3]))
    }

    @Test func whatHasBeenCutOffAFileIsLeftToReading() throws {
        let (media, _) = try interleaved(8_000, count: 100)
        try FileHandle(forWritingTo: URL(fileURLWithPath: directory.file("interleaved.bin"))).truncate(atOffset: 0)
        let sockets = try SocketPair()
        var reader = StoredMediaReader(media, range: 0..<media.byteCount)
        guard case .mustBeRead = reader.sendRun(to: sockets.writer) else {
            Issue.record("bytes of an empty file were sent")
            return
        }
        #expect(reader.remainingByteCount == media.byteCount)
        #expect(sockets.readAll() == [])
    }
}
