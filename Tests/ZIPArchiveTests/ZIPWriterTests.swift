import Foundation
import MediaCore
import TestSupport
import Testing

@testable import ZIPArchive

struct ZIPWriterTests {
    private static let time = WallClockTime(millisecondsSince1970: 1_772_323_199_000)

    @Test func otherProgramsReadTheArchive() async throws {
        let folder = try TemporaryDirectory(label: "zip")
        var writer = ZIPWriter()
        var archive: [UInt8] = []
        for (name, content) in [
            ("LÉEME ñandú.txt", Array("¡Hola!\n".utf8)), ("empty", []), ("data/all.bin", Array(0...255)),
        ] {
            archive += try writer.add(name, content, modifiedAt: Self.time)
        }
        archive += writer.end()
        let file = try folder.write(Data(archive), to: "archive.zip")
        _ = try await ExternalTool("unzip").run(["-tqq", file])
        _ = try await ExternalTool("python3").run(["-m", "zipfile", "-t", file])
        let program = """
            import sys, zipfile
            for entry in (archive := zipfile.ZipFile(sys.argv[1])).infolist():
                print(entry.filename, entry.date_time, oct(entry.external_attr >> 16), archive.read(entry).hex())
            """
        let read = try await ExternalTool("python3").run(["-c", program, file]).lines
        let time = "(2026, 2, 28, 23, 59, 58) 0o100600"
        let all = (0...255).map { String(format: "%02x", $0) }.joined()
        #expect(
            read.map(String.init) == [
                "LÉEME ñandú.txt \(time) c2a1486f6c61210a", "empty \(time) ", "data/all.bin \(time) \(all)",
            ])
    }

    @Test func anEmptyArchiveIsAnArchive() async throws {
        let folder = try TemporaryDirectory(label: "zip")
        let file = try folder.write(Data(ZIPWriter().end()), to: "archive.zip")
        _ = try await ExternalTool("python3").run(["-m", "zipfile", "-t", file])
    }

    @Test func whatDoesNotFitIsRefusedAndTheRestStays() throws {
        var writer = ZIPWriter(maximumByteCount: 400)
        var archive = try writer.add("a", [UInt8](repeating: 1, count: 100), modifiedAt: Self.time)
        #expect(throws: ZIPWriter.TooLarge.self) {
            _ = try writer.add("b", [UInt8](repeating: 1, count: 123), modifiedAt: Self.time)
        }
        archive += try writer.add("b", [UInt8](repeating: 1, count: 122), modifiedAt: Self.time)
        #expect(archive.count + writer.end().count == 400)
    }

    /// Files whose bytes are written by the caller, one of which has fewer than it was begun with.
    @Test func filesAreWrittenInPieces() async throws {
        let folder = try TemporaryDirectory(label: "zip")
        var writer = ZIPWriter()
        var archive = try writer.add("first.txt", Array("1".utf8), modifiedAt: Self.time)
        let content = (0..<100_003).map { UInt8(truncatingIfNeeded: $0 * 7 >> 3) }
        for (name, announced) in [("files/a.bin", Int64(content.count)), ("files/large.bin", 5 << 30)] {
            archive += try writer.begin(name, byteCount: announced, modifiedAt: Self.time)
            var checksum = CRC32()
            for start in stride(from: 0, to: content.count, by: 9_973) {
                let piece = Array(content[start..<min(content.count, start + 9_973)])
                piece.withUnsafeBytes { checksum.add($0) }
                archive += piece
            }
            archive += writer.endFile(checksum, byteCount: Int64(content.count))
        }
        archive += writer.end()
        let file = try folder.write(Data(archive), to: "archive.zip")
        _ = try await ExternalTool("unzip").run(["-tqq", file])
        _ = try await ExternalTool("python3").run(["-m", "zipfile", "-t", file])
        _ = try await ExternalTool("unzip").run(["-q", file, "-d", "\(folder.path)/out"])
        for name in ["a.bin", "large.bin"] {
            #expect(try Data(contentsOf: URL(filePath: "\(folder.path)/out/files/\(name)")) == Data(content))
        }
    }

    /// A file of more than 4 GiB, one that begins behind it, and a directory behind that: in a file with a hole, which
    /// takes no room on the disk.
    @Test func largeFilesAreZIP64() async throws {
        let folder = try TemporaryDirectory(label: "zip")
        let file = try folder.write(Data(), to: "archive.zip")
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        var writer = ZIPWriter()
        let byteCount: Int64 = (4 << 30) + 5
        let header = try writer.begin("large.bin", byteCount: byteCount, modifiedAt: Self.time)
        try handle.write(contentsOf: Data(header))
        try handle.seek(toOffset: UInt64(header.count) + UInt64(byteCount))
        var tail = writer.endFile(.ofZeros(byteCount), byteCount: byteCount)
        tail += try writer.add("behind.txt", Array("¡Hola!".utf8), modifiedAt: Self.time)
        tail += writer.end()
        try handle.write(contentsOf: Data(tail))
        try handle.close()
        let program = """
            import sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            print([(entry.file_size, entry.CRC) for entry in archive.infolist()], archive.read("behind.txt").decode())
            """
        // Not the large file itself: 4 GiB of zeros take ten seconds, and were read once, by Python and by Info-ZIP.
        let read = try await ExternalTool("python3").run(["-c", program, file]).text
        let sum = CRC32.ofZeros(byteCount).value
        #expect(read.hasPrefix("[(\(byteCount), \(sum)), (7, ") && read.hasSuffix("] ¡Hola!\n"))
        _ = try await ExternalTool("unzip").run(["-tqq", file, "behind.txt"])
        var zeros = CRC32()
        [UInt8](repeating: 0, count: 1_003).withUnsafeBytes { zeros.add($0) }
        #expect(zeros == .ofZeros(1_003))
    }

    @Test(arguments: [
        (0, "1980-1-1 0:0:0"), (315_532_799, "1980-1-1 0:0:0"), (951_827_696, "2000-2-29 12:34:56"),
        (1_709_164_801, "2024-2-29 0:0:0"), (4_102_444_799, "2099-12-31 23:59:58"),
        (9_999_999_999, "2107-12-31 23:59:58"),
    ])
    func timesAreThoseOfTheCalendar(_ seconds: Int64, _ expected: String) {
        let time = DOSTime(WallClockTime(millisecondsSince1970: seconds * 1_000))
        let (date, clock) = (Int(time.date), Int(time.time))
        let text =
            "\((date >> 9) + 1_980)-\(date >> 5 & 15)-\(date & 31) "
            + "\(clock >> 11):\(clock >> 5 & 63):\((clock & 31) * 2)"
        #expect(text == expected)
    }
}

extension CRC32 {
    /// The checksum of zero bytes without a look at each: one byte is a linear map of the register, which is squared.
    fileprivate static func ofZeros(_ byteCount: Int64) -> CRC32 {
        func apply(_ map: [UInt32], _ register: UInt32) -> UInt32 {
            var result: UInt32 = 0
            for bit in 0..<32 where register >> UInt32(bit) & 1 == 1 { result ^= map[bit] }
            return result
        }
        var map: [UInt32] = (0..<32).map { bit in
            var value = UInt32(1) << UInt32(bit)
            for _ in 0..<8 { value = shifted(value) }
            return value
        }
        var (checksum, count) = (CRC32(), byteCount)
        while count > 0 {
            if count & 1 == 1 { checksum.register = apply(map, checksum.register) }
            let half = map
            map = half.map { apply(half, $0) }
            count >>= 1
        }
        return checksum
    }
}
