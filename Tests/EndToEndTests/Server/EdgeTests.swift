import DASHConformance
import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// The program with nginx in front of it, configured with docs/edge/nginx.conf.
    @Suite struct EdgeTests {
        private static let playlist = "/live/canalA.stream/video.m3u8"

        private static func load(_ reply: WebReply, from edge: EdgeProcess) -> PlaylistLoad {
            PlaylistLoad(
                url: edge.web.origin + playlist, text: reply.text, contentType: reply.headers["content-type"],
                contentEncoding: reply.headers["content-encoding"])
        }

        /// Keeps all three processes alive as long as the chain is used.
        private struct Chain {
            let server: AntenaProcess
            let publisher: BackgroundProgram
            let edge: EdgeProcess
        }

        private static func live() async throws -> Chain {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 3)
            return Chain(server: server, publisher: publisher, edge: try await EdgeProcess(inFrontOf: server))
        }

        /// Players wait for a part through the cache; of many that wait for the same part, only one request reaches the
        /// origin.
        @Test func manyWhoWaitForAPartAreOneAtTheOrigin() async throws {
            let live = try await Self.live()
            let edge = live.edge
            let now = PlaylistDocument(Self.load(try await edge.web.request(Self.playlist), from: edge))
            let open = try #require(now.partGroups.last)
            let path = "\(Self.playlist)?_HLS_msn=\(open.sequenceNumber + 1)&_HLS_part=0"
            let replies = try await withThrowingTaskGroup(of: WebReply.self) { group in
                for _ in 0..<20 { group.addTask { try await edge.web.request(path) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies.count == 20)
            for reply in replies { #expect(reply.status == 200 && reply.body == replies[0].body, "\(reply.text)") }
            #expect(replies.count { $0.headers["x-cache"] == "MISS" } == 1)
            #expect(replies.count { $0.headers["x-cache"] == "HIT" } == 19)
            live.publisher.kill()
        }

        @Test func aPlayerFollowsTheEdgeAsItFollowsTheOrigin() async throws {
            let live = try await Self.live()
            let edge = live.edge
            var history = LivePlaylistHistory()
            var document: PlaylistDocument?
            for _ in 0..<8 {
                let open = document?.partGroups.last
                let query = open.map { "?_HLS_msn=\($0.sequenceNumber)&_HLS_part=\($0.parts.count)" } ?? ""
                let reply = try await edge.web.request(Self.playlist + query)
                try #require(reply.status == 200, "\(reply.text)")
                let load = Self.load(reply, from: edge)
                history.add(load)
                document = PlaylistDocument(load)
            }
            #expect(history.findings.map(\.description) == [])
            try await MediaClients.decode(edge.web.origin + LiveTests.playlist, seconds: 3)
            // Refusals are not cached.
            let lost = try await edge.web.request(Self.playlist + "?_HLS_msn=999999")
            #expect(lost.status == 400 && lost.headers["cache-control"] == "no-store")
            #expect(try await edge.web.request("/api/v1/channels/canalA/publisher", method: "DELETE").status >= 400)
            #expect(try await live.server.channelState("canalA") == "live")
            live.publisher.kill()
        }

        @Test func segmentsAreFetchedOnceAndServedInRanges() async throws {
            let live = try await Self.live()
            let edge = live.edge
            let listed = PlaylistDocument(Self.load(try await edge.web.request(Self.playlist), from: edge)).segments
            let uri = try #require(listed.last?.uri)
            let path = "/live/canalA.stream/\(uri)"
            let direct = try await live.server.request(path)
            let (first, second) = (try await edge.web.request(path), try await edge.web.request(path))
            #expect(first.body == direct.body && second.body == direct.body)
            #expect(first.headers["x-cache"] == "MISS" && second.headers["x-cache"] == "HIT")
            #expect(second.headers["etag"] == direct.headers["etag"])
            #expect(second.headers["cache-control"] == "public, max-age=31536000, s-maxage=50, immutable")
            let range = try await edge.web.request(path, headers: ["Range": "bytes=10-19"])
            #expect(range.status == 206 && range.body == Array(direct.body[10..<20]))
            let known = try await edge.web.request(path, headers: ["If-None-Match": direct.headers["etag"] ?? ""])
            #expect(known.status == 304 && known.body.isEmpty)
            #expect(try await edge.web.request(path, method: "HEAD").status == 200)
            live.publisher.kill()
        }

        /// The cache keeps two encodings of a playlist, regardless of how players spell Accept-Encoding.
        /// The manifest of DASH is kept for a moment, as playlists are, and its segments are the copies that players of
        /// HLS have left there.
        @Test func bothFormatsShareOneCopy() async throws {
            let live = try await Self.live()
            let edge = live.edge
            let path = "/live/canalA.stream/manifest.mpd?ll=0"
            let kept = try await eventually("a manifest out of the cache", within: 20) {
                let replies = [try await edge.web.request(path), try await edge.web.request(path)]
                return replies.last?.headers["x-cache"] == "HIT" ? replies.last : nil
            }
            let rendition = try #require(ManifestDocument(parsing: kept.text).periods.last?.renditions.first)
            let segment = try #require(rendition.segments.last).address
            let playlist = PlaylistDocument(Self.load(try await edge.web.request(Self.playlist), from: edge))
            #expect(playlist.segments.contains { $0.uri == segment })
            _ = try await edge.web.request("/live/canalA.stream/\(segment)")
            let again = try await edge.web.request("/live/canalA.stream/\(segment)")
            #expect(again.status == 200 && again.headers["x-cache"] == "HIT")
            // A segment that is being made reaches a player through the edge while it is made, and is kept when it is
            // complete.
            let growing = try #require(
                ManifestDocument(parsing: try await edge.web.request("/live/canalA.stream/manifest.mpd").text)
                    .periods.last?.renditions.first?.segments.last
            ).address
            let first = try await edge.web.request("/live/canalA.stream/\(growing)")
            let second = try await edge.web.request("/live/canalA.stream/\(growing)")
            #expect(first.status == 200 && second.headers["x-cache"] == "HIT" && first.body == second.body)
            live.publisher.kill()
        }

        @Test func gzipAndPlainAreKeptApart() async throws {
            let live = try await Self.live()
            let edge = live.edge
            for accepted in ["gzip", "gzip, deflate, br", "deflate, GZIP;q=0.5"] {
                let reply = try await edge.web.request(Self.playlist, headers: ["Accept-Encoding": accepted])
                #expect(reply.headers["content-encoding"] == "gzip" && Array(reply.body.prefix(2)) == [0x1F, 0x8B])
            }
            #expect(try await edge.web.request(Self.playlist).text.hasPrefix("#EXTM3U"))
            // A second later the playlist has changed.
            let old = try await edge.web.request(Self.playlist).text
            _ = try await eventually("the playlist moves on at the edge", within: 10) {
                try await edge.web.request(Self.playlist).text == old ? nil : true
            }
            live.publisher.kill()
        }

        /// A server that does not name the media that it has decided about would have all copies kept under one key.
        @Test func anOlderServerIsNotCached() async throws {
            let port = try TCPPorts.free()
            let script = """
                import http.server, sys
                class Older(http.server.BaseHTTPRequestHandler):
                    def do_GET(self):
                        isQuestion = self.path == '/api/v1/authorize'
                        body = b'' if isQuestion else self.path.encode()
                        self.send_response(204 if isQuestion else 200)
                        self.send_header('Cache-Control', 'no-store' if isQuestion else 'public, max-age=1000')
                        if not isQuestion: self.send_header('Content-Length', str(len(body)))
                        self.end_headers()
                        self.wfile.write(body)
                    def log_message(self, *arguments): pass
                http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Older).serve_forever()
                """
            let older = try BackgroundProgram("python3", ["-c", script, "\(port)"])
            let edge = try await EdgeProcess(inFrontOf: HTTPOrigin(port: port))
            for path in ["/vod/a/r/video/0.m4s", "/vod/b/r/video/0.m4s", "/vod/b/r/video/0.m4s"] {
                let reply = try await eventually("\(path) is answered") {
                    let reply = try await edge.web.request(path)
                    return reply.status == 200 ? reply : nil
                }
                #expect(reply.text == path && reply.headers["x-cache"] == "BYPASS", "\(reply.text)")
            }
            older.kill()
        }
    }
}
