import DASHConformance
import Foundation
import TestSupport
import Testing
import XMLDocument

extension EndToEnd {
    /// Titles and channels by DASH, read by ffmpeg and by a reader of our own.
    @Suite struct DASHTests {
        private static let manifest = "/live/canalA.stream/manifest.mpd"

        /// Fetches a segment that is being made, and once more when it is complete.
        private static func expectGrowth(of address: String, _ server: AntenaProcess) async throws {
            let path = "/live/canalA.stream/\(address)"
            let name = address.replacing("/", with: "-")
            let (file, head) = (try server.folder.file("body-\(name)"), try server.folder.file("head-\(name)"))
            _ = try await ExternalTool("curl").run(["-sS", "-D", head, "-o", file, server.origin + path])
            let fields = try String(contentsOfFile: head, encoding: .utf8).lowercased()
            #expect(fields.contains("200 ok") && fields.contains("transfer-encoding: chunked"), "\(fields)")
            let later = try await server.web.request(path)
            let body = [UInt8](try Data(contentsOf: URL(filePath: file)))
            #expect(later.headers["content-length"] == "\(body.count)" && later.body == body, "\(address)")
            #expect(fields.contains("etag: \(later.headers["etag"] ?? "-")"))
        }

        private static func load(_ server: AntenaProcess, _ path: String) async throws -> ManifestDocument {
            let reply = try await server.web.request(path)
            try #require(reply.status == 200, "\(path): \(reply.text)")
            #expect(reply.headers["content-type"] == "application/dash+xml")
            return try ManifestDocument(parsing: reply.text)
        }

        /// The same frames as the file, one set for each language, and the files of the subtitles.
        @Test func aTitleIsTheSameByDASH() async throws {
            let server = try await AntenaProcess.serving { folder in
                let source = try await MovieFixture.bFrames.path()
                try await MediaClients.make(
                    folder.file("media/vod/film.mp4"),
                    [
                        "-i", source, "-map", "0:v", "-map", "0:a", "-map", "0:a", "-c:v", "copy", "-c:a", "aac",
                        "-metadata:s:a:0", "language=spa", "-metadata:s:a:1", "language=eng",
                    ])
                try folder.write("1\n00:00:01,000 --> 00:00:02,000\nuno\n", to: "media/vod/film.es.srt")
            }
            let title = try await server.ingested("film.mp4")
            let path = "/vod/\(title.id)/manifest.mpd"
            let document = try await Self.load(server, path)
            let renditions = try #require(document.periods.first).renditions
            #expect(!document.isLive && document.periods.count == 1)
            #expect(renditions.map(\.content) == ["video", "audio", "audio", "text"])
            #expect(renditions.dropFirst().map { $0.adaptationSet["lang"] } == ["es", "en", "es"])
            let subtitles = try #require(renditions.last?.file)
            #expect(try await server.web.request("/vod/\(title.id)/\(subtitles)").text.contains("uno"))
            let duration = try #require(document.seconds("mediaPresentationDuration"))
            for rendition in renditions where rendition.file == nil {
                #expect(abs((rendition.segments.last?.end ?? 0) - duration) < 0.1, "\(rendition.id)")
                for segment in rendition.segments {
                    let reply = try await server.web.request("/vod/\(title.id)/\(segment.address)", method: "HEAD")
                    #expect(reply.status == 200, "\(segment.address)")
                }
            }
            let expected = try await MediaClients.frames("\(server.folder.path)/media/vod/film.mp4")
            let actual = try await MediaClients.frames(server.origin + path)
            #expect(actual.map(\.digest) == expected.map(\.digest))
            #expect(
                zip(actual, expected).allSatisfy { abs($0.time - $1.time) < 0.001 }, "frames keep their times")
        }

        @Test func aChannelIsTheSameByDASHAndGrows() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 3)
            // Segments that have just begun, so that they are still being made when they are asked for.
            let document = try await eventually("segments begin", within: 20) {
                let document = try await Self.load(server, Self.manifest)
                let begin = try #require(document.availabilityStart)
                let newest = document.periods.last?.renditions.compactMap(\.segments.last) ?? []
                let age = newest.map { Date().timeIntervalSince1970 - begin - $0.start }.max() ?? .infinity
                return newest.count == 2 && age < 1 ? document : nil
            }
            let renditions = try #require(document.periods.last).renditions
            #expect(document.isLive && renditions.map(\.content) == ["video", "audio"])
            // The last segment is sent while it is made, and is the same afterwards; both at once, because one lasts no
            // longer than the other.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for address in renditions.compactMap(\.segments.last?.address) {
                    group.addTask { try await Self.expectGrowth(of: address, server) }
                }
                try await group.waitForAll()
            }
            // What it says about the time is what the server thinks.
            let clock = try #require(document.root.children.last?.attributes["value"])
            let time = try await server.web.request(clock).text
            let now = try #require(try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            #expect(abs(now.timeIntervalSinceNow) < 5)
            let edge = try #require(document.availabilityStart) + (renditions[0].segments.last?.start ?? 0)
            #expect(abs(now.timeIntervalSince1970 - edge) < 30)
            #expect(try await MediaClients.codecs(server.origin + Self.manifest) == ["h264", "aac"])
            try await MediaClients.decode(server.origin + Self.manifest, seconds: 4)
            #expect(publisher.isRunning, "\(publisher.errorOutput)")
            publisher.kill()
        }
    }
}
