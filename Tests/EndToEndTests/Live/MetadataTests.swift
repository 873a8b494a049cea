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

        /// `antena metadata` and `antena clip`, on a channel that is being pushed.
        @Test func theCommandLineAnnouncesAndMakesAClip() async throws {
            let server = try await AntenaProcess.serving()
            func run(_ arguments: [String]) async throws -> ExternalTool.Result {
                try await server.command(arguments + ["--server", server.origin])
            }
            let early = try await run(["clip", "canalA", "--from", "5s"])
            #expect(early.status != 0 && early.errorOutput.hasPrefix("Error: "), "\(early.errorOutput)")
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 4)
            let announced = try await run([
                "metadata", "canalA", "id=goal-1", "class=org.example.score", "attributes.X-SCORE=1-0",
            ])
            #expect(announced.status == 0, "\(announced.errorOutput)")
            let range = try JSONSerialization.jsonObject(with: Data(announced.text.utf8)) as? [String: Any]
            #expect(range?["id"] as? String == "goal-1" && range?["startDate"] is String)
            let playlist = try await server.request("/live/canalA.stream/video.m3u8").text
            #expect(
                playlist.contains("ID=\"goal-1\",CLASS=\"org.example.score\"") && playlist.contains("X-SCORE=\"1-0\""))
            let wrong = try await run(["metadata", "canalA", "id=goal-2", "colour=red"])
            #expect(wrong.status != 0 && wrong.errorOutput.contains("colour"), "\(wrong.errorOutput)")
            // From the first segment of the playlist, as a date, until now.
            let first = try #require(
                playlist.split(separator: "\n").first { $0.hasPrefix("#EXT-X-PROGRAM-DATE-TIME:") }?
                    .dropFirst("#EXT-X-PROGRAM-DATE-TIME:".count))
            let date = "\(first.prefix { $0 != "." })Z"
            let second = try #require(try? Date(date, strategy: .iso8601)).addingTimeInterval(1).formatted(.iso8601)
            let clip = try await run(["clip", "canalA", "--from", second, "--to", "0s", "--title", "Goal", "--json"])
            #expect(clip.status == 0, "\(clip.errorOutput)")
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(clip.text.utf8)) as? [String: Any])
            #expect(answer["title"] as? String == "Goal")
            let title = try await server.ingested(try #require(answer["file"] as? String))
            #expect(title.state == "ready" && title.duration ?? 0 > 1, "\(title)")
            for arguments in [["clip", "canalA", "--from", "yesterday"], ["clip", "nobody", "--from", "5s"]] {
                #expect(try await run(arguments).status != 0, "\(arguments)")
            }
            publisher.kill()
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
