import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// Links with a signature, with real players, directly and through nginx with a shared cache.
    @Suite struct SignedLinkTests {
        /// A channel and a title for members, and links to both.
        private struct Station {
            let server: AntenaProcess
            let publisher: BackgroundProgram
            let title: AntenaProcess.Entry

            static let channel = "/live/canalA.stream/playlist.m3u8"
            var film: String { "/vod/\(title.id)/playlist.m3u8" }

            init() async throws {
                let channels = AntenaProcess.channelsFile(["canalA": #""audience": "members""#])
                    .replacing("\"presets\": {\n", with: "\"viewing\": {\"vod\": \"members\"}, \"presets\": {\n")
                server = try AntenaProcess(channels: channels)
                let source = try await MovieFixture.noBFrames.path()
                try FileManager.default.copyItem(
                    atPath: source, toPath: server.folder.file("media/vod/film.mp4"))
                try await server.start()
                publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
                title = try await server.ingested("film.mp4")
                _ = try await eventually("canalA is live", within: 30) {
                    try await server.channelState("canalA") == "live" ? true : nil
                }
            }

            /// The path of a new link.
            func link(_ path: String, _ name: String) async throws -> String {
                let result = try await server.command([
                    "link", "create", path, "--name", name, "--hours", "2", "--server", server.origin,
                ])
                #expect(result.status == 0, "\(result.errorOutput)")
                let text = result.text.trimmingCharacters(in: .newlines)
                #expect(text.hasPrefix("\(server.origin)/signed/exp="))
                return String(text.dropFirst(server.origin.count))
            }

            func revoke(_ name: String) async throws {
                let list = try await server.command(["link", "list", "--server", server.origin]).lines
                let id = try #require(list.first { $0.contains(name) }?.split(separator: " ").first)
                let result = try await server.command(["link", "revoke", String(id), "--server", server.origin])
                #expect(result.text == "\(id): revoked\n")
            }
        }

        private static func playEverywhere(_ origin: String, film: String, channel: String) async throws {
            for path in [film, channel] {
                try await MediaClients.decode(origin + path, seconds: 2)
                let folder = try TemporaryDirectory(label: "mpv")
                let result = try await ExternalTool("mpv").run([
                    "--no-config", "--ao=null", "--frames=20", "--vo=image", "--vo-image-format=jpg",
                    "--vo-image-outdir=\(folder.path)", origin + path,
                ])
                let frames = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(frames.count == 20, "\(path): \(result.text.suffix(500))")
            }
            _ = try await ExternalTool("gst-launch-1.0").run(
                [
                    "-q", "playbin", "uri=\(origin)\(film)", "video-sink=fakesink sync=false",
                    "audio-sink=fakesink sync=false",
                ], deadline: 60)
            let element = "document.getElementById('signed')"
            let browser = try BrowserTests.drive(
                "\(origin)/acerca",
                [
                    "--eval",
                    """
                    (() => { const video = document.createElement('video'); video.id = 'signed'; video.muted = true; \
                    video.src = '\(film)'; document.body.append(video); \
                    return video.play().then(() => 'playing'); })()
                    """,
                    "--wait", "\(element).currentTime > 1 && \(element).videoWidth > 0",
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        @Test func everyPlayerFollowsALink() async throws {
            let station = try await Station()
            let web = station.server.web
            #expect(try await web.request(station.film).status == 401)
            let (film, channel) = (
                try await station.link(station.film, "press"), try await station.link(Station.channel, "school")
            )
            try await Self.playEverywhere(station.server.origin, film: film, channel: channel)
            // The same as parameters, for programs that make them.
            let parts = film.dropFirst("/signed/".count).prefix { $0 != "/" }.replacing(",", with: "&")
            let led = try await web.request("\(station.film)?\(parts)")
            #expect(led.status == 302 && led.headers["location"] == film)
            // The signature of one thing opens no other.
            let prefix = film.prefix(film.count - station.film.count)
            #expect(try await web.request(prefix + Station.channel).status == 403)
            try await station.revoke("press")
            _ = try await eventually("the link is dead", within: 5) {
                try await web.request(film).status == 403 ? true : nil
            }
            #expect(try await web.request(channel).status == 200)
            #expect(!station.server.log.contains("sig="))
            station.publisher.kill()
        }

        /// A token that another system has made, in the form that MediaMTX takes, in the address and in a header.
        @Test func aTokenOfAnotherSystemLetsIn() async throws {
            let folder = try TemporaryDirectory(label: "jwt")
            let secret = try folder.write("0123456789abcdef0123456789abcdef\n", to: "secret")
            let server = try AntenaProcess(
                extraArguments: ["--jwt-secret-file", secret],
                channelFields: [
                    "canalA": #""audience": "members", "publish": "accounts""#,
                    "canalB": #""audience": "members""#,
                ])
            try await server.start()
            let script = """
                import base64, hashlib, hmac, json, sys, time
                def text(b): return base64.urlsafe_b64encode(b).rstrip(b'=').decode()
                claims = {'exp': int(time.time()) + 600, 'mediamtx_permissions': [
                    {'action': a, 'path': 'live/canalA.stream'} for a in sys.argv[1:]]}
                signed = text(b'{"alg":"HS256"}') + '.' + text(json.dumps(claims).encode())
                key = b'0123456789abcdef0123456789abcdef'
                print(signed + '.' + text(hmac.new(key, signed.encode(), hashlib.sha256).digest()))
                """
            func token(_ actions: String...) async throws -> String {
                try await ExternalTool("python3").run(["-c", script] + actions).text
                    .trimmingCharacters(in: .newlines)
            }
            let (token, pushing) = (try await token("read"), try await token("publish"))
            let refused = try BackgroundProgram.publisher(to: "\(LiveTests.address(server))?jwt=\(token)")
            #expect(try await refused.waitForExit(within: 20) != 0)
            let publisher = try BackgroundProgram.publisher(to: "\(LiveTests.address(server))?jwt=\(pushing)")
            _ = try await eventually("canalA is live; the log: \(server.log)", within: 30) {
                try await server.channelState("canalA") == "live" ? true : nil
            }
            let playlist = "/live/canalA.stream/playlist.m3u8"
            try await MediaClients.decode("\(server.origin)\(playlist)?jwt=\(token)", seconds: 2)
            let header = ["Authorization": "Bearer \(token)"]
            #expect(try await server.web.request(playlist, headers: header).status == 200)
            let frames = try await MediaClients.frameDigests(
                "\(LiveTests.address(server))?jwt=\(token)", transport: "tcp", limit: 5)
            #expect(frames.count == 5)
            let other = "/live/canalB.stream/playlist.m3u8"
            #expect(try await server.web.request(other, headers: header).status == 403)
            #expect(try await server.web.request("\(other)?jwt=\(token)").status == 403)
            #expect(try await server.web.request("\(playlist)?jwt=\(token)x").status == 403)
            #expect(!server.log.contains(token))
            publisher.kill()
        }

        /// A hook that was written for MediaMTX decides about viewers and publishers whom no account knows.
        @Test func aHookIsAsked() async throws {
            let port = try TCPPorts.free()
            let script = """
                import http.server, json, sys
                class Hook(http.server.BaseHTTPRequestHandler):
                    def do_POST(self):
                        body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                        print(body['action'], body['protocol'], body['path'], body['user'], body['query'], flush=True)
                        right = body['password'] == 'right' or body['query'] == 'ticket=17'
                        self.send_response(200 if right and body['path'] == 'live/canalA.stream' else 401)
                        self.end_headers()
                    def log_message(self, *arguments): pass
                http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Hook).serve_forever()
                """
            let hook = try BackgroundProgram("python3", ["-c", script, "\(port)"])
            let server = try AntenaProcess(
                extraArguments: ["--auth-hook", "http://127.0.0.1:\(port)/"],
                channelFields: [
                    "canalA": #""audience": "members", "publish": "accounts""#,
                    "canalB": #""audience": "members""#,
                ])
            try await server.start()
            let host = "127.0.0.1:\(server.rtspPort)/live/canalA.stream"
            let refused = try BackgroundProgram.publisher(to: "rtsp://cam:wrong@\(host)")
            #expect(try await refused.waitForExit(within: 20) != 0)
            let publisher = try BackgroundProgram.publisher(to: "rtsp://cam:right@\(host)")
            _ = try await eventually("canalA is live; the log: \(server.log)", within: 30) {
                try await server.channelState("canalA") == "live" ? true : nil
            }
            let playlist = "/live/canalA.stream/playlist.m3u8"
            #expect(try await server.web.request(playlist).status == 401)
            #expect(try await server.web.request("\(playlist)?ticket=18").status == 401)
            try await MediaClients.decode("\(server.origin)\(playlist)?ticket=17", seconds: 2)
            try await MediaClients.decode(
                server.origin.replacing("http://", with: "http://tv:right@") + playlist, seconds: 2)
            #expect(try await server.web.request("/live/canalB.stream/playlist.m3u8?ticket=17").status == 401)
            // A player asks for a playlist and its parts again and again; the hook is asked once.
            #expect(hook.output.components(separatedBy: "read hls live/canalA.stream tv ").count == 2)
            #expect(hook.output.contains("publish rtsp live/canalA.stream cam "))
            let frames = try await MediaClients.frameDigests("rtsp://tv:right@\(host)", transport: "tcp", limit: 5)
            #expect(frames.count == 5 && hook.output.contains("read rtsp live/canalA.stream tv "))
            hook.kill()
            #expect(try await server.web.request("\(playlist)?ticket=19").status == 503)
            publisher.kill()
        }

        /// All links share one copy of each segment, and a copy is given to nobody whose link is not valid.
        @Test func aSharedCacheKeepsOneCopy() async throws {
            let station = try await Station()
            let edge = try await EdgeProcess(inFrontOf: station.server)
            var links: [String] = []
            for name in ["first", "second"] { links.append(try await station.link(station.film, name)) }
            let channel = try await station.link(Station.channel, "live")
            try await Self.playEverywhere(edge.web.origin, film: links[0], channel: channel)
            let folders = links.map { $0.dropLast("/playlist.m3u8".count) }
            let media = try await edge.web.request("\(folders[0])/video.m3u8").text
            let segments = media.split(separator: "\n").filter { $0.hasSuffix(".m4s") }
            try #require(segments.count >= 2)
            for segment in segments {
                let first = try await edge.web.request("\(folders[0])/\(segment)")
                let second = try await edge.web.request("\(folders[1])/\(segment)")
                #expect(first.status == 200 && second.status == 200 && first.body == second.body)
                // The players have fetched it already, with the first link.
                #expect(first.headers["x-cache"] == "HIT" && second.headers["x-cache"] == "HIT")
                let age = second.headers["cache-control"]?.firstMatch(of: /max-age=([0-9]+)/).flatMap { Int($0.1) }
                #expect((1...7_200).contains(age ?? 0))
                let stranger = try await edge.web.request("/vod/\(station.title.id)/\(segment)")
                #expect(stranger.status == 401)
                let wrong = try await edge.web.request("/signed/exp=1,id=a,sig=b/vod/\(station.title.id)/\(segment)")
                #expect(wrong.status == 403)
            }
            try await station.revoke("second")
            _ = try await eventually("the link is dead at the edge", within: 5) {
                try await edge.web.request("\(folders[1])/\(segments[0])").status == 403 ? true : nil
            }
            #expect(try await edge.web.request("\(folders[0])/\(segments[0])").headers["x-cache"] == "HIT")
            station.publisher.kill()
        }
    }
}
