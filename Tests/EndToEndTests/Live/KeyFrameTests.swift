import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct KeyFrameTests {
        /// There is a key frame every 8 s: the first segments are cut at 6 s, and the second push benefits from the
        /// learned distance.
        @Test func aLongGroupOfPicturesIsReportedAndLearned() async throws {
            let server = try AntenaProcess()
            try server.folder.write(
                AntenaProcess.channelsFile().replacing(#""targetDuration": 2"#, with: #""targetDuration": "auto""#),
                to: "channels.json")
            try await server.start()
            let codec = BackgroundProgram.h264.map { $0 == "25" ? "200" : $0 }
            let first = try BackgroundProgram.publisher(to: LiveTests.address(server), videoCodec: codec)
            let notice = try await eventually("gopTooLong; the server's log: \(server.log.suffix(1_500))", within: 40) {
                let status = try await server.request("/api/v1/channels/canalA").json
                let found = status["gopTooLong"] as? [String: Any]
                // The distance is known after the second key frame.
                guard let distance = found?["keyFrameDistance"] as? Double else { return nil as [String]? }
                return ["\(distance.rounded())", found?["advice"] as? String ?? ""]
            }
            #expect(notice.first == "8.0")
            #expect(notice.last?.hasPrefix("set the encoder to a key frame every 1 s: a key-frame interval") == true)
            let table = try await server.command(["status", "--server", server.origin])
            #expect(table.text.contains("gopTooLong"), "\(table.text)")
            first.kill()
            _ = try await eventually("the push has ended") {
                try await server.channelState("canalA") == "interrupted" ? true : nil
            }
            // No playlist has been requested so far.
            let second = try BackgroundProgram.publisher(to: LiveTests.address(server), videoCodec: codec)
            let text = try await eventually("a playlist; the server's log: \(server.log.suffix(1_500))", within: 40) {
                try await server.channelState("canalA") == "live"
                    ? try await server.request("/live/canalA.stream/video.m3u8?ll=0").text : nil
            }
            #expect(text.contains("#EXT-X-TARGETDURATION:8\n"), "\(text)")
            let status = try await server.request("/api/v1/channels/canalA").json
            #expect(status["gopTooLong"] == nil)
            second.kill()
        }
    }
}
