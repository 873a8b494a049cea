import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The score over the picture of a channel, in Chromium.
    @Suite struct ScoreOverlayTests {
        private static func send(_ server: AntenaProcess, _ path: String, _ body: String) async throws -> String {
            let reply = try await server.request(
                "/api/v1/\(path)", method: "POST", headers: ["Content-Type": "application/json"], body: body)
            try #require((200..<300).contains(reply.status), "\(reply.text)")
            return reply.text
        }

        /// A point changes the score with the frame that has its time, although the viewer is behind.
        @Test func thePointIsShownWithItsFrame() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            defer { publisher.kill() }
            try await server.isOnAir()
            let made = try await Self.send(
                server, "matches",
                #"{"channel": "canalA", "rules": "racquetball3", "sideA": ["<b>Ana</b>"], "sideB": ["Berta"]}"#)
            let id = try #require(made.firstMatch(of: /"match":"([^"]+)"/)?.1)
            _ = try await Self.send(server, "matches/\(id)/events", #"{"events": [{"type": "start"}]}"#)
            let points = "document.querySelector('.score-overlay .b-points')?.textContent"
            let browser = try BrowserTests.drive(
                "\(server.origin)/directo/canalA",
                PlayerTests.play + [
                    "--wait", "\(points) === '0'",
                    "--eval",
                    """
                    (() => { const step = () => { if (\(points) === '1') window.antenaSeen = +\(PlayerTests.player).engine.date;
                      else requestAnimationFrame(step); }; step(); return 1; })()
                    """,
                    "--say", "the score is shown",
                    "--wait", "Boolean(window.antenaSeen)",
                    "--eval",
                    """
                    (async () => { const board = await (await fetch('/api/v1/matches/\(id)')).json();
                      const off = window.antenaSeen - Date.parse(board.time);
                      if (off < -100 || off > 250) throw new Error(`shown ${off} ms after its frame`);
                      if (document.querySelector('.score-overlay b')) throw new Error('markup'); return off; })()
                    """,
                ])
            try await PlayerChangeTests.says("the score is shown", browser)
            _ = try await Self.send(
                server, "matches/\(id)/events", #"{"events": [{"type": "point", "side": "a"}]}"#)
            try await BrowserTests.expectSuccess(browser)
        }
    }
}
