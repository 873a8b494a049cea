import Foundation
import Glibc
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct LiveWorkerTests {
        private static func workers(of server: AntenaProcess) throws -> [Int32] {
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
    }
}
