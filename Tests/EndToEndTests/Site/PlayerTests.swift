import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The site's own player, in Chromium, whose pages also check each module by itself.
    @Suite struct PlayerTests {
        static let player = "document.querySelector('[data-player],.mini .player').antenaPlayer"

        /// Waits for the player of a page, and plays without sound.
        static let play = [
            "--wait", "document.querySelector('[data-player]')?.antenaPlayer !== undefined",
            "--eval", "\(player).media.muted = true; \(player).play(); 'playing'",
            "--wait", "\(player).media.currentTime > 0.3 && \(player).media.readyState > 2",
        ]

        /// A film with two languages of audio and of subtitles, and two chapters.
        static func servingAFilm() async throws -> AntenaProcess {
            try await AntenaProcess.serving { folder in
                let spanish = try folder.write("1\n00:00:02,000 --> 00:00:30,000\nHola\n", to: "es.srt")
                let english = try folder.write("1\n00:00:02,000 --> 00:00:30,000\nHello\n", to: "en.srt")
                let chapters = try folder.write(
                    """
                    ;FFMETADATA1
                    [CHAPTER]
                    TIMEBASE=1/1
                    START=0
                    END=20
                    title=Uno
                    [CHAPTER]
                    TIMEBASE=1/1
                    START=20
                    END=60
                    title=Dos

                    """, to: "chapters.txt")
                try await MediaClients.make(
                    folder.file("media/vod/film.mkv"),
                    [
                        "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=60", "-f", "lavfi", "-i",
                        "sine=frequency=300:duration=60", "-f", "lavfi", "-i", "sine=frequency=900:duration=60", "-i",
                        spanish, "-i", english, "-i", chapters, "-map_metadata", "5", "-map", "0", "-map", "1", "-map",
                        "2", "-map", "3", "-map", "4", "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-c:a",
                        "aac", "-c:s", "srt", "-metadata:s:a:0", "language=spa", "-metadata:s:a:1", "language=eng",
                        "-metadata:s:s:0", "language=spa", "-metadata:s:s:1", "language=eng",
                    ])
            }
        }

        @Test func eachModuleDoesItsPart() async throws {
            let server = try await AntenaProcess.serving()
            let checks = try String(
                contentsOfFile: BrowserTests.support("player-checks.js"), encoding: .utf8)
            let browser = try BrowserTests.drive("\(server.origin)/directo", ["--eval", checks])
            try await BrowserTests.expectSuccess(browser)
        }

        @Test func aFilmPlaysInTheVisitorsLanguageWithSubtitlesChaptersAndKeys() async throws {
            let server = try await Self.servingAFilm()
            let film = try await server.ingested("film.mkv")
            let player = Self.player
            func key(_ name: String) -> [String] {
                ["--eval", "document.dispatchEvent(new KeyboardEvent('keydown', {key: '\(name)', bubbles: true})); 1"]
            }
            let browser = try BrowserTests.drive(
                "\(server.origin)/videoclub?title=\(film.id)", flags: ["--lang=en"],
                [
                    "--wait", "document.querySelectorAll('#chapters button').length === 2",
                ] + Self.play + [
                    "--wait", "\(player).engine.audioRendition.language === 'en'",
                    "--wait", "document.querySelector('.p-cues').innerText === 'Hello'",
                    "--click", "#chapters li:nth-child(2) button",
                    "--wait", "\(player).media.currentTime > 20.5 && \(player).media.readyState > 2",
                    "--wait", "document.querySelector('.p-cues').innerText === 'Hello'",
                    "--eval", "\(player).chooseAudio(\(player).engine.audio.find(one => one.language === 'es')); 1",
                    "--wait", "\(player).engine.audioRendition.language === 'es' && \(player).media.currentTime > 22",
                ] + key("c") + ["--wait", "document.querySelector('.p-cues').innerText === ''"] + key("5") + [
                    "--wait", "\(player).media.currentTime > 29.9",
                ] + key("k") + ["--wait", "\(player).media.paused"] + key("Home") + [
                    // A hundred seeks, each of which shows its picture.
                    "--eval",
                    """
                    (async () => {
                      for (let index = 0; index < 100; index += 1) {
                        const to = (index * 37) % 58;
                        \(player).seek(to);
                        const limit = performance.now() + 10000;
                        while (\(player).media.seeking || \(player).media.readyState < 2) {
                          if (performance.now() > limit) throw new Error(`no picture at ${to}`);
                          await new Promise(resolve => setTimeout(resolve, 10));
                        }
                      }
                      return 100;
                    })()
                    """,
                    "--eval", "\(player).seek(58); \(player).play(); 1", "--wait", "\(player).media.ended",
                    "--wait", "\(player).engine.stalls === 0 || \(player).engine.stalls",
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        /// Where somebody was is kept by the browser; a reload goes on there.
        @Test func aReloadKeepsThePlaceAndWhatWasBegunIsOnTheHomePage() async throws {
            let server = try await Self.servingAFilm()
            let film = try await server.ingested("film.mkv")
            let player = Self.player
            let browser = try BrowserTests.drive(
                "\(server.origin)/videoclub?title=\(film.id)",
                Self.play + [
                    "--eval", "\(player).seek(41); 1", "--wait", "\(player).media.currentTime > 41.5",
                    "--eval", "\(player).pause(); location.reload(); 1",
                    "--wait",
                    "document.querySelector('[data-player]')?.antenaPlayer?.state === 'ready' "
                        + "&& \(player).media.currentTime > 41",
                    "--eval", "location.href = '/'; 1",
                    "--wait", "location.pathname === '/' && document.querySelector('#continued a') !== null",
                    "--click", "#continued a",
                    "--wait", "location.pathname === '/videoclub'",
                    "--wait", "\(player).media.currentTime > 41.2 && !\(player).media.paused",
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        /// A page over plain HTTP has no WebCrypto: the player's own script decrypts.
        @Test func anEncryptedTitlePlaysWithoutWebCrypto() async throws {
            let server = try await Self.servingAFilm()
            _ = try await server.ingested("film.mkv")
            let encrypted = try await server.command(["encrypt", "--server", server.origin, "film"])
            #expect(encrypted.status == 0, "\(encrypted.text) \(encrypted.errorOutput)")
            _ = try await eventually("the title is encrypted", within: 60) {
                try await server.request("/vod/film/video.m3u8").text.contains("#EXT-X-KEY:METHOD=AES-128") ? true : nil
            }
            let port = try #require(URL(string: server.origin)?.port)
            let browser = try BrowserTests.drive(
                "http://antena.test:\(port)/videoclub?title=film",
                flags: ["--host-resolver-rules=MAP antena.test 127.0.0.1"],
                ["--wait", "!window.isSecureContext && crypto.subtle === undefined"] + Self.play + [
                    "--wait", "\(Self.player).engine.main.segments[0].key !== undefined",
                    "--wait", "\(Self.player).media.currentTime > 3",
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        /// Audio goes on from page to page, and the next track follows.
        @Test func aTrackGoesOnWhileSomebodyBrowses() async throws {
            let server = try await AntenaProcess.serving { folder in
                for (name, seconds) in [("one", "6"), ("two", "30")] {
                    try await MediaClients.make(
                        folder.file("media/audio/\(name).mp3"),
                        [
                            "-f", "lavfi", "-i", "sine=duration=\(seconds)", "-c:a", "libmp3lame", "-metadata",
                            "title=\(name)", "-metadata", "album=Both",
                        ])
                }
            }
            let first = try await server.ingestedTrack(titled: "one")
            _ = try await server.ingestedTrack(titled: "two")
            let mini = "document.querySelector('.mini .player')?.antenaPlayer"
            let browser = try BrowserTests.drive(
                "\(server.origin)/radio",
                [
                    "--eval", "window.antenaMark = 'not reloaded'", "--click", "[data-track=\"\(first.id)\"]",
                    "--wait", "\(Self.player).media.currentTime > 0.5",
                    "--wait", "navigator.mediaSession.metadata.title === 'one'",
                    "--click", "footer a[href=\"/acerca\"]", "--wait", "location.pathname === '/acerca'",
                    "--wait", "\(mini)?.media.currentTime > 1 && !\(mini).media.paused",
                    "--wait", "\(mini)?.item.name === 'two' && \(mini).media.currentTime > 0.5",
                    "--eval", "history.back()", "--wait", "location.pathname === '/radio'",
                    "--wait", "document.querySelector('main .player')?.antenaPlayer.item.name === 'two'",
                    "--wait", "window.antenaMark === 'not reloaded'",
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        /// A channel is watched in parts, then in its time shift, and then live again.
        @Test func aChannelIsWatchedInPartsAndInItsTimeShift() async throws {
            let server = try await AntenaProcess.serving { folder in
                try folder.write(AntenaProcess.channelsFile(["canalA": "\"dvrWindow\": \"10m\""]), to: "channels.json")
            }
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            defer { publisher.kill() }
            try await server.isOnAir()
            let player = Self.player
            let browser = try BrowserTests.drive(
                "\(server.origin)/directo/canalA",
                Self.play + [
                    "--wait",
                    "\(player).engine.requests.log.some(entry => entry.kind === 'hint' && entry.status === 200)",
                    "--wait", "\(player).engine.requests.log.some(entry => entry.address.includes('_HLS_msn'))",
                    "--wait", "\(player).engine.follows && \(player).engine.latency < 6",
                    "--wait", "\(player).engine.seekable.end - \(player).engine.seekable.start > 12",
                    "--eval", "\(player).skip(-8); 1",
                    "--wait", "!\(player).engine.follows && \(player).media.readyState > 2 && !\(player).media.seeking",
                    "--eval", "\(player).goLive(); 1",
                    "--wait",
                    "\(player).engine.follows && \(player).engine.latency < 6 && \(player).media.readyState > 2",
                    "--eval", "window.antenaMark = 'not reloaded'; \(player).media.volume",
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        /// One file with four languages of audio and six of subtitles: each of them can be chosen while it plays.
        @Test func aTitleHasFourLanguagesAndSixSubtitles() async throws {
            let audio = ["spa", "eng", "fra", "deu"]
            let texts = [
                ("spa", "es"), ("eng", "en"), ("fra", "fr"), ("deu", "de"), ("ita", "it"), ("por", "pt"),
            ]
            let server = try await AntenaProcess.serving { folder in
                var inputs = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=60"]
                var maps = ["-map", "0"]
                for (index, language) in audio.enumerated() {
                    inputs += ["-f", "lavfi", "-i", "sine=frequency=\(300 + 200 * index):duration=60"]
                    maps += ["-map", "\(index + 1)", "-metadata:s:a:\(index)", "language=\(language)"]
                }
                for (index, (language, _)) in texts.enumerated() {
                    let file = "\(language).srt"
                    inputs += ["-i", try folder.write("1\n00:00:00,500 --> 00:00:59,000\n\(language)\n", to: file)]
                    maps += ["-map", "\(audio.count + 1 + index)", "-metadata:s:s:\(index)", "language=\(language)"]
                }
                let codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-c:a", "aac", "-c:s", "srt"]
                try await MediaClients.make(folder.file("media/vod/film.mkv"), inputs + maps + codecs)
            }
            let film = try await server.ingested("film.mkv")
            let player = Self.player
            var steps = Self.play
            for language in ["de", "es", "fr", "en"] {
                steps += [
                    "--eval",
                    "\(player).chooseAudio(\(player).engine.audio.find(one => one.language === '\(language)')); "
                        + "window.antenaStart = \(player).media.currentTime",
                    "--wait",
                    "\(player).engine.audioRendition.language === '\(language)' "
                        + "&& \(player).media.currentTime > window.antenaStart + 1 && \(player).media.readyState > 2",
                ]
            }
            for (text, language) in texts {
                steps += [
                    "--eval",
                    "\(player).chooseSubtitles(\(player).subtitles.find(one => one.language === '\(language)')); 1",
                    "--wait", "document.querySelector('.p-cues').innerText === '\(text)'",
                ]
            }
            let browser = try BrowserTests.drive(
                "\(server.origin)/videoclub?title=\(film.id)", flags: ["--lang=en"],
                steps + ["--wait", "\(player).engine.stalls === 0 || \(player).engine.stalls"])
            try await BrowserTests.expectSuccess(browser)
        }

        /// Two tracks that were one tone: nobody hears where one ends. A frame of silence would be 23 ms.
        @Test func oneTrackFollowsAnotherWithoutAGap() async throws {
            let server = try await AntenaProcess.serving { folder in
                for (name, start) in [("one", "0"), ("two", "8")] {
                    try await MediaClients.make(
                        folder.file("media/audio/\(name).mp3"),
                        [
                            "-f", "lavfi", "-i", "sine=frequency=441:duration=16", "-ss", start, "-t", "8", "-ac", "2",
                            "-c:a", "libmp3lame", "-metadata", "title=\(name)", "-metadata", "album=Both",
                        ])
                }
            }
            let first = try await server.ingestedTrack(titled: "one")
            _ = try await server.ingestedTrack(titled: "two")
            let player = Self.player
            let browser = try BrowserTests.drive(
                "\(server.origin)/radio",
                [
                    "--click", "[data-track=\"\(first.id)\"]", "--wait", "\(player).media.currentTime > 0.3",
                    "--eval",
                    """
                    (async () => {
                      window.antenaEngine = \(player).engine;
                      window.antenaSamples = [];
                      const context = new AudioContext();
                      await context.resume();
                      const tap = context.createScriptProcessor(4096, 2, 1);
                      tap.onaudioprocess = ({ inputBuffer }) =>
                        window.antenaSamples.push(...inputBuffer.getChannelData(0));
                      context.createMediaElementSource(\(player).media).connect(tap);
                      tap.connect(context.destination);
                      return context.sampleRate;
                    })()
                    """,
                    "--wait", "\(player).upcoming?.name === 'two'",
                    "--wait", "\(player).item.name === 'two' && \(player).time > 2",
                    "--wait", "document.querySelector('.p-time').textContent.startsWith('0:0')",
                    "--wait", "navigator.mediaSession.metadata.title === 'two'",
                    "--eval", "if (\(player).engine !== window.antenaEngine) throw new Error('another engine')",
                    // A tone of 441 Hz is near zero for less than a millisecond at a time.
                    "--eval",
                    """
                    (() => {
                      let [run, longest] = [0, 0];
                      const samples = window.antenaSamples.slice(16384);
                      for (const sample of samples) {
                        run = Math.abs(sample) < 0.002 ? run + 1 : 0;
                        longest = Math.max(longest, run);
                      }
                      if (samples.length < 300000 || longest > 60) throw new Error(`${longest} of ${samples.length}`);
                      return longest;
                    })()
                    """,
                    "--wait", "\(player).media.ended",
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        /// Chromium on Linux decodes neither AC-3 nor HEVC: the picture goes on without sound, and the player says so.
        @Test func whatCannotBeDecodedIsSaid() async throws {
            let server = try await AntenaProcess.serving { folder in
                let source = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=12", "-f", "lavfi", "-i"]
                let picture = ["-c:v", "libx264", "-preset", "ultrafast"]
                try await MediaClients.make(
                    folder.file("media/vod/silent.mkv"), source + ["sine=duration=12"] + picture + ["-c:a", "ac3"])
                try await MediaClients.make(
                    folder.file("media/vod/both.mkv"),
                    source + [
                        "sine=duration=12", "-f", "lavfi", "-i", "sine=duration=12", "-map", "0", "-map", "1", "-map",
                        "2",
                    ] + picture + ["-c:a:0", "ac3", "-c:a:1", "aac"])
                try await MediaClients.make(
                    folder.file("media/vod/hevc.mkv"),
                    source + ["sine=duration=12", "-c:v", "libx265", "-preset", "ultrafast", "-c:a", "aac"])
            }
            for name in ["silent", "both", "hevc"] { _ = try await server.ingested("\(name).mkv") }
            let player = Self.player
            func open(_ title: String) -> [String] {
                [
                    "--eval", "location.href = '/videoclub?title=\(title)'; 1",
                    "--wait", "location.search === '?title=\(title)' && document.readyState === 'complete'",
                ]
            }
            let browser = try BrowserTests.drive(
                "\(server.origin)/videoclub?title=silent", flags: ["--lang=en"],
                Self.play + [
                    "--wait", "\(player).engine.isSilent",
                    "--wait", "document.querySelector('.p-said').textContent.startsWith('No sound')",
                ] + open("both") + Self.play + [
                    "--wait", "\(player).engine.variant.audioCodecs[0] === 'mp4a.40.2' && !\(player).engine.isSilent",
                ] + open("hevc") + [
                    "--wait", "document.querySelector('[data-player]')?.antenaPlayer !== undefined",
                    "--eval", "\(player).play(); 1", "--wait", "\(player).state === 'failed'",
                    "--wait", "document.querySelector('.p-panel').innerText.includes('cannot play')",
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        /// A page of somebody else's has a video in a frame, and steers it.
        @Test func thePageAroundAnEmbeddedVideoSteersIt() async throws {
            let server = try await Self.servingAFilm()
            _ = try await server.ingested("film.mkv")
            let published = try await server.command(
                ["video", "publish", "film", "--name", "Salto", "--server", server.origin])
            #expect(published.status == 0, "\(published.errorOutput)")
            let video = try #require(try await server.items("/api/v1/videos").first?["id"] as? String)
            let source = "\(server.origin)/comunidad/incrustado/\(video)?start=20&mute=1&autoplay=1&accent=00aa55"
            let page = "<!doctype html><iframe allow=autoplay width=640 height=360 src=\"\(source)\"></iframe>"
            let folder = try server.folder.write(page, to: "around/index.html").dropLast("/index.html".count)
            let port = try BrowserTests.freePort()
            let site = try BackgroundProgram(
                "python3", ["-m", "http.server", "--bind", "127.0.0.1", "--directory", String(folder), "\(port)"])
            defer { site.kill() }
            let around = HTTPOrigin(port: port)
            _ = try await eventually("the page around") { try? await around.request("/").status }
            func send(_ command: String) -> [String] {
                [
                    "--eval",
                    "document.querySelector('iframe').contentWindow.postMessage({antena: 1, \(command)}, '*'); 1",
                ]
            }
            func told(_ condition: String) -> [String] { ["--wait", "window.told.some(one => \(condition))"] }
            let browser = try BrowserTests.drive(
                around.origin,
                [
                    "--eval",
                    "window.told = []; "
                        + "addEventListener('message', ({data}) => { if (data.antena === 1) told.push(data); }); 1",
                ] + told("one.event === 'timeupdate' && one.time > 20.2 && one.muted && !one.paused")
                    + send("command: 'seek', value: 41") + told("one.event === 'seeked' && one.time >= 41")
                    + send("command: 'pause'") + told("one.event === 'pause' && one.paused")
                    + send("command: 'rate', value: 1.5") + told("one.event === 'ratechange' && one.rate === 1.5")
                    + ["--eval", "window.told = []; 1"] + send("command: 'status'")
                    + told("one.event === 'status' && one.duration > 59 && one.live === false"))
            try await BrowserTests.expectSuccess(browser)
        }

        /// A member rents a title, and watches it on its page.
        @Test func aRentedTitlePlays() async throws {
            let server = try await Self.servingAFilm()
            _ = try await server.ingested("film.mkv")
            let account = try await server.request(
                "/api/v1/users", method: "POST", headers: ["Content-Type": "application/json"],
                body: #"{"username": "ana", "password": "correct horse battery", "role": "member"}"#)
            #expect(account.status == 201, "\(account.text)")
            for arguments in [["terms", "film", "--price", "5"], ["credits", "add", "ana", "9"]] {
                let result = try await server.command(arguments + ["--server", server.origin])
                #expect(result.status == 0, "\(result.errorOutput)")
            }
            let player = Self.player
            let browser = try BrowserTests.drive(
                "\(server.origin)/cuenta/entrar?next=/videoclub%3Ftitle%3Dfilm", flags: ["--lang=en"],
                [
                    "--eval",
                    "document.querySelector('[name=username]').value = 'ana'; "
                        + "document.querySelector('[name=password]').value = 'correct horse battery'; 1",
                    "--click", "form[action='/cuenta/entrar'] button",
                    "--wait", "location.pathname === '/videoclub' && document.readyState === 'complete'",
                    // It is rented, begun and watched on its own page.
                    "--wait", "document.querySelector('[data-player]') === null",
                    "--wait", "document.querySelector('#club button').textContent === 'Rent for 5 credits'",
                    "--click", "#club button",
                    "--wait", "document.querySelector('#club button')?.textContent === 'Start watching'",
                    "--wait", "location.pathname === '/videoclub' && document.querySelector('main .notice') !== null",
                    "--click", "#club button",
                ] + Self.play + ["--eval", "\(player).seek(45); 1", "--wait", "\(player).media.currentTime > 46"])
            try await BrowserTests.expectSuccess(browser)
        }

        @Test func theTestPlayerSaysWhatItSees() async throws {
            let server = try await Self.servingAFilm()
            let film = try await server.ingested("film.mkv")
            let browser = try BrowserTests.drive(
                "\(server.origin)/test-player?url=\(film.playlist)",
                [
                    "--wait", "document.querySelectorAll('#tester table tr').length === 2",
                    "--wait", "document.querySelector('#tester ul').children.length === 1",
                    "--wait", "document.querySelector('.p-statistics dl') !== null",
                ] + Self.play + [
                    "--wait", "document.querySelectorAll('.p-water li').length > 3",
                    "--eval", "location.href = '/test-player?url=https://example.org/a.m3u8'; 1",
                    "--wait", "document.querySelector('main [role=alert]') !== null",
                    "--wait", "document.querySelector('main [data-player]') === null",
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        /// A server that is killed and comes back, with another push, needs no reload.
        @Test func aServerThatIsKilledAndComesBackNeedsNoReload() async throws {
            let server = try await AntenaProcess.serving()
            let first = try BackgroundProgram.publisher(to: LiveTests.address(server))
            defer { first.kill() }
            try await server.isOnAir()
            let player = Self.player
            let browser = try BrowserTests.drive(
                "\(server.origin)/directo/canalA",
                Self.play + [
                    "--eval", "window.antenaMark = 'not reloaded'; \(player).media.currentTime", "--say", "it plays",
                    "--wait", "\(player).state !== 'ready' || \(player).media.readyState < 3",
                    "--say", "it waits",
                    "--wait",
                    "\(player).state === 'ready' && \(player).media.readyState > 2 && \(player).engine.latency < 6",
                    "--eval", "window.antenaStart = \(player).media.currentTime",
                    "--wait", "\(player).media.currentTime > window.antenaStart + 1",
                    "--wait", "window.antenaMark === 'not reloaded'",
                ])
            _ = try await eventually("it plays: \(browser.errorOutput)", within: 60) {
                browser.output.contains("it plays") ? true : nil
            }
            let (http, rtsp) = (server.httpPort, server.rtspPort)
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 10)
            _ = try await eventually("it waits: \(browser.errorOutput)", within: 60) {
                browser.output.contains("it waits") ? true : nil
            }
            try await server.start(http: http, rtsp: rtsp)
            let second = try BackgroundProgram.publisher(to: LiveTests.address(server))
            defer { second.kill() }
            try await BrowserTests.expectSuccess(browser)
        }

        @Test func theNextEpisodeFollowsAfterACountdown() async throws {
            let source = try await MovieFixture.bFrames.path()
            let server = try await AntenaProcess.serving { folder in
                for name in ["one", "two"] {
                    try FileManager.default.copyItem(atPath: source, toPath: folder.file("media/vod/\(name).mp4"))
                }
            }
            for (number, name) in ["one", "two"].enumerated() {
                let title = try await server.ingested("\(name).mp4")
                let result = try await server.command([
                    "title", "set", title.id, "--series", "Faros", "--season", "1", "--episode", "\(number + 1)",
                    "--server", server.origin,
                ])
                #expect(result.status == 0, "\(result.text) \(result.errorOutput)")
            }
            let player = Self.player
            let browser = try BrowserTests.drive(
                "\(server.origin)/videoclub?title=one",
                Self.play + [
                    "--eval", "window.antenaMark = 'not reloaded'; \(player).seek(\(player).engine.seekable.end); 1",
                    "--wait", "document.querySelector('.p-panel:not([hidden]) .p-actions') !== null",
                    "--wait", "location.search === '?title=two'",
                    "--wait", "document.querySelector('main .player')?.antenaPlayer?.media.currentTime > 0.3",
                    "--wait", "window.antenaMark === 'not reloaded'",
                ])
            try await BrowserTests.expectSuccess(browser)
        }
    }
}
