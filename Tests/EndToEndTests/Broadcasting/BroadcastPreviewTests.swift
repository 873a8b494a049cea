import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The web page of `antena broadcast start --preview http://…`.
    @Suite struct BroadcastPreviewTests {
        /// Waits until the broadcast has printed the address of the page.
        private static func page(of broadcast: BackgroundProgram) async throws -> HTTPOrigin {
            try await eventually("a preview: \(broadcast.errorOutput)", within: 30) {
                guard let address = broadcast.output.firstMatch(of: /preview at http:\/\/127\.0\.0\.1:([0-9]+)\//),
                    let port = Int(address.1)
                else { return nil }
                return HTTPOrigin(port: port)
            }
        }

        private static func image(_ page: HTTPOrigin) async throws -> WebReply {
            try await eventually("an image", within: 30) {
                let reply = try await page.request("/preview.jpg")
                return reply.status == 200 ? reply : nil
            }
        }

        private static func start(_ server: AntenaProcess, _ source: [String]) throws -> BackgroundProgram {
            try BackgroundProgram(
                "env",
                [
                    "XDG_CONFIG_HOME=/nonexistent", AntenaProcess.executable, "broadcast", "start", "--json",
                    "--server", server.origin, "--rtsp", "rtsp://127.0.0.1:\(server.rtspPort)", "--channel",
                    "canalA", "--preview", "http://127.0.0.1:0",
                ] + source)
        }

        @Test func itIsAPageWithImagesThatMove() async throws {
            let server = try await AntenaProcess.serving()
            let broadcast = try Self.start(server, ["--test-card"])
            let page = try await Self.page(of: broadcast)
            let first = try await Self.image(page)
            #expect(first.headers["content-type"] == "image/jpeg")
            let size = try await Self.size(of: first, in: server.folder)
            #expect(size == "640,360", "the shape of the preset, no larger than the page")
            _ = try await eventually("another image", within: 20) {
                let next = try await page.request("/preview.jpg")
                return next.body != first.body ? true : nil
            }
            let status = try await eventually("it is live", within: 20) {
                let status = try await page.request("/status.json").json
                return status["state"] as? String == "live" ? status["videoBitrate"] as? Int : nil
            }
            #expect(status == 1_200_000)
            #expect(try await page.request("/").headers["content-type"] == "text/html; charset=utf-8")
            #expect(try await page.request("/else").status == 404)
        }

        @Test func keyFramesOfACopiedFileAreShown() async throws {
            let server = try await AntenaProcess.serving()
            let film = try server.folder.file("film.mp4")
            try await MediaClients.make(
                film, ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=8"] + BackgroundProgram.h264)
            let broadcast = try Self.start(server, ["--file", film, "--loop"])
            let first = try await Self.image(Self.page(of: broadcast))
            #expect(try await Self.size(of: first, in: server.folder) == "320,180")
            _ = try await eventually("nothing is encoded: \(broadcast.output)", within: 10) {
                broadcast.output.contains("H.264 320x180, copied") ? true : nil
            }
            let page = try await Self.page(of: broadcast)
            _ = try await eventually("another key frame", within: 20) {
                let next = try await page.request("/preview.jpg")
                return next.body != first.body ? true : nil
            }
        }

        private static func size(of image: WebReply, in folder: TemporaryDirectory) async throws -> String {
            let path = try folder.write(image.body, to: "preview.jpg")
            let probe = try await ExternalTool("ffprobe").run([
                "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path,
            ])
            return probe.text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
