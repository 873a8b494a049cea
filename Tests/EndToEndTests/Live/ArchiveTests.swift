import DASHConformance
import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct ArchiveTests {
        static let playlist = "/live/canalA.stream/playlist.m3u8"

        /// Publishes a file in real time in which all frames differ.
        static func publisher(of path: String, to server: AntenaProcess) throws -> BackgroundProgram {
            try BackgroundProgram(
                "ffmpeg",
                [
                    "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-i", path, "-c", "copy", "-f", "rtsp",
                    "-rtsp_transport", "tcp", LiveTests.address(server),
                ])
        }

        static func makeProgramme(_ folder: TemporaryDirectory) async throws -> String {
            let path = try folder.file("programme.mp4")
            try await MediaClients.make(
                path,
                [
                    "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=90", "-f", "lavfi", "-i",
                    "sine=frequency=440:sample_rate=48000:duration=90",
                ] + BackgroundProgram.h264 + BackgroundProgram.aac)
            return path
        }

        static func recording(of server: AntenaProcess) async throws -> [String: Any] {
            try await server.request("/api/v1/channels/canalA").json["recording"] as? [String: Any] ?? [:]
        }

        static func record(_ action: String, _ server: AntenaProcess) async throws -> ExternalTool.Result {
            try await server.command(["record", "canalA", action, "--server", server.origin])
        }

        /// Waits until the recording has that many seconds.
        static func waitForRecording(of seconds: Double, _ server: AntenaProcess) async throws {
            _ = try await eventually("a recording of \(seconds) s; the log: \(server.log.suffix(1_500))") {
                try await recording(of: server)["duration"] as? Double ?? 0 >= seconds ? true : nil
            }
        }

        @Test func aRecordingIsATitleWithThePushedFrames() async throws {
            let server = try await AntenaProcess.serving()
            let programme = try await Self.makeProgramme(server.folder)
            #expect(try await Self.record("start", server).status != 0, "nobody is broadcasting")
            let publisher = try Self.publisher(of: programme, to: server)
            _ = try await LiveTests.window(of: server, count: 2)
            let start = try await Self.record("start", server)
            #expect(start.status == 0 && start.text.hasPrefix("recording"), "\(start.text)\(start.errorOutput)")
            try await Self.waitForRecording(of: 8, server)
            let stop = try await Self.record("stop", server)
            #expect(stop.text.hasPrefix("idle, "), "\(stop.text)\(stop.errorOutput)")
            let recording = try await Self.recording(of: server)
            let file = try #require(recording["file"] as? String)
            let title = try await server.ingested(file)
            #expect(title.state == "ready", "\(title.error ?? "")")
            #expect(title.title.hasPrefix("canalA, "))
            // A busy machine stops later than it was told to.
            #expect((8...30).contains(title.duration ?? 0))
            #expect(publisher.isRunning, "\(publisher.errorOutput)")
            publisher.kill()

            let pushed = try await MediaClients.frameDigests(programme)
            let recorded = try await MediaClients.frameDigests(server.origin + title.playlist)
            #expect(recorded.count >= 200)
            let first = try #require(pushed.firstIndex { $0 == recorded.first })
            #expect(Array(pushed[first...].prefix(recorded.count)) == recorded, "every frame, each once")
            // The next server finds it again as the same title.
            server.signal(SIGTERM)
            #expect(try await server.waitForExit(within: 20) == 0)
            try await server.start()
            #expect(try await server.ingested(file).id == title.id)
            #expect(try await server.items("/api/v1/titles?kind=all").count == 1)
        }

        @Test func aKilledServersRecordingPlaysAfterwards() async throws {
            let server = try AntenaProcess(channelFields: ["canalA": #""record": "always""#])
            try await server.start()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            try await Self.waitForRecording(of: 5, server)
            let recording = try await Self.recording(of: server)
            let duration = try #require(recording["duration"] as? Double)
            let file = try #require(recording["file"] as? String)
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 5)
            publisher.kill()
            try await server.start()
            let title = try await server.ingested(file)
            #expect(title.state == "ready", "\(title.error ?? "")")
            #expect(title.duration ?? 0 >= duration - 0.1)
            try await MediaClients.decode(server.origin + title.playlist, seconds: 60)
        }

        /// The limit has the effect of a full disk, which a test cannot create. It leaves room for the database's log,
        /// which has 1.9 MB when all tables are made.
        @Test func aFileSizeLimitEndsTheRecordingAndNotTheServer() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 2)
            _ = try await ExternalTool("prlimit").run(["--pid", "\(server.processIdentifier)", "--fsize=2700000"])
            _ = try await Self.record("start", server)
            let failed = try await eventually("the recording fails; the log: \(server.log.suffix(1_500))", within: 90) {
                let status = try await Self.recording(of: server)
                return status["state"] as? String == "failed" ? status["reason"] as? String : nil
            }
            #expect(failed == "the recording cannot be written: File too large")
            #expect(try await server.channelState("canalA") == "live")
            let recording = try await Self.recording(of: server)
            let title = try await server.ingested(try #require(recording["file"] as? String))
            #expect(title.state == "ready", "\(title.error ?? "")")
            try await MediaClients.decode(server.origin + title.playlist, seconds: 60)
            try await MediaClients.decode(server.origin + Self.playlist, seconds: 2)
            publisher.kill()
        }

        @Test func aPlayerStartsAtTheBeginningOfALongWindow() async throws {
            let server = try AntenaProcess(channelFields: ["canalA": #""dvrWindow": "60s""#])
            try await server.start()
            let programme = try await Self.makeProgramme(server.folder)
            let publisher = try Self.publisher(of: programme, to: server)
            let early = try await LiveTests.window(of: server, count: 2)
            let known = try await Self.answers(early, server)
            let window = try await LiveTests.window(of: server, count: 22)
            #expect(HLSConformance.check(window).map(\.description) == [])
            let folder = "\(server.folder.path)/data/archive/canalA"
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.count { $0.hasSuffix(".mp4") } == 1)
            // Segments that have left memory are unchanged, even if they have left the page cache as well.
            for file in files {
                let descriptor = open("\(folder)/\(file)", O_RDONLY)
                fsync(descriptor)
                posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
                close(descriptor)
            }
            for (url, answer) in known {
                let now = try await server.request(url)
                #expect(now.status == 200)
                #expect(now.body == answer.body, "\(url)")
                #expect(now.headers["etag"] == answer.headers["etag"])
            }
            let first = try #require(known.keys.first)
            let range = try await server.request(first, headers: ["Range": "bytes=10-19"])
            #expect(range.status == 206 && range.body == Array(known[first]?.body[10..<20] ?? []))
            let pushed = try await MediaClients.frameDigests(programme)
            let seen = try await Self.firstFrames(300, of: Self.playlist, server)
            #expect(seen == Array(pushed.prefix(300)), "from the first frame on")
            #expect(try await Self.presented(by: server).addresses.isSuperset(of: known.keys), "by DASH, too")

            // A link to a point in time, and a clip of it.
            let video = try await server.request("/live/canalA.stream/video.m3u8")
            let dates = video.text.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-PROGRAM-DATE-TIME:") }
                .map { $0.dropFirst("#EXT-X-PROGRAM-DATE-TIME:".count) }
            let (from, to) = (try #require(dates.dropFirst(4).first), try #require(dates.dropFirst(9).first))
            let linked = try await server.request("\(Self.playlist)?start=\(from)")
            let seconds = try #require(linked.text.split(separator: "start=").last?.prefix { $0 != "\n" })
            let started = try await server.request("/live/canalA.stream/video.m3u8?start=\(seconds)")
            #expect(
                started.text.contains("#EXT-X-START:TIME-OFFSET=0.000000,PRECISE=YES\n"), "\(started.text.prefix(500))")
            #expect(try await server.request("\(Self.playlist)?start=yesterday").status == 400)
            try await server.expectConformance(of: "\(Self.playlist)?start=\(from)")
            let linkedPictures = try await Self.firstFrames(50, of: "\(Self.playlist)?start=\(from)", server)
            let clip = try await server.request(
                "/api/v1/channels/canalA/clips", method: "POST", headers: ["Content-Type": "application/json"],
                body: "{\"from\": \"\(from)\", \"to\": \"\(to)\", \"title\": \"The clip\"}")
            #expect([200, 202].contains(clip.status), "\(clip.text)")
            #expect(try clip.json["title"] as? String == "The clip", "the answer has the title that was asked for")
            let title = try await server.ingested(try #require(try clip.json["file"] as? String))
            #expect(title.state == "ready" && title.title == "The clip", "\(title)")
            let frames = try await MediaClients.frameDigests(server.origin + title.playlist)
            #expect(frames == Array(pushed[100..<225]), "five seconds from the fifth on")
            #expect(linkedPictures == Array(frames.prefix(50)))
            publisher.kill()
        }

        @Test func aLongWindowOutlivesAKill() async throws {
            let server = try AntenaProcess(channelFields: ["canalA": #""dvrWindow": "120s""#])
            try await server.start()
            let programme = try await Self.makeProgramme(server.folder)
            let publisher = try Self.publisher(of: programme, to: server)
            _ = try await LiveTests.window(of: server, count: 2)
            let window = try await LiveTests.window(of: server, count: 14)
            let known = try await Self.answers(window, server)
            let presented = try await Self.presented(by: server)
            #expect(presented.addresses.isSuperset(of: known.keys))
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 5)
            publisher.kill()
            try await server.start()
            let next = try Self.publisher(of: programme, to: server)
            _ = try await LiveTests.window(of: server, count: 3)
            let video = try await server.request("/live/canalA.stream/video.m3u8")
            #expect(video.text.split(separator: "#EXTINF:").count > 14 && video.text.contains("#EXT-X-GAP\n"))
            for (url, answer) in known {
                let now = try await server.request(url)
                #expect(now.status == 200 && now.body == answer.body, "\(url)")
                #expect(now.headers["etag"] == answer.headers["etag"])
            }
            try await server.expectConformance(of: Self.playlist)
            let later = try await Self.presented(by: server)
            #expect(later.addresses.isSuperset(of: known.keys))
            #expect(later.start == presented.start, "the presentation goes on")
            #expect(later.periods.count == 2 && later.periods.first == presented.periods.first)
            let pushed = try await MediaClients.frameDigests(programme)
            let seen = try await Self.firstFrames(400, of: Self.playlist, server)
            #expect(seen.count == 400 && seen.prefix(250) == pushed.prefix(250), "before the kill, and after it")
            next.kill()
        }

        /// What the manifest of DASH says: its beginning, the starts of its periods, and the paths of all segments.
        private static func presented(
            by server: AntenaProcess
        ) async throws -> (start: Double?, periods: [Double], addresses: Set<String>) {
            let text = try await server.request("/live/canalA.stream/manifest.mpd").text
            let document = try ManifestDocument(parsing: text)
            let segments = document.periods.flatMap(\.renditions).flatMap(\.segments)
            return (
                document.availabilityStart, document.periods.map(\.start),
                Set(segments.map { "/live/canalA.stream/\($0.address)" })
            )
        }

        /// The first frames, from the playlist's first segment on.
        private static func firstFrames(
            _ count: Int, of path: String, _ server: AntenaProcess
        ) async throws -> [String] {
            let result = try await ExternalTool.ffmpeg().run(
                [
                    "-hide_banner", "-loglevel", "fatal", "-nostdin", "-live_start_index", "0", "-i",
                    server.origin + path, "-map", "0:v:0", "-frames:v", "\(count)", "-fps_mode", "passthrough", "-f",
                    "framemd5", "-",
                ], deadline: 90)
            return result.lines.filter { !$0.hasPrefix("#") }
                .compactMap { $0.split(separator: ",").dropFirst(5).first.map { String($0.drop { $0 == " " }) } }
        }

        /// The segments listed by a presentation, keyed by path.
        private static func answers(
            _ presentation: Presentation, _ server: AntenaProcess
        ) async throws -> [String: WebReply] {
            var answers: [String: WebReply] = [:]
            for rendition in presentation.renditions {
                for segment in PlaylistDocument(rendition.playlist).segments {
                    let path = "/live/canalA.stream/\(segment.uri)"
                    answers[path] = try await server.request(path)
                }
            }
            return answers
        }
    }
}
