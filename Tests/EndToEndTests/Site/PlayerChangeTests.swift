import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// What a channel, a server and a line do while somebody watches, none of which needs a reload.
    @Suite struct PlayerChangeTests {
        private static let player = PlayerTests.player
        /// Evaluates to true while a channel is watched near its live edge.
        private static let isLive =
            "\(player).state === 'ready' && \(player).media.readyState > 2 && \(player).engine.latency < 6"

        /// A server with ten minutes of time shift on a channel that is on the air.
        private static func servingTimeShift() async throws -> (AntenaProcess, BackgroundProgram) {
            let server = try AntenaProcess(channelFields: ["canalA": #""dvrWindow": "10m""#])
            try await server.start()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            try await server.isOnAir()
            return (server, publisher)
        }

        static func says(_ word: String, _ browser: BackgroundProgram) async throws {
            _ = try await eventually("\(word): \(browser.output)\(browser.errorOutput)", within: 90) {
                browser.output.contains(word) ? true : nil
            }
        }

        /// Waits until the time of the picture has gone on by more than a second.
        private static let goesOn = [
            "--eval", "window.antenaStart = \(player).media.currentTime",
            "--wait", "\(player).state === 'ready' && \(player).media.currentTime > window.antenaStart + 1",
            "--wait", "window.antenaMark === 'not reloaded'",
        ]

        /// The slate has AAC where the publisher had Opus; the publisher that comes back has a picture of another size.
        @Test func aSlateWithAnotherCodecAndTheReturnOfThePublisherNeedNoReload() async throws {
            let server = try AntenaProcess(channelFields: ["canalA": #""onLoss": "slate", "keepOpus": true"#])
            try await server.start()
            let opus = ["-c:a", "libopus", "-b:a", "64k", "-ac", "2"]
            let first = try BackgroundProgram.publisher(to: LiveTests.address(server), audioCodec: opus)
            defer { first.kill() }
            try await server.isOnAir()
            let player = Self.player
            let browser = try BrowserTests.drive(
                "\(server.origin)/directo/canalA",
                PlayerTests.play + [
                    "--eval", "window.antenaMark = 'not reloaded'; window.antenaEngine = \(player).engine; 1",
                    "--wait", "\(player).media.videoWidth === 320 && \(player).media.currentTime > 1",
                    "--say", "it plays",
                    // The slate's own domain has begun, and is shown.
                    "--wait", "\(player).engine.main.segments.at(-1).domain === 1",
                    "--eval", "window.antenaStart = \(player).media.currentTime",
                    "--wait", "\(player).media.currentTime > window.antenaStart + 3",
                    "--eval",
                    "if (\(player).engine !== window.antenaEngine) throw new Error('another engine')",
                    "--say", "the slate", "--wait", "\(player).media.videoWidth === 640 && \(Self.isLive)",
                ] + Self.goesOn)
            try await Self.says("it plays", browser)
            first.kill()
            try await Self.says("the slate", browser)
            let second = try BackgroundProgram(
                "ffmpeg",
                [
                    "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-f", "lavfi", "-i",
                    "testsrc2=size=640x360:rate=25",
                ] + BackgroundProgram.h264 + [
                    "-t", "120", "-f", "rtsp", "-rtsp_transport", "tcp", LiveTests.address(server),
                ])
            defer { second.kill() }
            try await BrowserTests.expectSuccess(browser)
        }

        /// Somebody who watches what has been goes on there, not at the live edge.
        @Test func aViewerInTheTimeShiftStaysThereWhenTheServerStartsAgain() async throws {
            let (server, first) = try await Self.servingTimeShift()
            defer { first.kill() }
            let player = Self.player
            let browser = try BrowserTests.drive(
                "\(server.origin)/directo/canalA",
                PlayerTests.play + [
                    "--wait", "\(player).engine.seekable.end - \(player).engine.seekable.start > 40",
                    "--eval", "window.antenaMark = 'not reloaded'",
                    "--eval", "\(player).seek(\(player).engine.seekable.start + 4); 1",
                    "--wait", "!\(player).engine.follows && \(player).media.readyState > 2 && !\(player).media.seeking",
                    "--eval",
                    "window.antenaDate = \(player).engine.date; "
                        + "window.antenaDomain = \(player).engine.main.segments.at(-1).domain; 1",
                    "--say", "it plays",
                    "--wait",
                    // With the engine from before if the server was back in time, else with another one.
                    "\(player).state === 'ready' && \(player).media.readyState > 2 "
                        + "&& \(player).engine.main.segments.at(-1).domain > window.antenaDomain",
                    "--wait", "\(player).engine.date > window.antenaDate",
                    "--eval",
                    "if (\(player).engine.follows) throw new Error('at the live edge')",
                    "--eval",
                    "if (\(player).engine.latency < 15) throw new Error(\(player).engine.latency)",
                ] + Self.goesOn)
            try await Self.says("it plays", browser)
            let (http, rtsp) = (server.httpPort, server.rtspPort)
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 10)
            try await server.start(http: http, rtsp: rtsp)
            let second = try BackgroundProgram.publisher(to: LiveTests.address(server))
            defer { second.kill() }
            try await BrowserTests.expectSuccess(browser)
        }

        /// A line that is gone for a while and comes back, as between one network and another.
        @Test func aChangedNetworkNeedsNoReload() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            defer { publisher.kill() }
            try await server.isOnAir()
            func line(_ isOff: Bool) -> [String] {
                [
                    "--call",
                    #"Network.emulateNetworkConditions={"offline": \#(isOff), "latency": 0, "downloadThroughput": -1, "#
                        + #""uploadThroughput": -1}"#,
                ]
            }
            let browser = try BrowserTests.drive(
                "\(server.origin)/directo/canalA",
                PlayerTests.play + ["--call", "Network.enable={}", "--eval", "window.antenaMark = 'not reloaded'; 1"]
                    + line(true) + ["--wait", "\(Self.player).media.readyState < 3"] + line(false)
                    + ["--wait", Self.isLive] + Self.goesOn
                    // The button that says so is no larger than a button.
                    + ["--wait", "document.querySelector('.p-live.p-follows')?.offsetHeight < 60"])
            try await BrowserTests.expectSuccess(browser)
        }

        /// The programme that is on begins with a date range of its class; it has a mark on the bar.
        @Test func aProgrammeIsWatchedFromItsStart() async throws {
            let (server, publisher) = try await Self.servingTimeShift()
            defer { publisher.kill() }
            let player = Self.player
            let browser = try BrowserTests.drive(
                "\(server.origin)/directo/canalA",
                PlayerTests.play + [
                    "--wait", "\(player).media.currentTime > 3", "--say", "it plays",
                    "--wait", "\(player).engine.marks.length === 1 && \(player).engine.marks[0].name === 'Final'",
                    "--wait", "\(player).engine.seekable.end - \(player).engine.marks[0].start > 22",
                    "--wait", "document.querySelectorAll('.p-marks i').length === 1",
                    "--click", ".p-replay",
                    "--wait",
                    "!\(player).engine.follows "
                        + "&& Math.abs(\(player).media.currentTime - \(player).engine.marks[0].start) < 3",
                ])
            try await Self.says("it plays", browser)
            let sent = try await server.request(
                "/api/v1/channels/canalA/metadata", method: "POST", headers: ["Content-Type": "application/json"],
                body: #"{"id": "f", "class": "org.example.programme", "attributes": {"X-TITLE": "Final"}}"#)
            #expect(sent.status == 201, "\(sent.text)")
            try await BrowserTests.expectSuccess(browser)
        }
    }
}
