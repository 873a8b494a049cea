import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// Authorization of publishers, their codecs, and replacing a publisher.
    @Suite struct PublishingTests {
        static let credentials = #""publishers": [{ "user": "ana", "password": "secreto" }]"#

        @Test(arguments: ["tcp", "udp"])
        func asksForCredentials(_ transport: String) async throws {
            let server = try AntenaProcess(channelFields: ["canalA": Self.credentials])
            try await server.start()
            let host = "127.0.0.1:\(server.rtspPort)/live/canalA.stream"
            for login in ["", "ana:wrong@", "eva:secreto@"] {
                let refused = try BackgroundProgram.publisher(to: "rtsp://\(login)\(host)", transport: transport)
                #expect(try await refused.waitForExit(within: 20) != 0)
                #expect(refused.errorOutput.contains("401"))
            }
            #expect(try await server.channelState("canalA") == "idle")
            let publisher = try BackgroundProgram.publisher(to: "rtsp://ana:secreto@\(host)", transport: transport)
            _ = try await eventually("canalA is live; the server's log: \(server.log)", within: 30) {
                try await server.channelState("canalA") == "live" ? true : nil
            }
            // Neither password nor digest appears anywhere.
            #expect(!server.log.contains("secreto"))
            publisher.kill()
        }

        @Test func hashesAPasswordForTheChannelsFile() async throws {
            let command = "echo secreto | '\(AntenaProcess.executable)' hash-password ana"
            let entry = try await ExternalTool("sh").run(["-c", command]).text
            #expect(!entry.contains("secreto"))
            let server = try AntenaProcess(channelFields: ["canalA": #""publishers": [\#(entry)]"#])
            try await server.start()
            let publisher = try BackgroundProgram.publisher(
                to: "rtsp://ana:secreto@127.0.0.1:\(server.rtspPort)/live/canalA.stream")
            _ = try await eventually("canalA is live", within: 30) {
                try await server.channelState("canalA") == "live" ? true : nil
            }
            publisher.kill()
        }

        struct Push: Sendable, CustomTestStringConvertible {
            var video: [String]
            var audio: [String]
            var codecs: Set<String>
            /// The codec that the audio was transcoded from, according to the status.
            var transcodedFrom: String?
            var testDescription: String { "\(codecs.sorted())" + (transcodedFrom.map { " from \($0)" } ?? "") }
        }

        static let pushes = [
            Push(
                video: BackgroundProgram.h264, audio: ["-c:a", "pcm_mulaw", "-ar", "8000", "-ac", "1"],
                codecs: ["h264", "aac"], transcodedFrom: "G.711 µ-law"),
            Push(
                video: BackgroundProgram.h264, audio: ["-c:a", "libmp3lame", "-ar", "44100"],
                codecs: ["h264", "aac"], transcodedFrom: "MPEG audio"),
            Push(
                video: ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "keyint=25:log-level=none"],
                audio: ["-c:a", "libopus"], codecs: ["hevc", "aac", "opus"], transcodedFrom: "Opus"),
        ]

        @Test(arguments: pushes)
        func everyCodecIsSeenAndHeard(_ push: Push) async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(
                to: LiveTests.address(server), videoCodec: push.video, audioCodec: push.audio)
            let window = try await LiveTests.window(of: server, count: 4)
            #expect(HLSConformance.check(window).map(\.description) == [])
            let url = server.origin + LiveTests.playlist
            #expect(try await MediaClients.codecs(url) == push.codecs)
            try await MediaClients.decode(url, seconds: 2)
            let tracks = try await server.request("/api/v1/channels/canalA").json["tracks"] as? [[String: Any]]
            let audio = tracks?.first { $0["type"] as? String == "audio" }
            #expect(audio?["transcodedFrom"] as? String == push.transcodedFrom)
            publisher.kill()
        }

        @Test func aSecondPublisherTakesOverWhereItMay() async throws {
            let server = try AntenaProcess(channelFields: ["canalA": #""secondPublisher": "takeOver""#])
            try await server.start()
            let first = try BackgroundProgram.publisher(to: LiveTests.address(server))
            let before = try await LiveTests.window(of: server, count: 2)
            var histories = before.renditions.map { rendition in
                var history = LivePlaylistHistory()
                history.add(rendition.playlist)
                return history
            }
            let second = try BackgroundProgram.publisher(to: LiveTests.address(server))
            #expect(try await first.waitForExit(within: 20) != 0)
            let after = try await eventually("a discontinuity", within: 30) {
                let load = try await ConformanceClient(server: server).load(LiveTests.playlist)
                for (index, rendition) in load.renditions.enumerated() where histories.indices.contains(index) {
                    histories[index].add(rendition.playlist)
                }
                let isThere = load.renditions.allSatisfy { !PlaylistDocument($0.playlist).discontinuities.isEmpty }
                return isThere ? load : nil
            }
            #expect(HLSConformance.check(after).map(\.description) == [])
            #expect(histories.flatMap(\.findings).map(\.description) == [])
            #expect(second.isRunning)
            second.kill()
        }
    }
}
