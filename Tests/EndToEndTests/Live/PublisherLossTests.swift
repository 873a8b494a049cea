import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct PublisherLossTests {
        private static func document(_ server: AntenaProcess, _ rendition: String) async throws -> PlaylistDocument {
            let url = "\(server.origin)/live/canalA.stream/\(rendition).m3u8"
            return PlaylistDocument(try await ConformanceClient(server: server).playlist(url))
        }

        @Test func anEndedChannelBeginsAgain() async throws {
            let server = try AntenaProcess(channelFields: ["canalA": #""onLoss": "end", "lossTimeout": 2"#])
            try await server.start()
            let first = try BackgroundProgram.publisher(to: LiveTests.address(server))
            let before = try await LiveTests.window(of: server, count: 3)
            let document = try #require(before.renditions.first.map { PlaylistDocument($0.playlist) })
            first.kill()
            // A player that waits for the next segment is answered when the playlist ends.
            let next = document.mediaSequence + document.segments.count + 2
            let ended = try await eventually("the end; the server's log: \(server.log.suffix(1_500))") {
                let reply = try await server.request("/live/canalA.stream/video.m3u8?_HLS_msn=\(next)&_HLS_part=0")
                return reply.status == 200 && reply.text.contains("#EXT-X-ENDLIST") ? reply.text : nil
            }
            #expect(!ended.contains("PRELOAD-HINT") && !ended.contains("CAN-BLOCK-RELOAD"))
            try await server.expectConformance(of: LiveTests.playlist)
            // Players reach the end as well.
            let url = server.origin + LiveTests.playlist
            try await MediaClients.decode(url, seconds: 60)
            let last = try await Self.document(server, "video")

            let second = try BackgroundProgram.publisher(to: LiveTests.address(server))
            let after = try await eventually("a new playlist; the server's log: \(server.log.suffix(1_500))") {
                let document = try await Self.document(server, "video")
                return !document.isEnded && document.segments.count >= 2 ? document : nil
            }
            #expect(after.mediaSequence == last.mediaSequence + last.segments.count)
            #expect(Set(after.segments.map(\.uri)).isDisjoint(with: last.segments.map(\.uri)))
            try await MediaClients.decode(url, seconds: 2)
            #expect(second.isRunning, "\(second.errorOutput)")
            second.kill()
        }
    }
}
