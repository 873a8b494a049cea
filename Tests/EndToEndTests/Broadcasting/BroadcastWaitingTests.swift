import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `antena broadcast start --wait`, which a script may start before the server.
    @Suite struct BroadcastWaitingTests {
        @Test func itWaitsForAServerThatStartsLater() async throws {
            let server = try AntenaProcess()
            let (http, rtsp) = (try TCPPorts.free(), try TCPPorts.free())
            let broadcast = try BackgroundProgram(
                "env",
                [
                    "XDG_CONFIG_HOME=/nonexistent", AntenaProcess.executable, "broadcast", "start", "--json", "--wait",
                    "--server", "http://127.0.0.1:\(http)", "--rtsp", "rtsp://127.0.0.1:\(rtsp)", "--channel",
                    "canalA", "--test-card",
                ])
            _ = try await eventually("it says why it waits", within: 20) {
                broadcast.output.contains("nothing listens at") ? true : nil
            }
            #expect(broadcast.isRunning)
            try await server.start(http: http, rtsp: rtsp)
            _ = try await eventually("it is live: \(broadcast.output.suffix(500))", within: 30) {
                try await server.channelState("canalA") == "live" ? true : nil
            }
        }
    }
}
