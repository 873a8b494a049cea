import DASHConformance
import Foundation
import Glibc
import HLSConformance
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
    /// A title with a ladder and all other features, in players that switch between the renditions.
    @Suite struct LadderPlayingTests {
        private static let duration = 30
        private static let frameCount = duration * 25
        private static let sizes = ["160x90", "240x134", "480x270"]

        /// The folders of stopped servers with a complete ladder, keyed by encoder. Making one takes much longer than
        /// copying it, so all tests start from copies.
        private static let prepared = Mutex<[String: TemporaryDirectory]>([:])

        /// Serves a video with two audio tracks and subtitles, in its own 480x270 and two more renditions.
        private static func serving(encoder: String = "libx264") async throws -> AntenaProcess {
            let source: TemporaryDirectory
            if let known = prepared.withLock({ $0[encoder] }) {
                source = known
            } else {
                source = try await prepare(encoder)
                prepared.withLock { $0[encoder] = source }
            }
            let folder = try TemporaryDirectory(label: "e2e")
            // With their times, which the catalogue compares.
            _ = try await ExternalTool("cp").run(["-a", "\(source.path)/.", folder.path])
            let server = try AntenaProcess(folder: folder, channels: channels(encoder))
            try await server.start()
            #expect(try await server.ingested("film.mp4").state == "ready")
            // A server that has just started plays a title before it has read which qualities of it are complete.
            try await eventually {
                let text = try await server.request("/vod/film/playlist.m3u8").text
                return Set(variants(text).map(\.resolution)).count > 1
            }
            return server
        }

        private static func channels(_ encoder: String) -> String {
            """
            { "presets": {
                "medium": { "width": 240, "height": 135, "frameRate": 30, "videoBitrate": 400000, "audioBitrate": 96000 },
                "low": { "width": 160, "height": 90, "frameRate": 30, "videoBitrate": 150000, "audioBitrate": 64000 } },
              "ladderEncoder": "\(encoder)",
              "channels": [
                { "name": "canalA", "title": "A", "defaultPreset": "medium", "presets": ["medium"] } ] }
            """
        }

        private static func prepare(_ encoder: String) async throws -> TemporaryDirectory {
            let server = try AntenaProcess(
                folder: TemporaryDirectory.untilExit(label: "ladder-\(encoder)"), channels: channels(encoder))
            try await MediaClients.make(
                server.folder.file("media/vod/film.mp4"),
                [
                    "-f", "lavfi", "-i",
                    "testsrc2=size=480x270:rate=25:duration=\(duration),noise=alls=20:allf=t", "-f", "lavfi", "-i",
                    "sine=duration=\(duration):sample_rate=48000", "-map", "0:v", "-map", "1:a", "-map", "1:a", "-c:v",
                    "libx264", "-preset", "ultrafast", "-b:v", "2200k", "-pix_fmt", "yuv420p", "-g", "50", "-bf", "2",
                    "-flags", "+cgop", "-c:a:0", "aac", "-c:a:1", "ac3", "-metadata:s:a:0", "language=spa",
                    "-metadata:s:a:1", "language=eng",
                ])
            try server.folder.write("1\n00:00:01,000 --> 00:00:02,000\nuno\n", to: "media/vod/film.es.srt")
            try await server.start()
            #expect(try await server.ingested("film.mp4").state == "ready")
            let result = try await server.command(
                ["transcode", "--server", server.origin, "film", "--presets", "low,medium"], deadline: 120)
            try #require(result.status == 0, "\(result.text) \(result.errorOutput)")
            // Otherwise the server of each copy makes the storyboard.
            _ = try await eventually("all jobs are done", within: 60) {
                try await server.items("/api/v1/jobs").allSatisfy { $0["state"] as? String == "ready" } ? true : nil
            }
            server.signal(SIGTERM)
            try #require(try await server.waitForExit(within: 20) == 0)
            return server.folder
        }

        private static func variants(_ text: String) -> [(resolution: String, audio: String?, uri: String)] {
            let lines = text.split(separator: "\n").map(String.init)
            return zip(lines, lines.dropFirst()).filter { $0.0.hasPrefix("#EXT-X-STREAM-INF") }.map { tag, uri in
                (value(of: "RESOLUTION", in: tag) ?? "", value(of: "AUDIO", in: tag), uri)
            }
        }

        private static func value(of attribute: String, in tag: String) -> String? {
            guard let start = tag.range(of: "\(attribute)=")?.upperBound else { return nil }
            let rest = tag[start...]
            return rest.hasPrefix("\"")
                ? String(rest.dropFirst().prefix { $0 != "\"" }) : String(rest.prefix { $0 != "," })
        }

        private static func url(_ server: AntenaProcess, _ name: String) -> String {
            "\(server.origin)/vod/film/\(name)"
        }

        // MARK: Other forms

        @Test func everyVariantGoesWithEveryAudioTrack() async throws {
            let server = try await Self.serving()
            try await server.expectConformance(of: "/vod/film/playlist.m3u8")
            let text = try await server.request("/vod/film/playlist.m3u8").text
            let variants = Self.variants(text)
            let groups = Set(variants.compactMap(\.audio))
            #expect(groups.count >= 2)
            #expect(Set(variants.map(\.resolution)) == Set(Self.sizes))
            #expect(Set(variants.map { "\($0.resolution) \($0.audio ?? "")" }).count == 3 * groups.count)
            #expect(variants.count == 3 * groups.count)
            #expect(variants.first?.resolution == "240x134", "the best that 2 Mbit/s carry is first")
            #expect(
                text.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-STREAM-INF") }
                    .allSatisfy { $0.contains("SUBTITLES=\"subtitles\"") })
        }

        /// Players of DASH switch within a set, whose segments begin together.
        @Test func everyQualityIsInOneSetForPlayersOfDASH() async throws {
            let server = try await Self.serving()
            let text = try await server.request("/vod/film/manifest.mpd").text
            let renditions = try #require(ManifestDocument(parsing: text).periods.first).renditions
            let videos = renditions.filter { $0.content == "video" }
            let sizes = videos.map { "\($0.attributes["width"] ?? "")x\($0.attributes["height"] ?? "")" }
            #expect(Set(sizes) == Set(Self.sizes))
            #expect(Set(videos.map { $0.adaptationSet["id"] }).count == 1)
            let starts = videos.map { $0.segments.map { ($0.start * 1_000).rounded() } }
            #expect(starts.allSatisfy { $0 == starts.first })
            for video in videos {
                for segment in video.segments {
                    let reply = try await server.request("/vod/film/\(segment.address)", method: "HEAD")
                    #expect(reply.status == 200, "\(segment.address)")
                }
            }
            // libav has a stream for each representation.
            let streams = try await ExternalTool.ffprobe().run(
                [
                    "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of", "csv=p=0:s=x",
                    "\(server.origin)/vod/film/manifest.mpd",
                ], deadline: 60)
            #expect(Set(streams.lines.filter { !$0.isEmpty }.map(String.init)) == Set(Self.sizes))
        }

        @Test func everyRenditionHasItsIFrames() async throws {
            let server = try await Self.serving()
            let text = try await server.request("/vod/film/playlist.m3u8").text
            let tags = text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("#EXT-X-I-FRAME-STREAM-INF") }
            #expect(Set(tags.compactMap { Self.value(of: "RESOLUTION", in: $0) }) == Set(Self.sizes))
            let client = ConformanceClient(server: server)
            for tag in tags {
                let url = Self.url(server, try #require(Self.value(of: "URI", in: tag)))
                #expect(try await MediaClients.frames(url).count == Self.duration / 2)
                let presentation = Presentation(
                    multivariant: try await client.playlist(Self.url(server, "playlist.m3u8")),
                    renditions: [try await client.rendition(url)])
                #expect(HLSConformance.check(presentation).filter { $0.url == url }.map(\.description) == [])
            }
        }

        /// Set-top boxes switch at segment boundaries with one decoder, so each frame has to appear exactly once.
        @Test func transportStreamsOfAllQualitiesAreOneTimeline() async throws {
            let server = try await Self.serving()
            let variants = Self.variants(try await server.request("/vod/film/playlist.m3u8?format=ts").text)
            #expect(Set(variants.map(\.resolution)) == Set(Self.sizes))
            var segments: [[String]] = []
            for variant in variants {
                let text = try await server.request("/vod/film/\(variant.uri)").text
                segments.append(text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") })
                try await MediaClients.decode(Self.url(server, variant.uri), seconds: Double(Self.duration))
            }
            #expect(Set(segments.map(\.count)).count == 1)
            var stream = Data()
            for index in segments[0].indices {
                stream += try await server.request("/vod/film/\(segments[index % segments.count][index])").body
            }
            let path = "\(server.folder.path)/mixed.ts"
            try stream.write(to: URL(filePath: path))
            let times = try await MediaClients.frames(path).map(\.time)
            Self.expectEveryFrame(times)
            let source = server.folder.path + "/media/vod/film.mp4"
            let own = try #require(variants.first { $0.resolution == "480x270" })
            #expect(
                try await MediaClients.frames(Self.url(server, own.uri)).map(\.digest)
                    == MediaClients.frames(source).map(\.digest))
            // Players that started before there was a ladder continue.
            #expect(try await MediaClients.frames(Self.url(server, "ts.m3u8")).count == Self.frameCount)
        }

        @Test func everyQualityIsEncrypted() async throws {
            let server = try await Self.serving()
            let plain = Self.variants(try await server.request("/vod/film/playlist.m3u8").text)
            let answer = try await server.request(
                "/api/v1/titles/film", method: "PATCH",
                headers: ["Content-Type": "application/json", "If-Match": "*"],
                body: "{\"encrypt\": true}")
            #expect(answer.status == 200)
            for uri in Set(plain.map(\.uri)) {
                let text = try await eventually("the playlist names a key", within: 10) {
                    let text = try await server.request("/vod/film/\(uri)").text
                    return text.contains("#EXT-X-KEY:METHOD=AES-128") ? text : nil
                }
                let segment = try #require(text.split(separator: "\n").first { !$0.hasPrefix("#") })
                #expect(!Data(try await server.request("/vod/film/\(segment)").body).contains(Data("moof".utf8)))
                #expect(try await MediaClients.frames(Self.url(server, uri)).count == Self.frameCount)
            }
            for variant in Self.variants(try await server.request("/vod/film/playlist.m3u8?format=ts").text) {
                #expect(try await MediaClients.frames(Self.url(server, variant.uri)).count == Self.frameCount)
            }
        }

        @Test func anExportHasAllQualities() async throws {
            let server = try await Self.serving()
            let target = "\(server.folder.path)/export"
            let result = try await server.command(["export", "--server", server.origin, "film", target])
            #expect(result.status == 0, "\(result.errorOutput)")
            let text = try String(contentsOfFile: "\(target)/playlist.m3u8", encoding: .utf8)
            let variants = Self.variants(text)
            #expect(Set(variants.map(\.resolution)) == Set(Self.sizes))
            for uri in Set(variants.map(\.uri)) {
                #expect(try await MediaClients.frames("\(target)/\(uri)").count == Self.frameCount)
            }
        }

        @Test func aDeletedTitleTakesItsQualitiesAndNoOthers() async throws {
            let server = try await Self.serving()
            let vod = server.folder.path + "/media/vod"
            try FileManager.default.copyItem(atPath: "\(vod)/film.mp4", toPath: "\(vod)/other.mp4")
            #expect(try await server.ingested("other.mp4").state == "ready")
            let other = try await server.command(
                ["transcode", "--server", server.origin, "other", "--presets", "low"], deadline: 120)
            #expect(other.status == 0)
            let deleted = try await server.command(["delete", "--server", server.origin, "film"])
            #expect(deleted.status == 0, "\(deleted.text) \(deleted.errorOutput)")
            let ladders = "\(server.folder.path)/data/ladders"
            #expect(try FileManager.default.contentsOfDirectory(atPath: ladders) == ["other"])
            #expect(Self.variants(try await server.request("/vod/other/playlist.m3u8").text).count >= 2)
            #expect(FileManager.default.fileExists(atPath: "\(vod)/other.mp4"))
        }

        // MARK: Players

        /// The content of a browser's buffer: segments of all renditions in turn, each after its initialization
        /// section.
        @Test(arguments: ["libx264", "libsvtav1"])
        func segmentsOfAllQualitiesFollowOneAnotherWithoutASeam(_ encoder: String) async throws {
            guard try await MediaClients.hasEncoder(encoder) else { return }
            let server = try await Self.serving(encoder: encoder)
            try await server.expectConformance(of: "/vod/film/playlist.m3u8")
            let uris = Set(Self.variants(try await server.request("/vod/film/playlist.m3u8").text).map(\.uri)).sorted()
            // Chromium stops when it switches between AV1 and H.264.
            #expect(uris.count == (encoder.contains("av1") ? 2 : 3))
            var playlists: [(map: String, segments: [String])] = []
            for uri in uris {
                let lines = try await server.request("/vod/film/\(uri)").text.split(separator: "\n").map(String.init)
                let map = try #require(lines.first { $0.hasPrefix("#EXT-X-MAP") })
                playlists.append(
                    (try #require(Self.value(of: "URI", in: map)), lines.filter { !$0.hasPrefix("#") }))
            }
            var times: [Double] = []
            for index in playlists[0].segments.indices {
                let playlist = playlists[index % playlists.count]
                let path = "\(server.folder.path)/\(index).mp4"
                var bytes = Data(try await server.request("/vod/film/\(playlist.map)").body)
                bytes += Data(try await server.request("/vod/film/\(playlist.segments[index])").body)
                try bytes.write(to: URL(filePath: path))
                // Any decoder error fails the test.
                try await MediaClients.decode(path, seconds: 60)
                times += try await Self.times(path)
            }
            Self.expectEveryFrame(times)
        }

        /// The timestamps of the decoded frames, as stored in the media.
        private static func times(_ path: String) async throws -> [Double] {
            let result = try await ExternalTool.ffprobe().run([
                "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", path,
            ])
            return result.lines.compactMap { Double($0.prefix { $0 != "," }) }
        }

        private static func expectEveryFrame(_ times: [Double]) {
            #expect(times.count == frameCount)
            #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.001 })
        }

        @Test func mpvTakesTheQualityThatItIsTold() async throws {
            let server = try await Self.serving()
            for (limit, size) in [("min", "160x90"), ("max", "480x270"), ("700000", "240x134")] {
                let result = try await ExternalTool("mpv").run(
                    [
                        "--no-config", "--vo=null", "--ao=null", "--ao-null-untimed", "--untimed",
                        "--hls-bitrate=\(limit)", "--frames=200",
                        "--term-playing-msg=playing ${width}x${height}", Self.url(server, "playlist.m3u8"),
                    ], deadline: 90)
                #expect(result.text.contains("playing \(size)"), "\(result.text) \(result.errorOutput)")
            }
        }

        /// Plays the film on the video club's page without an error.
        ///
        /// - Parameters:
        ///   - speed: how many seconds of the film are played in a second.
        ///   - height: the height of the quality that is chosen after the start; `nil` leaves that to the player.
        ///   - countsFrames: whether the player may avoid pictures for which the machine is too busy.
        ///   - condition: a JavaScript condition on the displayed widths (`window.widths`).
        private static func playToTheEnd(
            at origin: String, speed: Int = 1, choosing height: Int? = nil, countsFrames: Bool = true,
            showing condition: String
        ) async throws {
            let player = "document.querySelector('video')"
            let choice = height.map {
                [
                    "--wait", "\(player).currentTime > 1",
                    "--eval", "\(player).closest('.player').antenaPlayer.chooseHeight(\($0)); 1",
                ]
            }
            let browser = try BrowserTests.drive(
                "\(origin)/videoclub",
                [
                    "--wait", "document.querySelector('[data-title=\"film\"]') !== null",
                    "--click", "[data-title=\"film\"]", "--wait", "location.search.includes('title=film')",
                    "--wait", "\(player)?.closest('.player').antenaPlayer !== undefined",
                    "--eval",
                    """
                    window.widths = new Set(); \(player).muted = true;
                    \(countsFrames ? "" : "\(player).getVideoPlaybackQuality = undefined;")
                    \(player).addEventListener('resize', () => window.widths.add(\(player).videoWidth));
                    \(player).closest('.player').antenaPlayer.setRate(\(speed));
                    \(player).closest('.player').antenaPlayer.play(); 'playing'
                    """,
                ] + (choice ?? []) + [
                    "--wait", "\(player).currentTime > \(duration / 2) && \(player).error === null",
                    "--wait", "\(player).currentTime > \(duration - 3) && \(player).error === null",
                    "--wait", condition,
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        /// The browser goes from H.264 to AV1 within the title; old players request MPEG-TS, which cannot contain
        /// AV1.
        @Test func aBrowserPlaysAV1() async throws {
            let encoder = "libsvtav1"
            guard try await MediaClients.hasEncoder(encoder) else { return }
            let server = try await Self.serving(encoder: encoder)
            let text = try await server.request("/vod/film/playlist.m3u8").text
            let first = try #require(text.split(separator: "\n").first { $0.hasPrefix("#EXT-X-STREAM-INF") })
            #expect(first.contains("CODECS=\"av01.0."))
            let old = Self.variants(try await server.request("/vod/film/playlist.m3u8?format=ts").text)
            #expect(old.map(\.resolution) == ["480x270"])
            try await Self.playToTheEnd(
                at: server.origin, speed: 2, choosing: 135, showing: "window.widths.has(240)")
        }

        /// The network carries the source until a segment of it has come, and then half of it: Chromium switches and
        /// keeps playing.
        @Test func aBrowserChangesTheQualityWithItsLine() async throws {
            let server = try await Self.serving()
            let line = try BackgroundProgram(
                "python3", [BrowserTests.support("slow-line.py"), server.origin, "4000000:/video/", "200000"])
            let port = try await eventually("the line is there") { line.output.split(separator: "\n").first }
            try await Self.playToTheEnd(
                at: "http://127.0.0.1:\(port)", countsFrames: false,
                showing: "window.widths.has(480) && (window.widths.has(240) || window.widths.has(160))")
            line.kill()
            // The last requested segments fit the rate of the network.
            let segments = line.output.split(separator: "\n").filter { $0.contains(".m4s") && !$0.contains("/audio/") }
            #expect(segments.last?.contains("/video/") == false, "\(segments)")
        }
    }
}
