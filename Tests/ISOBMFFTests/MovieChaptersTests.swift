import Foundation
import ISOBMFF
import MediaCore
import TestSupport
import Testing

struct MovieChaptersTests {
    private static func movie(_ format: String) async throws -> [BoxNode] {
        let folder = try TemporaryDirectory(label: "chapters")
        let metadata = try folder.write(
            """
            ;FFMETADATA1
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=1500
            title=Uno
            [CHAPTER]
            TIMEBASE=1/1000
            START=1500
            END=2000
            title=Dos ñ
            """, to: "chapters.txt")
        let path = try folder.file("film.\(format)")
        _ = try await ExternalTool.ffmpeg().run([
            "-v", "error", "-nostdin", "-i", try await MovieFixture.brief.path(), "-i", metadata, "-map", "0",
            "-map_metadata", "1", "-c", "copy", path,
        ])
        return BoxNode.parse(try bytesOfFile(path))
    }

    private static func read(_ nodes: [BoxNode]) throws -> [MovieChapter] {
        try MovieChapters.read(from: InMemoryMovie(nodes.flatMap(\.bytes)))
    }

    private func expectBoth(_ chapters: [MovieChapter]) {
        #expect(chapters.map(\.title) == ["Uno", "Dos ñ"])
        #expect(chapters.map(\.start.seconds) == [0, 1.5])
    }

    /// ffmpeg writes both Nero's list and a QuickTime track.
    @Test func readsNerosList() async throws { expectBoth(try Self.read(try await Self.movie("mp4"))) }

    @Test(arguments: ["mp4", "mov"]) func readsQuickTimesTrack(_ format: String) async throws {
        let nodes = try await Self.movie(format).map { node in
            guard node.type == "moov" else { return node }
            return node.replacing("udta") { BoxNode("free", $0.content) }
        }
        expectBoth(try Self.read(nodes))
    }

    @Test func aFilmWithoutHasNone() async throws {
        let nodes = BoxNode.parse(try bytesOfFile(try await MovieFixture.brief.path()))
        #expect(try Self.read(nodes).isEmpty)
    }

    /// Damage of any kind causes an error or a result, but never a trap.
    @Test(arguments: ["mp4", "mov"]) func flippedBitsNeverTrap(_ format: String) async throws {
        let nodes = try await Self.movie(format)
        let bytes = nodes.flatMap(\.bytes)
        let start = nodes.prefix { $0.type != "moov" }.reduce(0) { $0 + $1.bytes.count }
        for bit in stride(from: start * 8, to: bytes.count * 8, by: 13) {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            _ = try? MovieChapters.read(from: InMemoryMovie(damaged))
        }
    }
}
