import Foundation
import Glibc
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct LiveWorkerTests {
        /// The live workers of a server, by their process IDs.
        static func workers(of server: AntenaProcess) throws -> [Int32] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { process in
                guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
                    let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
                else { return false }
                return line.contains("live-worker") && status.contains("PPid:\t\(server.processIdentifier)\n")
            }
        }

        /// The number of segments so far.
        private static func segmentCount(_ server: AntenaProcess, _ rendition: String) async throws -> Int {
            let url = "\(server.origin)/live/canalA.stream/\(rendition).m3u8"
            let document = PlaylistDocument(try await ConformanceClient(server: server).playlist(url))
            return document.mediaSequence + document.segments.count
        }

        @Test func aKilledLiveWorkerCostsItsTrackAMoment() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(
                to: LiveTests.address(server), audioCodec: ["-c:a", "pcm_mulaw", "-ar", "8000", "-ac", "1"])
            _ = try await LiveTests.window(of: server, count: 3)
            let first = try #require(try Self.workers(of: server).first, "no live worker")
            // The decoder of an untrusted stream is confined: no new privileges, filtered system calls.
            let status = try String(contentsOfFile: "/proc/\(first)/status", encoding: .utf8)
            #expect(status.contains("NoNewPrivs:\t1\n") && status.contains("Seccomp:\t2\n"))
            #expect(Glibc.kill(first, SIGKILL) == 0)
            let killedAt = try await Self.segmentCount(server, "video")
            let second = try await eventually("another live worker; the server's log: \(server.log.suffix(1_500))") {
                try Self.workers(of: server).first { $0 != first }
            }
            #expect(second != first)
            for rendition in ["video", "audio"] {
                _ = try await eventually("\(rendition) goes on; the server's log: \(server.log.suffix(1_500))") {
                    try await Self.segmentCount(server, rendition) >= killedAt + 4 ? true : nil
                }
            }
            let url = server.origin + LiveTests.playlist
            #expect(try await MediaClients.codecs(url) == ["h264", "aac"])
            try await MediaClients.decode(url, seconds: 2)
            #expect(server.log.contains("live worker exited; restarting it"))
            #expect(publisher.isRunning, "\(publisher.errorOutput)")
            publisher.kill()
            _ = try await eventually("the worker ends with the push") {
                try Self.workers(of: server).isEmpty ? true : nil
            }
        }

        /// One picture of the channel for all who look, made by a confined process, which counts no viewer.
        @Test func theThumbnailOfAChannelIsItsCurrentPicture() async throws {
            let server = try await AntenaProcess.serving()
            let path = "/live/canalA/thumbnail.jpg"
            #expect(try await server.web.request(path).status == 404)
            #expect(try await server.web.request("/live/nobody/thumbnail.jpg").status == 404)
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            let picture = try await eventually("a picture; the server's log: \(server.log.suffix(1_500))") {
                let answer = try await server.web.request(path)
                return answer.status == 200 ? answer : nil
            }
            #expect(picture.headers["content-type"] == "image/jpeg")
            #expect(picture.headers["cache-control"] == "public, max-age=5, s-maxage=5")
            #expect(picture.body.starts(with: [0xFF, 0xD8]) && picture.body.count > 1_000)
            let worker = try #require(try Self.workers(of: server).first)
            let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
            #expect(status.contains("NoNewPrivs:\t1\n") && status.contains("Seccomp:\t2\n"))
            #expect(try await server.web.request("/live/canalA.stream/thumbnail.jpg").status == 200)
            #expect(try await server.request("/api/v1/channels/canalA").json["viewers"] as? Int == 0)
            let page = try await server.web.request("/directo").text
            #expect(page.contains("data-playlist=\"/live/canalA.stream/playlist.m3u8?ll=1\""))
            publisher.kill()
            _ = try await eventually("no picture of a channel that is off the air") {
                try await server.web.request(path).status == 404 ? true : nil
            }
        }
    }
}
