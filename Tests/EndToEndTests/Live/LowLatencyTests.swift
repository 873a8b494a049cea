import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// Low-latency HLS from a player's point of view: blocking reloads, hinted parts, delta updates.
    @Suite struct LowLatencyTests {
        /// Follows one rendition by blocking reloads.
        private struct Player {
            let server: AntenaProcess
            let url: String
            var history = LivePlaylistHistory()
            var loads: [PlaylistLoad] = []

            init(_ server: AntenaProcess, rendition: String) {
                self.server = server
                url = "\(server.origin)/live/canalA.stream/\(rendition).m3u8"
            }

            mutating func load(_ query: String = "") async throws {
                let path = String(url.dropFirst(server.origin.count)) + query
                let reply = try await server.request(path)
                try #require(reply.status == 200, "\(path): \(reply.text)")
                let load = PlaylistLoad(
                    url: url, text: reply.text, contentType: reply.headers["content-type"], contentEncoding: nil)
                history.add(load)
                loads.append(load)
            }

            /// Requests the part after the last one.
            mutating func loadNext() async throws {
                let document = PlaylistDocument(try #require(loads.last))
                let open = try #require(document.partGroups.last)
                try await load("?_HLS_msn=\(open.sequenceNumber)&_HLS_part=\(open.parts.count)")
            }
        }

        @Test func aPlayerFollowsThePartsOfAPush() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 2)
            for rendition in ["video", "audio"] {
                var player = Player(server, rendition: rendition)
                try await player.load()
                for _ in 0..<12 { try await player.loadNext() }
                #expect(player.history.findings.map(\.description) == [])
                // Each reload returned something new.
                #expect(Set(player.loads.map(\.text)).count == player.loads.count)
            }
            let window = try await LiveTests.window(of: server, count: 6)
            #expect(HLSConformance.check(window).map(\.description) == [])
            let delta = try await server.request("/live/canalA.stream/video.m3u8?_HLS_skip=YES")
            #expect(delta.status == 200)
            #expect(publisher.isRunning, "\(publisher.errorOutput)")
            publisher.kill()
        }

        /// The first part is available before the first segment is complete.
        @Test func theFirstPartNeedsNoSegment() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            let reply = try await eventually("a part") {
                let reply = try await server.request("/live/canalA.stream/video.m3u8?_HLS_msn=0&_HLS_part=0")
                return reply.status == 200 ? reply : nil
            }
            #expect(reply.text.contains("#EXT-X-PART:"))
            publisher.kill()
        }

        @Test func playersWithoutLowLatencyGetWholeSegments() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 3)
            let path = "\(LiveTests.playlist)?ll=0"
            let load = try await ConformanceClient(server: server).load(path)
            #expect(load.renditions.count == 2)
            for rendition in load.renditions {
                #expect(rendition.playlist.url.hasSuffix("?ll=0"))
                #expect(!rendition.playlist.text.contains("EXT-X-PART"))
            }
            #expect(HLSConformance.check(load).map(\.description) == [])
            try await MediaClients.decode(server.origin + path, seconds: 2)
            publisher.kill()
        }

        /// Playlists bypass the HTTP/1.1 codec and everything else uses it; responses keep their order all the same.
        @Test func pipelinedAnswersComeWholeAndInOrder() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            let window = try await LiveTests.window(of: server, count: 2)
            let segment = try #require(window.renditions.first?.resources.keys.first { $0.hasSuffix(".m4s") })
            publisher.kill()
            _ = try await eventually("nothing changes any more") {
                try await server.channelState("canalA") == "interrupted" ? true : nil
            }
            let video = "/live/canalA.stream/video.m3u8"
            let requests: [(method: String, path: String)] = [
                ("GET", video), ("GET", String(segment.dropFirst(server.origin.count))), ("HEAD", video),
                ("GET", video),
                ("GET", "/healthz"), ("GET", "/live/canalA.stream/playlist.m3u8"), ("GET", video),
            ]
            var alone: [WebReply] = []
            for request in requests { alone.append(try await server.request(request.path, method: request.method)) }
            let port = server.httpPort
            let together = try await offCooperativePool {
                let connection = try TCPConnection(port: port)
                try connection.send(
                    requests.map { "\($0.method) \($0.path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n" }.joined())
                return try requests.map { request in
                    let head = try WebReply(head: try connection.read(until: "\r\n\r\n"), body: [])
                    let length = Int(head.headers["content-length"] ?? "") ?? 0
                    var reply = head
                    if request.method == "GET" { reply.body = try connection.read(count: length) }
                    return reply
                }
            }
            for (one, other) in zip(alone, together) {
                #expect(one.status == 200 && other.status == 200 && one.body == other.body)
                // Each request of the router has an identifier of its own, and a second may pass between both.
                let own: Set<String> = ["connection", "date", "x-request-id"]
                #expect(
                    one.headers.filter { !own.contains($0.key) } == other.headers.filter { !own.contains($0.key) })
            }
        }

        @Test func aHintedPartComesWhenItIsComplete() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 2)
            var got = 0
            for _ in 0..<8 {
                let playlist = try await server.request("/live/canalA.stream/video.m3u8")
                guard let hint = playlist.text.firstMatch(of: /EXT-X-PRELOAD-HINT:TYPE=PART,URI="([^"]+)"/)?.1 else {
                    continue
                }
                let part = try await server.request("/live/canalA.stream/\(hint)")
                // If a key frame arrived, the part belongs to the next segment.
                guard part.status == 200 else { continue }
                got += 1
                #expect(part.body.count > 100 && part.body[4..<8].elementsEqual("moof".utf8))
            }
            #expect(got >= 4)
            publisher.kill()
        }
    }
}
