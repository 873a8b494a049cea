import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct LiveTests {
        static let playlist = "/live/canalA.stream/playlist.m3u8"

        static func address(_ server: AntenaProcess, _ channel: String = "canalA") -> String {
            "rtsp://127.0.0.1:\(server.rtspPort)/live/\(channel).stream"
        }

        /// The channel's playlists, once they list at least `count` segments.
        static func window(of server: AntenaProcess, count: Int) async throws -> Presentation {
            try await eventually("\(count) segments; the server's log: \(server.log.suffix(1_500))", within: 40) {
                let load = try await ConformanceClient(server: server).load(playlist, hasFullWindow: count >= 6)
                let counts = load.renditions.map { PlaylistDocument($0.playlist).segments.count }
                return counts.count >= 2 && counts.allSatisfy { $0 >= count } ? load : nil
            }
        }

        @Test(arguments: ["tcp", "udp"])
        func turnsAPushIntoHLS(_ transport: String) async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: Self.address(server), transport: transport)
            let window = try await Self.window(of: server, count: 6)
            #expect(HLSConformance.check(window).map(\.description) == [])
            let url = server.origin + Self.playlist
            #expect(try await MediaClients.codecs(url) == ["h264", "aac"])
            try await MediaClients.decode(url, seconds: 3)
            #expect(publisher.isRunning, "\(publisher.errorOutput)")
            let status = try await server.request("/api/v1/channels/canalA").json
            #expect(status["state"] as? String == "live")
            #expect(
                (status["publisher"] as? [String: Any])?["transport"] as? String == "RTSP/\(transport.uppercased())")
            #expect((status["bytesIn"] as? Int ?? 0) > 10_000)
            let video = try #require((status["tracks"] as? [[String: Any]])?.first { $0["type"] as? String == "video" })
            #expect(video["width"] as? Int == 320)
            #expect(abs((video["frameRate"] as? Double ?? 0) - 25) < 2)
        }

        @Test func goesOnWhenAKilledPublisherComesBack() async throws {
            let server = try await AntenaProcess.serving()
            let first = try BackgroundProgram.publisher(to: Self.address(server))
            let before = try await Self.window(of: server, count: 3)
            var histories = before.renditions.map { rendition in
                var history = LivePlaylistHistory()
                history.add(rendition.playlist)
                return history
            }
            first.kill()
            // Retries as an app does after a disconnection, until the server has noticed that the first publisher is
            // gone.
            var second = try BackgroundProgram.publisher(to: Self.address(server))
            let after = try await eventually("a discontinuity; the server's log: \(server.log.suffix(1_500))") {
                if !second.isRunning { second = try BackgroundProgram.publisher(to: Self.address(server)) }
                let load = try await ConformanceClient(server: server).load(Self.playlist)
                for (index, rendition) in load.renditions.enumerated() where histories.indices.contains(index) {
                    histories[index].add(rendition.playlist)
                }
                let documents = load.renditions.map { PlaylistDocument($0.playlist) }
                return documents.allSatisfy { !$0.discontinuities.isEmpty && $0.segments.count >= 4 } ? load : nil
            }
            #expect(histories.flatMap(\.findings).map(\.description) == [])
            #expect(HLSConformance.check(after).map(\.description) == [])
            #expect(after.renditions.map(\.playlist.url) == before.renditions.map(\.playlist.url))
            second.kill()
        }

        @Test func sequenceNumbersSurviveAKilledServer() async throws {
            let server = try await AntenaProcess.serving()
            let first = try BackgroundProgram.publisher(to: Self.address(server))
            let before = try await Self.window(of: server, count: 3)
            let last = try #require(before.renditions.first.map { PlaylistDocument($0.playlist) })
            // The view of a player that keeps polling.
            var histories = before.renditions.map { _ in LivePlaylistHistory() }
            for (index, rendition) in before.renditions.enumerated() { histories[index].add(rendition.playlist) }
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 5)
            first.kill()
            try await server.start()
            let second = try BackgroundProgram.publisher(to: Self.address(server))
            let after = try await Self.window(of: server, count: 2)
            let document = try #require(after.renditions.first.map { PlaylistDocument($0.playlist) })
            #expect(document.mediaSequence >= last.mediaSequence + last.segments.count)
            for (index, rendition) in after.renditions.enumerated() { histories[index].add(rendition.playlist) }
            #expect(histories.flatMap(\.findings).map(\.description) == [])
            second.kill()
        }

        @Test(arguments: ["video", "audio"])
        func playsWhereOneKindOfTrackIsMissing(_ kind: String) async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(
                to: Self.address(server), videoCodec: kind == "video" ? BackgroundProgram.h264 : ["-vn"],
                audioCodec: kind == "audio" ? BackgroundProgram.aac : ["-an"])
            let load = try await eventually("a window; the server's log: \(server.log.suffix(1_500))") {
                let load = try await ConformanceClient(server: server).load(Self.playlist)
                return load.renditions.allSatisfy { PlaylistDocument($0.playlist).segments.count >= 3 } ? load : nil
            }
            #expect(load.renditions.count == 1)
            #expect(HLSConformance.check(load).map(\.description) == [])
            try await MediaClients.decode(server.origin + Self.playlist, seconds: 2)
            publisher.kill()
        }
    }
}
