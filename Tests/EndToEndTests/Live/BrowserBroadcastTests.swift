import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Going live from a page, with a browser whose camera and microphone are made up.
    @Suite struct BrowserBroadcastTests {
        private static let state = "document.querySelector('#state').textContent"

        private static let begin = [
            "--wait", "document.querySelector('#broadcast') && !document.querySelector('#broadcast').hidden",
            "--wait", "document.querySelector('#preview').classList.contains('on')",
            "--click", "#start",
        ]

        private static let onAir = ["--wait", "\(state) === 'You are on the air.'"]

        private static let broken = ["--wait", "\(state).startsWith('The line has broken')"]

        private static func live(_ server: AntenaProcess) async throws {
            _ = try await eventually("canalA is live: \(server.log.suffix(1_500))", within: 60) {
                try await server.channelState("canalA") == "live" ? true : nil
            }
        }

        @Test func aBrowserGoesLiveAndEndsTheBroadcast() async throws {
            let server = try await AntenaProcess.serving()
            let browser = try BrowserTests.drive(
                "\(server.origin)/directo/canalA/emitir",
                Self.begin + Self.onAir + [
                    "--wait", "parseFloat(document.querySelector('#rate').textContent) > 0", "--say",
                    "it is on the air",
                    "--wait", "document.querySelector('#duration').textContent === '0:12'", "--click", "#stop",
                    "--wait",
                    "\(Self.state) === 'The broadcast has ended.'",
                ])
            try await PlayerChangeTests.says("it is on the air", browser)
            try await Self.live(server)
            // Now, because the broadcast ends after twelve seconds, however long what follows takes.
            let status = try await server.request("/api/v1/channels/canalA").json["publisher"] as? [String: Any]
            #expect(status?["transport"] as? String == "WS")
            _ = try await LiveTests.window(of: server, count: 3)
            let url = server.origin + LiveTests.playlist
            // Debian's Chromium has no encoder of AAC: it sends Opus, and everybody gets AAC or chooses Opus.
            #expect(try await MediaClients.codecs(url) == ["h264", "aac", "opus"])
            try await MediaClients.decode(url, seconds: 2)
            try await MediaClients.decode("\(url)?format=ts", seconds: 2)
            try await BrowserTests.expectSuccess(browser)
            _ = try await eventually("the broadcast has ended") {
                try await server.channelState("canalA") == "idle" ? true : nil
            }
        }

        /// Notes the time of each track's newest frame in `window.times`.
        private static let notingTimes = [
            "--eval",
            """
            window.times = {};
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (message) {
              const view = typeof message === 'string' ? undefined : new DataView(message.buffer);
              if (view?.getUint8(0) === 2) window.times[view.getUint8(1)] = Number(view.getBigInt64(4));
              return send.call(this, message);
            }; 1
            """,
        ]

        /// The times of the newest frames in microseconds are near each other.
        private static let together = ["--wait", "Math.abs(window.times[0] - window.times[1]) < 500000"]

        /// A server that restarts, or a line that breaks, costs a gap, and picture and sound stay together.
        @Test func aBroadcastGoesOnAfterTheLineHasBroken() async throws {
            let server = try await AntenaProcess.serving()
            let browser = try BrowserTests.drive(
                "\(server.origin)/directo/canalA/emitir",
                Self.notingTimes + Self.begin + Self.onAir + Self.together + ["--say", "first"] + Self.broken
                    + ["--say", "broken"] + Self.onAir + Self.together + ["--say", "second"] + Self.broken)
            try await PlayerChangeTests.says("first", browser)
            try await Self.live(server)
            let (http, rtsp) = (server.httpPort, server.rtspPort)
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 20)
            try await PlayerChangeTests.says("broken", browser)
            try await server.start(http: http, rtsp: rtsp)
            try await PlayerChangeTests.says("second", browser)
            // The browser stays until the line breaks again.
            try await Self.live(server)
            server.signal(SIGKILL)
            try await BrowserTests.expectSuccess(browser)
        }

        /// A link for publishers opened in a browser lets its owner in; without it, the page says what is missing.
        @Test func aLinkForPublishersIsEnough() async throws {
            let server = try AntenaProcess(channelFields: ["canalA": #""publish": "accounts""#])
            try await server.start()
            let stranger = try BrowserTests.drive(
                "\(server.origin)/directo/canalA/emitir",
                Self.begin + ["--wait", "\(Self.state).includes('a login is needed')"])
            try await BrowserTests.expectSuccess(stranger)
            let made = try await server.request(
                "/api/v1/channels/canalA/publish-links", method: "POST",
                headers: ["Content-Type": "application/json"], body: #"{"name": "Camera"}"#)
            let link = try #require(made.json["link"] as? String)
            let token = try #require(link.split(separator: "token=").last)
            let guest = try BrowserTests.drive(
                "\(server.origin)/directo/canalA/emitir#token=\(token)",
                Self.notingTimes + Self.begin + Self.onAir + Self.together)
            try await Self.live(server)
            try await BrowserTests.expectSuccess(guest)
            #expect(!server.log.contains(token))
        }
    }
}
