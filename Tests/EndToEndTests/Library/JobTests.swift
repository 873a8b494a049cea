import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct JobTests {
        /// Makes a video in a codec that has to be converted, which takes seconds.
        private static func makeLongFilm(_ path: String) async throws {
            try await MediaClients.make(
                path,
                [
                    "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=20", "-c:v", "mpeg4", "-q:v", "5",
                    "-f", "matroska",
                ])
        }

        private static func derivedFiles(_ server: AntenaProcess) -> [String] {
            ["movies", "audio", "posters", "covers"].flatMap { name in
                (try? FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/data/\(name)")) ?? []
            }
        }

        private static func job(_ server: AntenaProcess, file: String) async throws -> [String: Any]? {
            try await server.items("/api/v1/jobs").first {
                $0["file"] as? String == file && $0["kind"] as? String == "title"
            }
        }

        @Test func aKillInTheMiddleOfAJobLosesNothingAndLeavesNothing() async throws {
            let server = try AntenaProcess(extraArguments: ["--jobs", "1"])
            for name in ["a", "b"] { try await Self.makeLongFilm(server.folder.file("media/vod/\(name).mkv")) }
            try await server.start()
            let id = try await eventually("a job reports its progress") {
                guard let job = try await Self.job(server, file: "a.mkv"), let progress = job["progress"] as? Double,
                    progress > 0
                else { return nil as String? }
                return job["id"] as? String
            }
            _ = try await eventually("the other job waits") {
                try await Self.job(server, file: "b.mkv")?["state"] as? String == "queued" ? true : nil
            }
            #expect(Self.derivedFiles(server).contains { $0.hasPrefix(".job-") }, "the worker's own folder")
            server.signal(SIGKILL)
            #expect(try await server.waitForExit(within: 10) == -SIGKILL)
            // Files of all kinds that no record refers to.
            try server.folder.write("stray", to: "data/movies/stray.mp4")
            try await server.start()
            for name in ["a.mkv", "b.mkv"] {
                #expect(try await server.ingested(name, within: 120).state == "ready")
            }
            let job = try await server.request("/api/v1/jobs/\(id)").json
            #expect(job["state"] as? String == "ready")
            #expect(job["attempt"] as? Int == 2)
            let files = try await eventually("the posters are made") {
                let files = Self.derivedFiles(server)
                return files.count == 4 && !files.contains { $0.hasPrefix(".") } ? files : nil
            }
            #expect(!files.contains("stray.mp4"))
        }

        @Test func aCancelledJobsWorkerEndsAndItsFilesGo() async throws {
            let server = try await AntenaProcess.serving { folder in
                try await Self.makeLongFilm(folder.file("media/vod/a.mkv"))
            }
            let id = try await eventually("a job reports its progress") {
                guard let job = try await Self.job(server, file: "a.mkv"), (job["progress"] as? Double ?? 0) > 0 else {
                    return nil as String?
                }
                return job["id"] as? String
            }
            let cancelled = try await server.request("/api/v1/jobs/\(id)", method: "DELETE")
            #expect(cancelled.status == 200)
            #expect(try cancelled.json["state"] as? String == "cancelled")
            #expect(Self.derivedFiles(server) == [])
            #expect(try await server.ingested("a.mkv").state == "cancelled")
            #expect(try await server.command(["status", "--server", server.origin]).text.contains("cancelled"))
            let retried = try await server.request(
                "/api/v1/jobs/\(id)/retry", method: "POST", headers: ["Content-Type": "application/json"], body: "{}")
            #expect(retried.status == 200)
            #expect(try await server.ingested("a.mkv", within: 120).state == "ready")
        }

        @Test func theVideoClubFollowsAnIngestByItself() async throws {
            let server = try await AntenaProcess.serving()
            let browser = try BrowserTests.drive(
                "\(server.origin)/videoclub",
                [
                    "--wait", "document.getElementById('jobs').hidden", "--say", "page is ready",
                    "--wait", "document.querySelector('#jobs li progress')?.value > 0",
                    "--wait", "document.querySelector('[data-title=\"a\"][href]') !== null",
                    "--wait", "document.getElementById('jobs').hidden",
                ])
            _ = try await eventually("the page is open: \(browser.errorOutput)", within: 60) {
                browser.output.contains("page is ready") ? true : nil
            }
            try await Self.makeLongFilm(server.folder.file("media/vod/a.mkv"))
            try await BrowserTests.expectSuccess(browser)
        }

        @Test func listenersMakeRoomWhenTheyGoAndDoNotHoldTheServerUp() async throws {
            let server = try await AntenaProcess.serving()
            let port = server.httpPort
            @Sendable func listen() throws -> (connection: TCPConnection, status: String) {
                let connection = try TCPConnection(port: port)
                try connection.send("GET /api/v1/jobs/events HTTP/1.1\r\nHost: h\r\n\r\n")
                return (connection, String(try connection.read(until: "\r\n\r\n").prefix(12)))
            }
            let refused = try await offCooperativePool {
                let listeners = try (0...256).map { _ in try listen() }
                return listeners.filter { $0.status == "HTTP/1.1 503" }.count
            }
            // One address has 64 of the 256 places.
            #expect(refused == 257 - 64)
            let last = try await eventually("there is room again", within: 10) {
                let last = try await offCooperativePool { try listen() }
                return last.status == "HTTP/1.1 200" ? last : nil
            }
            let clock = ContinuousClock()
            let start = clock.now
            server.signal(SIGTERM)
            #expect(try await server.waitForExit(within: 5) == 0)
            #expect(clock.now - start < .seconds(3))
            withExtendedLifetime(last) {}
        }

        @Test func eventsFollowAJobFromItsComingToItsEnd() async throws {
            let server = try await AntenaProcess.serving()
            let port = server.httpPort
            async let text = offCooperativePool {
                let connection = try TCPConnection(port: port)
                try connection.send("GET /api/v1/jobs/events HTTP/1.1\r\nHost: h\r\n\r\n")
                let head = try connection.read(until: "retry: 2000\n\n")
                return try head + connection.read(until: "\"state\":\"ready\"")
            }
            try await Self.makeLongFilm(server.folder.file("media/vod/a.mkv"))
            let events = try await text
            #expect(events.lowercased().contains("content-type: text/event-stream"))
            for state in ["queued", "transcoding"] { #expect(events.contains("\"state\":\"\(state)\"")) }
            #expect(events.contains(/"progress":0\.\d+/))
        }
    }
}
