import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Playback in headless Chromium, on the pages of the site.
    @Suite struct BrowserTests {
        /// The driver, which polls inside the page; see Tests/Support/drive-chromium.py.
        private static var driver: String { support("drive-chromium.py") }

        /// A script in Tests/Support.
        static func support(_ name: String) -> String { "\(Repository.path)/Tests/Support/\(name)" }

        static func drive(_ url: String, flags: [String] = [], _ steps: [String]) throws -> BackgroundProgram {
            try BackgroundProgram(
                "python3", [driver, url, "--seconds", "45", "--show-log"] + flags.map { "--flag=\($0)" } + steps)
        }

        /// A port that nothing listens on now.
        static func freePort() throws -> Int {
            let server = try BackgroundProgram(
                "python3",
                ["-c", "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"])
            let deadline = Date().addingTimeInterval(10)
            while server.isRunning, Date() < deadline { usleep(10_000) }
            return try #require(Int(server.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        }

        static func expectSuccess(_ browser: BackgroundProgram) async throws {
            let status = try await browser.waitForExit(within: 300)
            #expect(status == 0, "\(browser.output)\(browser.errorOutput)")
        }

        /// Plays as the button does, without sound, and waits for two seconds of playback.
        private static func play(_ selector: String) -> [String] {
            let media = "document.querySelector('\(selector)')"
            let player = "\(media).closest('.player').antenaPlayer"
            return [
                "--wait", "\(media) !== null && \(player) !== undefined && !\(media).closest('.player').hidden",
                "--eval", "\(media).muted = true; \(player).play(); 'playing'",
                "--wait", "\(media).currentTime > 0.5",
                "--eval", "window.antenaStart = \(media).currentTime",
                "--wait", "\(media).currentTime > window.antenaStart + 2",
            ]
        }

        @Test func playsATitleInTheVideoClub() async throws {
            let server = try await VideoOnDemandTests.servingOneFilm()
            let title = try await server.ingested("film.mp4")
            try await Self.expectPlaying(
                "\(server.origin)/videoclub", title: title,
                until: ["document.querySelector('video').videoWidth === 160"])
        }

        /// Plays a title on the video club's page; then each of `conditions` becomes true, and `steps` are taken.
        static func expectPlaying(
            _ url: String, title: AntenaProcess.Entry, flags: [String] = [], until conditions: [String],
            then steps: [String] = []
        ) async throws {
            let browser = try drive(
                url, flags: flags,
                [
                    "--wait", "document.querySelector('[data-title=\"\(title.id)\"]') !== null",
                    "--click", "[data-title=\"\(title.id)\"]",
                ] + play("video") + conditions.flatMap { ["--wait", $0] } + steps)
            try await expectSuccess(browser)
        }

        /// Uses one browser for both checks: subtitles, and a search while a title plays.
        @Test func subtitlesAreThereAndASearchLeavesThePlayerAlone() async throws {
            let server = try await VideoOnDemandTests.servingOneFilm()
            let title = try await server.ingested("film.mp4")
            try Data("1\n00:00:00,500 --> 00:00:09,000\nHola\n".utf8).write(
                to: URL(fileURLWithPath: server.folder.file("media/vod/film.es.default.srt")))
            let corner = "document.querySelector('.mini .player').antenaPlayer"
            let browser = try Self.drive(
                "\(server.origin)/videoclub?title=\(title.id)",
                [
                    "--wait",
                    "document.querySelector('[data-player]').antenaPlayer.item.subtitles[0].language === 'es'",
                ] + Self.play("#player") + [
                    "--wait", "document.querySelector('.p-cues').innerText === 'Hola'",
                    "--eval", "window.antenaMark = 'not reloaded'",
                    "--eval", "document.getElementById('find').value = 'nosuchword'",
                    "--eval", "document.querySelector('form.find').requestSubmit(); 1",
                    "--wait", "document.querySelector('#found .empty') !== null",
                    "--wait", "location.search.includes('q=nosuchword')",
                    "--wait", "!\(corner).media.paused && window.antenaMark === 'not reloaded'",
                    "--eval", "history.back()",
                    "--wait", "document.querySelector('.mini').hidden",
                    "--wait", "!document.querySelector('main .player').antenaPlayer.media.paused",
                    "--wait", "window.antenaMark === 'not reloaded'",
                ])
            try await Self.expectSuccess(browser)
        }

        /// The list shows a new title by itself, and what plays in the corner goes on.
        @Test func aNewTitleAppearsWithoutInterruptingWhatPlays() async throws {
            // Made before, because the browser does not wait for ever.
            let second = try await MovieFixture.noBFrames.path()
            let server = try await VideoOnDemandTests.servingOneFilm()
            let title = try await server.ingested("film.mp4")
            let corner = "document.querySelector('.mini .player').antenaPlayer"
            let browser = try Self.drive(
                "\(server.origin)/videoclub?title=\(title.id)",
                Self.play("#player") + [
                    "--eval", "window.antenaMark = 'not reloaded'", "--click", "nav a[href=\"/videoclub\"]",
                    "--wait", "document.querySelectorAll('#results [data-title]').length === 1",
                    "--eval", "\(corner).media.loop = true; 1", "--say", "in the corner",
                    "--wait", "document.querySelectorAll('#results [data-title][href]').length === 2",
                    "--wait", "!\(corner).media.paused && window.antenaMark === 'not reloaded'",
                ])
            _ = try await eventually("in the corner: \(browser.output)\(browser.errorOutput)", within: 60) {
                browser.output.contains("in the corner") ? true : nil
            }
            try FileManager.default.copyItem(
                atPath: second, toPath: server.folder.file("media/vod/second.mp4"))
            try await Self.expectSuccess(browser)
        }

        @Test func aChannelsCardIsNotUnderTheHeader() async throws {
            let server = try await AntenaProcess.serving()
            let browser = try Self.drive(
                "\(server.origin)/directo#canalA",
                [
                    "--wait",
                    "document.getElementById('canalA').getBoundingClientRect().top >= "
                        + "document.querySelector('.bar').getBoundingClientRect().bottom",
                ])
            try await Self.expectSuccess(browser)
        }

        @Test func playsATrackOnTheRadio() async throws {
            let server = try await AntenaProcess.serving { folder in
                try await MediaClients.make(
                    folder.file("media/audio/song.mp3"),
                    ["-f", "lavfi", "-i", "sine=duration=20", "-c:a", "libmp3lame", "-metadata", "title=Song"])
            }
            let track = try await server.ingestedTrack(titled: "Song")
            let browser = try Self.drive(
                "\(server.origin)/radio", ["--click", "[data-track=\"\(track.id)\"]"] + Self.play("audio"))
            try await Self.expectSuccess(browser)
        }

        @Test func aChannelThatGoesLiveAppearsAndPlaysWithoutAReload() async throws {
            let server = try await AntenaProcess.serving()
            let channel = "[data-channel=\"canalA\"]"
            let browser = try Self.drive(
                "\(server.origin)/directo",
                [
                    "--wait", "document.querySelector('\(channel)').dataset.state === 'idle'",
                    "--eval", "window.antenaMark = 'not reloaded'", "--say", "page is ready",
                    "--wait", "document.querySelector('\(channel)').dataset.state === 'live'",
                ] + Self.play("\(channel) video") + [
                    // The variant must not be the audio-only one.
                    "--wait", "document.querySelector('\(channel) video').videoWidth === 320",
                ] + ["--wait", "window.antenaMark === 'not reloaded'"])
            _ = try await eventually("the page is open: \(browser.errorOutput)", within: 60) {
                browser.output.contains("page is ready") ? true : nil
            }
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            try await Self.expectSuccess(browser)
            publisher.kill()
        }
    }
}
