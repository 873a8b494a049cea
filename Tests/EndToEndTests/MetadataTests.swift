import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct MetadataTests {
        private static func post(_ server: AntenaProcess, _ body: String) async throws -> WebReply {
            try await server.request(
                "/api/v1/channels/canalA/metadata", method: "POST", headers: ["Content-Type": "application/json"],
                body: body)
        }

        @Test func anAnnouncementReachesEveryPlaylistAndTheMedia() async throws {
            let server = try await AntenaProcess.serving()
            #expect(try await Self.post(server, "{}").status == 409)
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 3)
            let answer = try await Self.post(
                server,
                #"{"id": "ad-1", "class": "com.example.ad", "duration": 2, "attributes": {"X-TITLE": "Ñandú"}, "#
                    + #""id3": {"description": "title", "value": "Ñandú"}}"#)
            #expect(answer.status == 201, "\(answer.text)")
            let date = try #require(answer.json["startDate"] as? String)
            let line =
                "#EXT-X-DATERANGE:ID=\"ad-1\",CLASS=\"com.example.ad\",START-DATE=\"\(date)\",DURATION=2.000000,"
                + "X-TITLE=\"Ñandú\""
            for name in ["video", "audio", "ts", "iframes", "video.m3u8?ll=0"] {
                let file = name.contains(".") ? name : name + ".m3u8"
                let playlist = try await server.request("/live/canalA.stream/\(file)")
                #expect(playlist.text.contains(line), "\(name)")
            }
            // The rules hold with the message before a part, and players play it.
            let window = try await eventually("the tag in both renditions") {
                let load = try await LiveTests.window(of: server, count: 3)
                let carriers = load.renditions.map { rendition in
                    rendition.resources.filter { $0.value.bytes.starts(with: Array("emsg".utf8), at: 4) }.keys
                }
                return carriers.allSatisfy { $0.contains { $0.firstMatch(of: /\.[0-9]+\.m4s$/) != nil } } ? load : nil
            }
            #expect(HLSConformance.check(window).map(\.description) == [])
            try await MediaClients.decode(server.origin + LiveTests.playlist, seconds: 3)
            #expect(try await Self.post(server, #"{"id": "ad-1"}"#).status == 409)
            #expect(try await Self.post(server, #"{"duration": -1}"#).status == 422)
            #expect(publisher.isRunning, "\(publisher.errorOutput)")
            publisher.kill()
        }
    }
}

extension [UInt8] {
    fileprivate func starts(with bytes: [UInt8], at offset: Int) -> Bool {
        dropFirst(offset).starts(with: bytes)
    }
}
