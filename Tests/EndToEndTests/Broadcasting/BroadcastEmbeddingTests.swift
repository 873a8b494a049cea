import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The broadcaster as a library in another program, `Examples/broadcast`, which uses only the public API.
    @Suite struct BroadcastEmbeddingTests {
        private static var example: String {
            URL(filePath: AntenaProcess.executable).deletingLastPathComponent().appending(path: "example-broadcast")
                .path
        }

        @Test func anotherProgramPushesATestCard() async throws {
            let server = try await AntenaProcess.serving()
            let program = try BackgroundProgram(
                "env", [Self.example, "rtsp://127.0.0.1:\(server.rtspPort)/live/canalA.stream", "12"])
            _ = try await LiveTests.window(of: server, count: 3)
            let channel = try await server.request("/api/v1/channels/canalA").json
            let track = try #require((channel["tracks"] as? [[String: Any]])?.first)
            #expect(track["width"] as? Int == 640 && track["height"] as? Int == 360)
            #expect(try await program.waitForExit(within: 30) == 0)
            let sent = try #require(program.output.firstMatch(of: /sent ([0-9]+) frames/)).1
            #expect(try #require(Int(sent)) > 200, "25 a second: \(program.output)")
            _ = try await eventually("it said goodbye", within: 5) {
                try await server.channelState("canalA") == "idle" ? true : nil
            }
        }

        @Test func itIsToldWhatIsWrong() async throws {
            let server = try await AntenaProcess.serving()
            let program = try BackgroundProgram(
                "env", [Self.example, "rtsp://127.0.0.1:\(server.rtspPort)/live/nowhere", "12"])
            _ = try await program.waitForExit(within: 30)
            #expect(program.output.contains("unknownChannel: "), "\(program.output)")
        }
    }
}
