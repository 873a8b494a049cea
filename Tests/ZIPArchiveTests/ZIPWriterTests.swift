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
