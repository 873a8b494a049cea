import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// Publishers that reconnect with different tracks. `Tests/Support/changing-publishers.py` tests all changes with
    /// all players.
    @Suite struct ChangingPublisherTests {
        private static func pusher(_ arguments: [String], to url: String) throws -> BackgroundProgram {
            try BackgroundProgram(
                "ffmpeg",
                ["-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-f", "lavfi", "-i"] + arguments
                    + ["-t", "120", "-f", "rtsp", "-rtsp_transport", "tcp", url])
        }

        private static func video(to url: String) throws -> BackgroundProgram {
            try pusher(["testsrc2=size=320x180:rate=25"] + BackgroundProgram.h264, to: url)
        }

        private static func audio(to url: String) throws -> BackgroundProgram {
            try pusher(["sine=frequency=440:sample_rate=48000"] + BackgroundProgram.aac, to: url)
        }

        /// Waits until the player has reached more packets of a stream.
        private static func expect(_ count: Int, more player: BackgroundProgram, stream: Int) async throws {
            func packets() -> Int { player.output.split(separator: "\n").count { $0.hasPrefix("\(stream),") } }
            let before = packets()
            _ = try await eventually(
                "\(count) packets of stream \(stream) more than \(before); \(player.errorOutput.suffix(500))"
            ) { packets() >= before + count ? true : nil }
        }

        /// The discontinuities of the channel so far: those that are listed, and those that have left the window.
        private static func discontinuities(_ load: Presentation) -> Int {
            let counts = load.renditions.map { rendition in
                let lines = rendition.playlist.text.split(separator: "\n")
                let sequence = lines.first { $0.hasPrefix("#EXT-X-DISCONTINUITY-SEQUENCE:") }?.split(separator: ":")
                    .last
                return lines.count { $0 == "#EXT-X-DISCONTINUITY" } + (sequence.flatMap { Int($0) } ?? 0)
            }
            return counts.max() ?? 0
        }

        /// ffmpeg requests gaps and ignores discontinuities; streams that it plays also work in players built on it.
        @Test func ffmpegGoesOnAndStartsWhateverThePublisherComesBackWith() async throws {
            let server = try await AntenaProcess.serving()
            let address = LiveTests.address(server)
            let url = server.origin + LiveTests.playlist
            var publisher = try BackgroundProgram.publisher(to: address)
            _ = try await LiveTests.window(of: server, count: 4)
            let player = try BackgroundProgram(
                "ffmpeg",
                [
                    "-hide_banner", "-loglevel", "error", "-nostdin", "-i", url, "-map", "0:v", "-map", "0:a", "-c",
                    "copy", "-flush_packets", "1", "-f", "framecrc", "-",
                ])
            try await Self.expect(25, more: player, stream: 0)
            for (push, packetCount) in [(Self.video, 75), (Self.audio, 6)] {
                let before = Self.discontinuities(
                    try await ConformanceClient(server: server).load(LiveTests.playlist))
                publisher.kill()
                publisher = try push(address)
                // New players come as soon as both pushes are listed: then the one before stays for almost a whole
                // window, however slowly a busy machine starts them.
                let load = try await eventually("both pushes are listed") {
                    let load = try await ConformanceClient(server: server).load(LiveTests.playlist)
                    return load.renditions.count == 2 && Self.discontinuities(load) > before ? load : nil
                }
                let seen = try await MediaClients.codecs(url)
                #expect(seen == ["h264", "aac"])
                #expect(HLSConformance.check(load).map(\.description) == [])
                #expect(load.renditions.allSatisfy { !$0.playlist.text.contains("EXT-X-GAP") })
                try await MediaClients.decode(url, seconds: 2)
                try await Self.expect(packetCount, more: player, stream: 0)
                try await Self.expect(100, more: player, stream: 1)
            }
            #expect(player.isRunning, "\(player.errorOutput)")
            player.kill()
            publisher.kill()
        }

        /// GStreamer's old `hlsdemux` interprets times in fMP4 as relative to its own start; it plays MPEG-TS at once.
        @Test func legacyPlaybinPlaysTransportStreamsOfAChannelThatHadPushesBefore() async throws {
            let server = try await AntenaProcess.serving()
            for _ in 0..<2 {
                let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
                defer { publisher.kill() }
                _ = try await LiveTests.window(of: server, count: 4)
                let player = try BackgroundProgram(
                    "gst-launch-1.0",
                    [
                        "-v", "playbin", "uri=\(server.origin)\(LiveTests.playlist)?format=ts",
                        "video-sink=fakesink sync=true silent=false name=pictures", "audio-sink=fakesink sync=true",
                    ])
                _ = try await eventually("50 frames: \(player.errorOutput.suffix(500))") {
                    let lines = player.output.split(separator: "\n")
                    return lines.count { $0.contains("pictures: last-message = chain") } >= 50 ? true : nil
                }
                player.kill()
            }
        }
    }
}
