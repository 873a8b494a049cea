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

        /// The stream says each change of the score, and the recording shows it with the frames of that time: the
        /// board, a mark for each point, and the games among the chapters.
        @Test func theScoreIsInTheStreamAndInTheRecording() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            defer { publisher.kill() }
            try await server.isOnAir()
            _ = try await Self.send(server, "channels/canalA/recording", #"{"action": "start"}"#)
            let made = try await Self.send(
                server, "matches",
                #"{"channel": "canalA", "rules": "racquetball3", "sideA": ["Ana"], "sideB": ["Berta"]}"#)
            let id = try #require(made.firstMatch(of: /"match":"([^"]+)"/)?.1)
            func recorded(_ seconds: Double) async throws {
                _ = try await eventually("the recording is \(seconds) s long", within: 60) {
                    let recording = try await server.request("/api/v1/channels/canalA").json["recording"]
                    let duration = (recording as? [String: Any])?["duration"] as? Double
                    return duration.map { $0 >= seconds } == true ? true : nil
                }
            }
            func range(_ attributes: String...) async throws {
                _ = try await eventually("the playlist says \(attributes)", within: 10) {
                    let lines = try await server.request("/live/canalA.stream/video.m3u8").text.split(separator: "\n")
                    return lines.contains { line in
                        line.hasPrefix("#EXT-X-DATERANGE") && line.contains("CLASS=\"antena.score\"")
                            && attributes.allSatisfy { line.contains($0) }
                    } ? true : nil
                }
            }
            _ = try await Self.send(server, "matches/\(id)/events", #"{"events": [{"type": "start"}]}"#)
            try await range("X-SEQUENCE=\"1\"", "X-POINTS=\"0-0\"", "X-TITLE=\"Ana – Berta · 1\"")
            try await recorded(6)
            _ = try await Self.send(
                server, "matches/\(id)/events", #"{"events": [{"type": "point", "side": "a"}]}"#)
            try await range("X-SEQUENCE=\"2\"", "X-POINTS=\"1-0\"", "END-ON-NEXT=YES")
            _ = try await Self.send(server, "matches/\(id)/events", #"{"events": [{"type": "undo"}]}"#)
            try await range("X-SEQUENCE=\"3\"", "X-POINTS=\"0-0\"", "X-REPLACES=\"2\"")
            _ = try await Self.send(
                server, "matches/\(id)/events", #"{"events": [{"type": "point", "side": "b"}]}"#)
            try await recorded(12)
            let stopped = try await Self.send(server, "channels/canalA/recording", #"{"action": "stop"}"#)
            let file = try #require(stopped.firstMatch(of: /"file":"([^"]+)"/)?.1)
            let title = try await server.ingested(String(file))
            #expect(title.state == "ready")
            let points =
                "[...document.querySelectorAll('.score-overlay .b-points')].map((one) => one.textContent).join('-')"
            let browser = try BrowserTests.drive(
                "\(server.origin)/videoclub?title=\(title.id)",
                PlayerTests.play + [
                    "--wait", "\(points) === '0-0'",
                    "--wait", "!document.getElementById('chapters').hidden",
                    "--eval",
                    """
                    (async () => { const { engine, media } = \(PlayerTests.player);
                      const { items } = await (await fetch('/api/v1/matches/\(id)/timeline')).json();
                      const time = engine.timeAt(Date.parse(items.at(-1).time));
                      media.pause(); media.currentTime = time - 0.5;
                      window.antenaSeen = undefined;
                      const step = () => { if (\(points) === '0-1') window.antenaSeen = +engine.date - Date.parse(items.at(-1).time);
                        else requestAnimationFrame(step); };
                      await new Promise((resolve) => { media.addEventListener('seeked', resolve, { once: true }); });
                      requestAnimationFrame(step); media.play();
                      const names = [...document.querySelectorAll('#chapters li')].map((one) => one.textContent);
                      if (names.length !== 1 || !names[0].includes('Ana – Berta')) throw new Error(names.join());
                      if (document.querySelectorAll('.score-jumps button').length !== 2) throw new Error('no buttons');
                      const { track } = media.querySelector('track[kind=metadata]');
                      track.mode = 'hidden';
                      await new Promise((resolve, reject) => {
                        media.querySelector('track[kind=metadata]').onload = resolve; setTimeout(reject, 5000); });
                      const last = track.cues[track.cues.length - 1];
                      if (JSON.parse(last.text).points !== '0-1' || Math.abs(last.startTime - time) > 0.05) {
                        throw new Error(`cue at ${last.startTime}, frame at ${time}: ${last.text}`); }
                      return time; })()
                    """,
                    "--wait", "window.antenaSeen !== undefined",
                    "--eval",
                    """
                    (() => { const off = window.antenaSeen;
                      if (off < -100 || off > 250) throw new Error(`shown ${off} ms after its frame`); return off; })()
                    """,
                ])
            try await BrowserTests.expectSuccess(browser)
        }
    }
}
