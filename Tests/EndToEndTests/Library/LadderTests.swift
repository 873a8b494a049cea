import DatabaseTestSupport
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
    /// The ladder of a title, encoded by the real program; on both engines in turn, because encoding takes long.
    @Suite struct LadderTests {
        private static let presets = """
            { "medium": { "width": 160, "height": 90, "frameRate": 30, "videoBitrate": 200000, "audioBitrate": 96000 },
              "low": { "width": 96, "height": 54, "frameRate": 30, "videoBitrate": 80000, "audioBitrate": 64000 } }
            """

        /// Films that are made once for all tests, keyed by their duration in seconds.
        private static let films = Mutex<[Int: TemporaryDirectory]>([:])

        private static func film(seconds: Int) async throws -> String {
            if let known = films.withLock({ $0[seconds] }) { return try known.file("film.mp4") }
            let folder = try TemporaryDirectory.untilExit(label: "film")
            let path = try folder.file("film.mp4")
            try await MediaClients.make(
                path,
                [
                    "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=\(seconds)", "-f", "lavfi", "-i",
                    "sine=duration=\(seconds):sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast", "-b:v",
                    "900k", "-pix_fmt", "yuv420p", "-g", "50", "-bf", "2", "-c:a", "aac",
                ])
            films.withLock { $0[seconds] = folder }
            return path
        }

        /// - Parameters:
        ///   - more: further members of the configuration.
        ///   - seconds: the duration of the video.
        private static func server(_ more: String = "", seconds: Int = 24) async throws -> AntenaProcess {
            let server = try AntenaProcess()
            try server.folder.write(
                """
                { "presets": \(presets)\(more), "channels": [
                    { "name": "canalA", "title": "A", "defaultPreset": "medium", "presets": ["medium"] } ] }
                """, to: "channels.json")
            try FileManager.default.copyItem(
                atPath: await film(seconds: seconds), toPath: server.folder.file("media/vod/film.mp4"))
            try await server.start()
            #expect(try await server.ingested("film.mp4").state == "ready")
            return server
        }

        private struct Status: Sendable {
            var state: String
            var error: String?
            var job: String?
        }

        private static func status(_ server: AntenaProcess) async throws -> Status {
            let json = try await server.request("/api/v1/titles/film/transcode").json
            return Status(
                state: json["state"] as? String ?? "", error: json["error"] as? String, job: json["job"] as? String)
        }

        @discardableResult
        private static func settled(_ server: AntenaProcess) async throws -> Status {
            try await eventually("the ladder settles", within: 120) {
                let status = try await status(server)
                return ["ready", "failed"].contains(status.state) ? status : nil
            }
        }

        private static func ask(_ server: AntenaProcess, _ presets: String) async throws -> WebReply {
            try await server.request(
                "/api/v1/titles/film/transcode", method: "POST", headers: ["Content-Type": "application/json"],
                body: "{\"presets\": [\(presets)]}")
        }

        private static func files(_ server: AntenaProcess) -> [String] {
            let folder = "\(server.folder.path)/data/ladders"
            return ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).sorted()
        }

        private static func variants(_ server: AntenaProcess) async throws -> [String] {
            try await server.request("/vod/film/playlist.m3u8").text.split(separator: "\n").map(String.init)
                .filter { $0.hasSuffix(".m3u8") }
        }

        @Test func aTitleIsOfferedInTheQualitiesThatACommandNames() async throws {
            let server = try await Self.server()
            let result = try await server.command(
                ["transcode", "--server", server.origin, "film.mp4", "--presets", "low,medium"], deadline: 120)
            #expect(result.status == 0, "\(result.text) \(result.errorOutput)")
            #expect(result.text.contains("ready: medium (160x90, 200 kbit/s), low (96x54, 80 kbit/s)"))
            let variants = try await Self.variants(server)
            #expect(variants.count == 3)
            #expect(variants.contains("video.m3u8"))
            try await server.expectConformance(of: "/vod/film/playlist.m3u8")
            let source = server.folder.path + "/media/vod/film.mp4"
            let audio = try await MediaClients.audioPacketDigests(source)
            #expect(try await MediaClients.audioPacketDigests(server.origin + "/vod/film/playlist.m3u8") == audio)
            // Segments start and end together in all renditions.
            var durations: Set<String> = []
            for variant in variants {
                let text = try await server.request("/vod/film/\(variant)").text
                durations.insert(text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF") }.joined())
                #expect(try await MediaClients.frameDigests(server.origin + "/vod/film/\(variant)").count == 600)
            }
            #expect(durations.count == 1)
            #expect(!Self.files(server).contains { $0.contains("chunks") })
            // The source's own frames are unchanged.
            #expect(
                try await MediaClients.frameDigests(server.origin + "/vod/film/video.m3u8")
                    == MediaClients.frameDigests(source))

            // New renditions replace them.
            let before = Set(variants)
            #expect(try await Self.ask(server, "\"low\"").status == 202)
            try await Self.settled(server)
            // Viewers who have just opened the title may get the previous version for a moment.
            let after = try await eventually("the other qualities are offered") {
                let variants = Set(try await Self.variants(server))
                return variants.count == 2 ? variants : nil
            }
            #expect(after.intersection(before) == ["video.m3u8"])
            #expect(Self.files(server).filter { $0.hasSuffix(".mp4") }.count == 1)

            let dropped = try await server.request("/api/v1/titles/film/transcode", method: "DELETE")
            #expect(try dropped.json["state"] as? String == "none")
            #expect(Self.files(server) == [])
            _ = try await eventually("it is as before") {
                try await Self.variants(server) == ["video.m3u8"] ? true : nil
            }
        }

        @Test(.engine(.postgreSQL)) func aKillCostsNoMoreThanWhatWasBeingDone() async throws {
            let server = try await Self.server(seconds: 150)
            #expect(try await Self.ask(server, "\"low\", \"medium\"").status == 202)
            let done = try await eventually("two chunks are there", within: 60) {
                let files = Self.files(server).filter { $0.hasSuffix(".mp4") && $0.contains("chunks/") }
                return files.count >= 4 ? files : nil
            }
            let job = try #require(try await Self.status(server).job)
            #expect(try await server.web.request("/videoclub").text.contains("data-job=\"\(job)\""))
            let folder = "\(server.folder.path)/data/ladders/"
            let times = done.map { Self.modificationTime(folder + $0) }
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 10)
            try await server.start()
            _ = try await eventually("it goes on", within: 60) {
                try await Self.status(server).state == "transcoding" ? true : nil
            }
            #expect(try await Self.status(server).job == job)
            // Existing chunks are not encoded again.
            #expect(done.map { Self.modificationTime(folder + $0) } == times)
            let status = try await Self.settled(server)
            #expect(status.state == "ready", "\(status.error ?? "")")
            let entry = try await server.request("/api/v1/jobs/\(job)").json
            #expect(entry["kind"] as? String == "ladder" && entry["state"] as? String == "ready")
            #expect(entry["attempt"] as? Int == 2 && entry["resource"] as? String == "/api/v1/titles/film")
            for variant in try await Self.variants(server) {
                #expect(try await MediaClients.frameDigests(server.origin + "/vod/film/\(variant)").count == 3750)
            }
            #expect(!Self.files(server).contains { $0.contains(".part") || $0.contains("chunks") })
            // The next start serves the existing ladder.
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 10)
            try await server.start()
            _ = try await eventually("the ladder is served again") {
                try await Self.variants(server).count == 3 ? true : nil
            }
        }

        private static func modificationTime(_ path: String) -> Int {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec : 0
        }

        @Test func whatIsBeingMadeCanBeCancelled() async throws {
            let server = try await Self.server(seconds: 150)
            #expect(try await Self.ask(server, "\"medium\"").status == 202)
            _ = try await eventually("a worker works") {
                Self.files(server).contains { $0.hasSuffix(".part") } ? true : nil
            }
            let dropped = try await server.request("/api/v1/titles/film/transcode", method: "DELETE")
            #expect(try dropped.json["state"] as? String == "cancelled")
            #expect(!Self.files(server).contains { $0.contains(".mp4") || $0.contains("chunks") })
            #expect(try await Self.variants(server) == ["video.m3u8"])
        }

        @Test(.engine(.postgreSQL)) func aJobIsCancelledAndRetriedByItsNumber() async throws {
            let server = try await Self.server(seconds: 150)
            #expect(try await Self.ask(server, "\"low\"").status == 202)
            let job = try await eventually("a worker works") {
                let status = try await Self.status(server)
                return status.state == "transcoding" ? status.job : nil
            }
            let cancelled = try await server.request("/api/v1/jobs/\(job)", method: "DELETE").json
            #expect(cancelled["state"] as? String == "cancelled")
            #expect(try await Self.status(server).state == "cancelled")
            #expect(!Self.files(server).contains { $0.contains(".mp4") })
            let retried = try await server.request(
                "/api/v1/jobs/\(job)/retry", method: "POST", headers: ["Content-Type": "application/json"])
            #expect(retried.status == 200)
            #expect(try await Self.settled(server).state == "ready")
            #expect(try await Self.variants(server).count == 2)
        }

        @Test func aTitleThatBecomesAnotherOneLosesItsQualities() async throws {
            let server = try await Self.server()
            #expect(try await Self.ask(server, "\"low\"").status == 202)
            try await Self.settled(server)
            try FileManager.default.removeItem(atPath: server.folder.path + "/media/vod/film.mp4")
            _ = try await eventually("its qualities go with it", within: 20) {
                Self.files(server).isEmpty ? true : nil
            }
        }

        @Test(.engine(.postgreSQL)) func everyTitleGetsWhatTheConfigurationSays() async throws {
            let server = try await Self.server(", \"ladder\": [\"low\"]")
            let status = try await Self.settled(server)
            #expect(status.state == "ready", "\(status.error ?? "")")
            #expect(try await Self.variants(server).count == 2)
        }

        @Test func requestsThatMakeNoSenseAreRefused() async throws {
            let server = try await Self.server()
            for (body, status) in [
                ("{\"presets\": []}", 400), ("{\"presets\": [\"huge\"]}", 422), ("{\"presets\": \"low\"}", 400),
                ("{", 400),
            ] {
                let reply = try await server.request(
                    "/api/v1/titles/film/transcode", method: "POST", headers: ["Content-Type": "application/json"],
                    body: body)
                #expect(reply.status == status, "\(body)")
            }
            #expect(try await server.request("/api/v1/titles/nothing/transcode").status == 404)
        }
    }
}
