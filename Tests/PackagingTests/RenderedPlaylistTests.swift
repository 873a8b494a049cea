import NIOCore
import Packaging
import Synchronization
import TestSupport
import Testing

struct RenderedPlaylistTests {
    static let texts = [
        "#EXTM3U\n", "", String(repeating: "#EXTINF:6.000000,\nvideo/123.m4s\n", count: 5_000),
        String(decoding: (0..<20_000).map { (index: Int) -> UInt8 in UInt8(33 + index * 7_919 % 90) }, as: UTF8.self),
    ]

    @Test(arguments: texts)
    func gzipUnpacksToTheSameText(_ text: String) async throws {
        let playlist = RenderedPlaylist { text }
        let packed = try #require(playlist.gzipped)
        #expect(playlist.plain == ByteBuffer(string: text))
        let directory = try TemporaryDirectory(label: "gzip")
        let path = try directory.write(packed.readableBytesView, to: "playlist.m3u8.gz")
        let unpacked = try await ExternalTool("gzip").run(["-dc", path])
        #expect(unpacked.text == text)
        if text.utf8.count > 100_000 { #expect(packed.readableBytes < text.utf8.count / 50) }
    }

    @Test func isRenderedOnceWhoeverAsks() async {
        let count = Atomic<Int>(0)
        await withTaskGroup(of: Void.self) { group in
            let playlist = RenderedPlaylist {
                count.add(1, ordering: .relaxed)
                return "#EXTM3U\n"
            }
            for index in 0..<50 {
                group.addTask { _ = index % 2 == 0 ? playlist.plain : playlist.gzipped ?? ByteBuffer() }
            }
            await group.waitForAll()
        }
        #expect(count.load(ordering: .relaxed) == 1)
    }

    @Test func isNotRenderedBeforeAnyoneAsks() {
        let count = Atomic<Int>(0)
        withExtendedLifetime(RenderedPlaylist { "\(count.add(1, ordering: .relaxed))" }) {}
        #expect(count.load(ordering: .relaxed) == 0)
    }
}
