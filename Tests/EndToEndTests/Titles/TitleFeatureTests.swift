import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// Features of a title besides video and audio, from a player's point of view.
    @Suite struct TitleFeatureTests {
        /// Serves a video with two audio tracks, chapters and subtitles.
        private static func serving(video: [String] = ["copy"]) async throws -> (AntenaProcess, AntenaProcess.Entry) {
            let server = try await AntenaProcess.serving { folder in
                let chapters = try folder.write(
                    ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\ntitle=Uno\n"
                        + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=2000\nEND=14000\ntitle=Dos\n", to: "chapters.txt")
                let source = try await MovieFixture.bFrames.path()
                try await MediaClients.make(
                    folder.file("media/vod/film.mp4"),
                    [
                        "-i", source, "-i", chapters, "-map", "0:v", "-map", "0:a", "-map", "0:a", "-map_metadata", "1",
                        "-c:v",
                    ] + video + [
                        "-c:a:0", "aac", "-c:a:1", "ac3", "-metadata:s:a:0", "language=spa", "-metadata:s:a:1",
                        "language=eng",
                    ])
                try folder.write(
                    "1\n00:00:01,000 --> 00:00:02,000\nuno\n\n2\n00:00:05,000 --> 00:00:09,000\ndos\n",
                    to: "media/vod/film.es.srt")
            }
            let title = try await server.ingested("film.mp4")
            try #require(title.state == "ready", "\(title.error ?? "")")
            return (server, title)
        }

        private static func source(_ server: AntenaProcess) -> String { "\(server.folder.path)/media/vod/film.mp4" }

        private static func url(_ server: AntenaProcess, _ title: AntenaProcess.Entry, _ name: String) -> String {
            server.origin + title.playlist.replacing("playlist.m3u8", with: name)
        }

        /// Chromium does not support AC-3, and is strict about every tag that it knows.
        @Test func playsInABrowser() async throws {
            let (server, title) = try await Self.serving()
            try await BrowserTests.expectPlaying(
                "\(server.origin)/videoclub", title: title,
                until: ["document.querySelector('video').videoWidth === 160"])
        }

        @Test func playsIFrames() async throws {
            let (server, title) = try await Self.serving()
            let url = Self.url(server, title, "iframes.m3u8")
            let all = try await MediaClients.frames(Self.source(server))
            let frames = try await MediaClients.frames(url)
            // A key frame every two seconds in fourteen.
            #expect(frames.count == 7)
            #expect(frames.map(\.digest) == frames.indices.map { all[$0 * 50].digest })
            let client = ConformanceClient(server: server)
            let load = try await client.rendition(url)
            let presentation = Presentation(
                multivariant: try await client.playlist(server.origin + title.playlist), renditions: [load])
            let findings = HLSConformance.check(presentation).filter { $0.url == url }
            #expect(findings.map(\.description) == [])
            // The byte ranges are exact and cover the whole file.
            let document = PlaylistDocument(load.playlist)
            for segment in document.segments {
                let resource = load.resources[resolve(segment.uri, against: url)]
                #expect(segment.tag("EXT-X-BYTERANGE")?.value == "\(resource?.bytes.count ?? -1)@0")
            }
        }

        @Test func playsAsMPEGTS() async throws {
            let (server, title) = try await Self.serving()
            let url = Self.url(server, title, "playlist.m3u8?format=ts")
            let expected = try await MediaClients.frames(Self.source(server))
            let actual = try await MediaClients.frames(url)
            #expect(actual.map(\.digest) == expected.map(\.digest))
            #expect(zip(actual, expected).allSatisfy { abs($0.time - $1.time) < 0.001 })
            #expect(try await MediaClients.codecs(url) == ["h264", "aac"])
            // Any break in a continuity counter is an error here.
            try await MediaClients.decode(url, seconds: 20)
        }

        @Test func mpegTSIsRefusedWhereItCannotBe() async throws {
            let server = try await AntenaProcess.serving { folder in
                for name in ["av1.mp4", "opus.mp4"] {
                    let file = try #require(SourceFile.inPlace.first { $0.name == name })
                    try await file.make(at: folder.file("media/vod/\(name)"))
                }
            }
            for (name, codec) in [("av1.mp4", "AV1"), ("opus.mp4", "Opus")] {
                let title = try await server.ingested(name)
                let answer = try await server.request(title.playlist + "?format=ts")
                #expect(answer.status == 406 && answer.text.contains(codec), "\(answer.text)")
                let media = try await server.request(title.playlist.replacing("playlist.m3u8", with: "ts.m3u8"))
                #expect(media.status == 406)
            }
        }

        @Test func listsSubtitlesAsTheyComeAndGo() async throws {
            let (server, title) = try await Self.serving()
            try await server.expectConformance(of: title.playlist)
            // ffmpeg's reader of WebVTT in HLS shows what a player would.
            let subtitles = try await ExternalTool.ffmpeg().run([
                "-v", "error", "-nostdin", "-i", Self.url(server, title, "subtitles-es.m3u8"), "-map", "0:s:0", "-f",
                "srt", "-",
            ])
            #expect(subtitles.text.contains("00:00:01,000 --> 00:00:02,000\nuno"))
            #expect(subtitles.text.contains("00:00:05,000 --> 00:00:09,000\ndos"))
            let folder = "\(server.folder.path)/media/vod"
            try "WEBVTT\n\n00:01.000 --> 00:02.000\none\n".write(
                toFile: "\(folder)/film.en.vtt", atomically: true, encoding: .utf8)
            _ = try await eventually("the new file is listed", within: 10) {
                try await server.request(title.playlist).text.contains("subtitles-en.m3u8") ? true : nil
            }
            try FileManager.default.removeItem(atPath: "\(folder)/film.es.srt")
            _ = try await eventually("the old file is not", within: 10) {
                try await server.request(title.playlist).text.contains("subtitles-es") ? nil : true
            }
        }

        @Test func readsTextTracksOfAnMP4() async throws {
            let server = try await AntenaProcess.serving { folder in
                let texts = try folder.write(
                    "1\n00:00:01,000 --> 00:00:02,000\nun & deux\n\n2\n00:00:05,000 --> 00:00:09,000\ntrois\n",
                    to: "texts.srt")
                try await MediaClients.make(
                    folder.file("media/vod/film.mp4"),
                    [
                        "-i", try await MovieFixture.bFrames.path(), "-i", texts, "-map", "0", "-map", "1", "-c",
                        "copy",
                        "-c:s", "mov_text", "-metadata:s:s:0", "language=fra",
                    ])
            }
            let title = try await server.ingested("film.mp4")
            try await server.expectConformance(of: title.playlist)
            let subtitles = try await ExternalTool.ffmpeg().run([
                "-v", "error", "-nostdin", "-i", Self.url(server, title, "subtitles-fr.m3u8"), "-map", "0:s:0", "-f",
                "srt", "-",
            ])
            #expect(subtitles.text.contains("00:00:01,000 --> 00:00:02,000\nun & deux"))
            #expect(subtitles.text.contains("00:00:05,000 --> 00:00:09,000\ntrois"))
        }

        @Test func tellsChapters() async throws {
            let (server, title) = try await Self.serving()
            let playlist = try await server.request(title.playlist).text
            #expect(playlist.contains("#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.chapters\",URI=\"chapters.json\""))
            let reply = try await server.request(title.playlist.replacing("playlist.m3u8", with: "chapters.json"))
            let chapters = try #require(
                try JSONSerialization.jsonObject(with: Data(reply.body)) as? [[String: Any]])
            #expect(chapters.map { $0["start-time"] as? Double } == [0, 2])
            #expect(
                chapters.map { (($0["titles"] as? [[String: Any]])?.first?["title"]) as? String } == ["Uno", "Dos"])
        }

        @Test func aVisitorGoesToAChapter() async throws {
            let (server, title) = try await Self.serving()
            let chapters = "[...document.querySelectorAll('#chapters button')]"
            let browser = try BrowserTests.drive(
                "\(server.origin)/videoclub?title=\(title.id)",
                [
                    "--wait", "\(chapters).map((button) => button.textContent).join() === '0:00Uno,0:02Dos'",
                    "--eval", "document.getElementById('player').muted = true; 1",
                    "--click", "#chapters li:nth-child(2) button",
                    "--wait", "document.getElementById('player').currentTime > 2.2",
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        @Test func encryptsATitle() async throws {
            let (server, title) = try await Self.serving()
            let answer = try await server.request(
                "/api/v1/titles/\(title.id)", method: "PATCH",
                headers: ["Content-Type": "application/json", "If-Match": "*"],
                body: "{\"encrypt\": true}")
            #expect(answer.status == 200)
            let media = title.playlist.replacing("playlist.m3u8", with: "video.m3u8")
            let playlist = try await eventually("the playlist names a key", within: 10) {
                let reply = try await server.request(media)
                return reply.text.contains("#EXT-X-KEY:METHOD=AES-128") ? reply : nil
            }
            let told = try await server.request("/api/v1/titles/\(title.id)").text
            #expect(told.contains("\"encrypt\":true"))
            // The default is MPEG-TS, which more players support when encrypted, with its subtitles; the other form is
            // available.
            let multivariant = try await server.request(title.playlist).text
            #expect(multivariant.contains("\nts.m3u8") && multivariant.contains("TYPE=SUBTITLES"))
            #expect(try await server.request(title.playlist + "?format=fmp4").text.contains("\nvideo.m3u8"))
            #expect(playlist.headers["cache-control"]?.contains("private") == true)
            let lines = playlist.text.split(separator: "\n")
            let key = try #require(lines.firstIndex { $0.hasPrefix("#EXT-X-KEY") })
            let map = try #require(lines.firstIndex { $0.hasPrefix("#EXT-X-MAP") })
            #expect(key < map)
            let segment = try #require(lines.first { !$0.hasPrefix("#") })
            let bytes = try await server.request(media.replacing("video.m3u8", with: segment)).body
            #expect(bytes.count % 16 == 0 && !Data(bytes).contains(Data("moof".utf8)))

            let expected = try await MediaClients.frames(Self.source(server))
            for name in ["playlist.m3u8", "playlist.m3u8?format=ts", "playlist.m3u8?format=fmp4"] {
                let actual = try await MediaClients.frames(Self.url(server, title, name))
                #expect(actual.map(\.digest) == expected.map(\.digest), "\(name)")
            }
            #expect(try await MediaClients.frames(Self.url(server, title, "iframes.m3u8")).count == 7)

            let keyPath = title.playlist.replacing("playlist.m3u8", with: "key")
            #expect(try await server.web.request(keyPath).status == 401)
            #expect(try await server.request(keyPath + "?token=1900000000-00").status == 403)
            let uri = try #require(lines[key].split(separator: "\"").dropFirst().first)
            let token = try #require(uri.split(separator: "=").last)
            let given = try await server.request(keyPath, headers: ["Authorization": "Bearer \(token)"])
            #expect(given.status == 200 && given.body.count == 16)
            #expect(given.headers["cache-control"] == "no-store")
            // No other path serves the title unencrypted.
            let rtsp = try await ExternalTool.ffprobe().run(
                ["-v", "error", "-rtsp_transport", "tcp", "rtsp://127.0.0.1:\(server.rtspPort)/vod/\(title.id)"],
                requiringSuccess: false)
            #expect(rtsp.status != 0)
        }

        /// The default form of encrypted titles, in players not based on ffmpeg.
        @Test func anEncryptedTitlePlaysInABrowserAndInGStreamer() async throws {
            let (server, title) = try await Self.serving()
            let done = try await server.command(["encrypt", "--server", server.origin, title.id])
            #expect(done.status == 0 && done.text.contains("encrypted"))
            _ = try await eventually("the playlist is that of an encrypted title", within: 10) {
                try await server.request(title.playlist).text.contains("\nts.m3u8") ? true : nil
            }
            try await BrowserTests.expectPlaying(
                "\(server.origin)/videoclub", title: title,
                until: ["document.querySelector('video').videoWidth === 160"])
            for player in ["playbin", "playbin3"] {
                let result = try await ExternalTool("gst-launch-1.0").run(
                    [
                        "-q", player, "uri=\(server.origin)\(title.playlist)", "video-sink=fakesink sync=false",
                        "audio-sink=fakesink sync=false",
                    ], deadline: 60, requiringSuccess: false)
                #expect(result.status == 0, "\(player)")
            }
            let off = try await server.command(["encrypt", "--server", server.origin, "--off", title.id])
            #expect(off.status == 0 && off.text.contains("in the clear"))
            let status = try await server.command(["status", "--server", server.origin])
            #expect(status.text.contains("ENCRYPTED"))
        }

        /// The page's player decrypts samples itself, and Chromium does with a license, as it does for players of DASH.
        /// ffmpeg fetches the key of the playlist.
        @Test(arguments: [["copy"], ["libsvtav1", "-preset", "12", "-g", "50"]])
        func aTitleWithEncryptedSamplesPlaysEverywhere(_ video: [String]) async throws {
            let (server, title) = try await Self.serving(video: video)
            let done = try await server.command(["encrypt", "--server", server.origin, "--cbcs", title.id])
            #expect(done.status == 0 && done.text.contains("encrypted (cbcs)"), "\(done.errorOutput)")
            let media = title.playlist.replacing("playlist.m3u8", with: "video.m3u8")
            _ = try await eventually("the playlist names a key", within: 10) {
                try await server.request(media).text.contains("METHOD=SAMPLE-AES") ? true : nil
            }
            let resource = try await server.request("/api/v1/titles/\(title.id)").text
            #expect(resource.contains("\"encrypt\":true") && resource.contains("\"encryption\":\"cbcs\""))
            let expected = try await MediaClients.frames(Self.source(server))
            let actual = try await MediaClients.frames(server.origin + title.playlist)
            #expect(actual.map(\.digest) == expected.map(\.digest))
            let manifest = title.playlist.replacing("playlist.m3u8", with: "manifest.mpd")
            let checks = try String(contentsOfFile: BrowserTests.support("clearkey-checks.js"), encoding: .utf8)
            try await BrowserTests.expectPlaying(
                "\(server.origin)/videoclub", title: title,
                until: ["document.querySelector('video').videoWidth === 160"],
                then: ["--eval", "window.antenaManifest = '\(manifest)'", "--eval", checks])
        }

        /// Titles are encrypted by `"encrypt": true` in channels.json.
        @Test func titlesAreEncryptedByConfiguration() async throws {
            let server = try await AntenaProcess.serving { folder in
                try FileManager.default.copyItem(
                    atPath: try await MovieFixture.bFrames.path(), toPath: folder.file("media/vod/film.mp4"))
                let text = AntenaProcess.channelsFile()
                try folder.write(
                    text.replacing("\"presets\":", with: "\"encrypt\": true, \"presets\":", maxReplacements: 1),
                    to: "channels.json")
            }
            let title = try await server.ingested("film.mp4")
            #expect(try await server.request("/api/v1/titles/\(title.id)").text.contains("\"encrypt\":true"))
            let media = try await server.request(title.playlist.replacing("playlist.m3u8", with: "ts.m3u8")).text
            #expect(media.contains("#EXT-X-KEY:METHOD=AES-128"))
            let manifest = try await server.request(title.playlist.replacing("playlist.m3u8", with: "manifest.mpd"))
            #expect(manifest.status == 404 && manifest.text.contains("#encryption-not-supported\""))
            let expected = try await MediaClients.frames(Self.source(server))
            let actual = try await MediaClients.frames(server.origin + title.playlist)
            #expect(actual.map(\.digest) == expected.map(\.digest))
            let check = try await AntenaProcess.command(
                ["serve", "--check", "--channels", "\(server.folder.path)/channels.json"])
            #expect(check.text.contains("encrypt   all titles"))
        }

        @Test func exportsForAnyWebServer() async throws {
            let (server, title) = try await Self.serving()
            let site = try StaticServer()
            let target = "\(site.root)/film"
            func export(_ more: [String] = []) async throws -> ExternalTool.Result {
                try await server.command(["export", "--server", server.origin, title.id, target] + more)
            }
            #expect(try await export().status == 0)
            #expect(try await export().status != 0, "what is there is not overwritten")
            #expect(try await export(["--force"]).status == 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: site.root)
            #expect(names == ["film"], "nothing unfinished stays")
            try await site.start()
            let expected = try await MediaClients.frames(Self.source(server))
            let actual = try await MediaClients.frames(site.web.origin + "/film/playlist.m3u8")
            #expect(actual.map(\.digest) == expected.map(\.digest))
            #expect(try await MediaClients.frames(site.web.origin + "/film/iframes.m3u8").count == 7)
            let byDASH = try await MediaClients.frames(site.web.origin + "/film/manifest.mpd")
            #expect(byDASH.map(\.digest) == expected.map(\.digest))
            let client = ConformanceClient(origin: site.web)
            let findings = HLSConformance.check(try await client.load("/film/playlist.m3u8"))
            #expect(findings.map(\.description) == [])
            // A folder that is not an export is not replaced, and an incomplete export does not appear.
            try FileManager.default.createDirectory(atPath: "\(site.root)/home", withIntermediateDirectories: true)
            try "x".write(toFile: "\(site.root)/home/letter", atomically: true, encoding: .utf8)
            let refused = try await server.command([
                "export", "--server", server.origin, "--force", title.id, "\(site.root)/home",
            ])
            #expect(refused.status != 0)
            let missing = try await server.command([
                "export", "--server", server.origin, "nada", "\(site.root)/nada",
            ])
            #expect(missing.status != 0)
            #expect(Set(try FileManager.default.contentsOfDirectory(atPath: site.root)) == ["film", "home"])
        }
    }
}

/// nginx as a plain web server for files.
private final class StaticServer {
    let root: String
    private let folder: TemporaryDirectory
    private var program: BackgroundProgram?
    private(set) var web = HTTPOrigin(port: 0)

    init() throws {
        folder = try TemporaryDirectory(label: "static")
        root = "\(folder.path)/www"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    func start() async throws {
        let port = try TCPPorts.free()
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { name in
            "\(name)_temp_path \(folder.path)/\(name);"
        }
        let configuration = try folder.write(
            """
            daemon off; master_process off; pid \(folder.path)/pid; error_log stderr; user root;
            events { worker_connections 1024; }
            http { \(temporary.joined(separator: " ")) access_log off;
              types { application/vnd.apple.mpegurl m3u8; video/iso.segment m4s; video/mp4 mp4; text/vtt vtt; }
              gzip on; gzip_min_length 1; gzip_types application/vnd.apple.mpegurl;
              server { listen 127.0.0.1:\(port); root \(root); }
            }
            """, to: "nginx.conf")
        program = try BackgroundProgram("nginx", ["-c", configuration, "-p", folder.path])
        web = HTTPOrigin(port: port)
        _ = try await eventually("nginx answers") { [web] in
            try await web.request("/nothing").status == 404 ? true : nil
        }
    }
}
