import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct SlateTests {
        /// Waits until the player has shown `count` more frames than now.
        private static func expectFrames(_ count: Int, more player: BackgroundProgram) async throws {
            func frames() -> Int { player.output.split(separator: "\n").count { $0.hasPrefix("0,") } }
            let before = frames()
            _ = try await eventually("\(count) frames more than \(before); \(player.errorOutput.suffix(500))") {
                frames() >= before + count ? true : nil
            }
        }

        @Test(arguments: ["", "clip.mkv"])
        func playersGoOnWhileThePublisherIsAway(_ file: String) async throws {
            let field = file.isEmpty ? "" : #", "slate": "\#(file)""#
            let server = try AntenaProcess(channelFields: ["canalA": #""onLoss": "slate"\#(field)"#])
            if !file.isEmpty {
                try await MediaClients.make(
                    "\(server.folder.path)/media/vod/\(file)",
                    ["-f", "lavfi", "-i", "mandelbrot=size=640x480:rate=30", "-t", "3", "-c:v", "libx264"])
            }
            try await server.start()
            let first = try BackgroundProgram.publisher(to: LiveTests.address(server))
            let before = try await LiveTests.window(of: server, count: 3)
            var histories = before.renditions.map { rendition in
                var history = LivePlaylistHistory()
                history.add(rendition.playlist)
                return history
            }
            let player = try BackgroundProgram(
                "ffmpeg",
                [
                    "-hide_banner", "-loglevel", "error", "-nostdin", "-i", server.origin + LiveTests.playlist,
                    "-map", "0:v", "-fps_mode", "passthrough", "-flush_packets", "1", "-f", "framemd5", "-",
                ])
            try await Self.expectFrames(25, more: player)
            first.kill()
            _ = try await eventually("the slate; the server's log: \(server.log.suffix(1_500))") {
                let status = try await server.request("/api/v1/channels/canalA").json
                return status["slate"] as? Bool == true && status["state"] as? String == "interrupted" ? true : nil
            }
            let sequence = histories.first?.lastSequenceNumber ?? 0
            let load = try await eventually("segments of the slate; the server's log: \(server.log.suffix(1_500))") {
                let load = try await ConformanceClient(server: server).load(LiveTests.playlist)
                for (index, rendition) in load.renditions.enumerated() where histories.indices.contains(index) {
                    histories[index].add(rendition.playlist)
                }
                return histories.allSatisfy { ($0.lastSequenceNumber ?? 0) >= sequence + 5 } ? load : nil
            }
            #expect(HLSConformance.check(load).map(\.description) == [])
            try await Self.expectFrames(75, more: player)
            let second = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await eventually("the publisher; the server's log: \(server.log.suffix(1_500))") {
                try await server.channelState("canalA") == "live" ? true : nil
            }
            _ = try await eventually("the push is seen") {
                let load = try await ConformanceClient(server: server).load(LiveTests.playlist)
                for (index, rendition) in load.renditions.enumerated() where histories.indices.contains(index) {
                    histories[index].add(rendition.playlist)
                }
                let documents = load.renditions.map { PlaylistDocument($0.playlist) }
                return documents.allSatisfy { ($0.discontinuities.max() ?? 0) > sequence + 3 } ? true : nil
            }
            try await Self.expectFrames(150, more: player)
            #expect(player.isRunning, "\(player.errorOutput)")
            player.kill()
            // The player reads only the first initialization section.
            #expect(!player.errorOutput.contains("h264"), "no frame is garbage: \(player.errorOutput.suffix(500))")
            #expect(histories.flatMap(\.findings).map(\.description) == [])
            #expect(second.isRunning, "\(second.errorOutput)")
            second.kill()
        }
    }
}
