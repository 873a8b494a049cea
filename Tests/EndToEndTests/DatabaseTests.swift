import Catalogue
import Database
import DatabaseTestSupport
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A server whose catalogue is on PostgreSQL.
    @Suite struct DatabaseTests {
        private let database: PostgreSQLTestServer

        init() async throws { database = try await PostgreSQLTestServer() }

        private func serving() async throws -> AntenaProcess {
            let server = try AntenaProcess(extraArguments: ["--database", database.url])
            let source = try await MovieFixture.bFrames.path()
            try FileManager.default.copyItem(atPath: source, toPath: server.folder.file("media/vod/film.mp4"))
            try await server.start()
            return server
        }

        private func isOnAir(_ server: AntenaProcess) async throws -> Bool {
            let reply = try await server.request("/live/canalA.stream/video.m3u8")
            return reply.status == 200 && reply.text.contains("#EXTINF")
        }

        /// Killed, or standing still: what needs no database goes on, what needs it says so, and both come back by
        /// themselves.
        @Test(arguments: [true, false])
        func viewersStayWhileTheDatabaseIsAway(isKilled: Bool) async throws {
            let server = try await serving()
            let title = try await server.ingested("film.mp4")
            #expect(title.state == "ready")
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            try await eventually { try await isOnAir(server) }
            #expect(try await server.request(title.playlist).status == 200)

            if isKilled { database.kill() } else { database.pause() }
            let before = try await server.request("/live/canalA.stream/video.m3u8").text
            let refused = try await eventually("a request that needs the database is refused") {
                let reply = try await server.request("/api/v1/titles")
                return reply.status == 503 ? reply : nil
            }
            #expect(refused.headers["retry-after"] == "2")
            #expect(refused.text.contains("the database does not answer"))
            for path in ["/videoclub", "/api/v1/titles/film", "/radio/song/file", "/readyz"] {
                let reply = try await server.request(path)
                #expect(reply.status == 503, "\(path)")
                #expect(!reply.text.contains(database.url), "nothing is told about the address")
            }
            let described = try await ExternalTool("ffprobe").run(
                ["-v", "error", "-rtsp_transport", "tcp", "rtsp://127.0.0.1:\(server.rtspPort)/vod/other"],
                requiringSuccess: false)
            #expect(described.errorOutput.contains("503"), "\(described.errorOutput)")
            // Longer than titles are cached without being looked up.
            let end = ContinuousClock.now + .seconds(5)
            try await eventually("titles play without being looked up", every: .seconds(1)) {
                let status = try await server.request(title.playlist).status
                #expect(status == 200)
                return ContinuousClock.now > end ? () : nil
            }
            try await eventually { try await server.request("/live/canalA.stream/video.m3u8").text != before }
            #expect(publisher.isRunning)
            // A file that comes meanwhile is not lost.
            let source = try await MovieFixture.noBFrames.path()
            try FileManager.default.copyItem(atPath: source, toPath: server.folder.file("media/vod/second.mp4"))

            if isKilled { try await database.start() } else { database.resume() }
            #expect(try await server.ingested("second.mp4").state == "ready")
            #expect(try await server.request("/readyz").status == 200)
            publisher.kill()
        }

        @Test func aDatabaseIsCopiedToAnotherEngineAndChecked() async throws {
            let source = try await MovieFixture.bFrames.path()
            let first = try await AntenaProcess.serving { folder in
                try FileManager.default.copyItem(atPath: source, toPath: folder.file("media/vod/film.mp4"))
            }
            let title = try await first.ingested("film.mp4")
            first.signal(SIGTERM)
            #expect(try await first.waitForExit(within: 20) == 0)

            let file = "sqlite:\(first.folder.path)/data/catalogue.sqlite"
            let copy = try await AntenaProcess.command(["database", "copy", "--from", file, "--to", database.url])
            #expect(copy.status == 0, "\(copy.errorOutput)")
            #expect(copy.text.contains("title: 1 rows, verified"))
            let check = try await AntenaProcess.command(["database", "check", "--database", database.url])
            #expect(check.status == 0 && check.text.contains("no problems found"), "\(check)")
            let again = try await AntenaProcess.command(["database", "copy", "--from", file, "--to", database.url])
            #expect(again.status == 1 && again.errorOutput.contains("is not empty"), "\(again.errorOutput)")

            let second = try AntenaProcess(extraArguments: ["--database", database.url], folder: first.folder)
            try await second.start()
            #expect(try await second.request(title.playlist).status == 200)
        }

        @Test func aCopyThatIsKilledGoesOn() async throws {
            let folder = try TemporaryDirectory(label: "copy")
            let file = "sqlite:\(folder.path)/catalogue.sqlite"
            try await Self.fill(try DatabaseAddress(parsing: file), count: 20_000)
            let arguments = ["database", "copy", "--from", file, "--to", database.url]
            let first = try BackgroundProgram("env", [AntenaProcess.executable] + arguments)
            try await eventually { first.errorOutput.contains("title: 2000 of 20000 rows") }
            first.kill()
            let target = try await DatabaseAddress(parsing: database.url).open()
            let copied: Int64? = try await target.read { db in try db.firstValue("SELECT count(*) FROM title") }
            #expect((2_000..<20_000).contains(copied ?? 0), "the copy was killed in the middle")

            let second = try await AntenaProcess.command(arguments)
            #expect(second.status == 0, "\(second.errorOutput)")
            #expect(second.text.contains("title: 20000 rows, verified"))
            #expect(!second.errorOutput.contains("title: 1000 of 20000 rows"), "it goes on where it was")
        }

        private static func fill(_ address: DatabaseAddress, count: Int) async throws {
            _ = try Catalogue.open(address)
            let source = try await address.open()
            try await source.write { db in
                try db.execute(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                    INSERT INTO title(id, title, file, sourcePath, state, byteCount, modifiedAt, revision, addedAt)
                    SELECT 't' || i, 'Title ' || i, 'f' || i, '/f', 'failed', 1, '2026-01-01 00:00:00.000', 'r',
                        '2026-01-01 00:00:00.000' FROM n
                    """)
            }
            await source.close()
        }

        @Test func aMissingDatabaseIsNotCreatedByACheck() async throws {
            let folder = try TemporaryDirectory(label: "check")
            let result = try await AntenaProcess.command(["database", "check", "--data", folder.path])
            #expect(result.status == 1)
            #expect(result.errorOutput.contains("there is no database \(folder.path)/catalogue.sqlite"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }

        @Test func aPasswordInAnAddressIsNotShown() async throws {
            let server = try AntenaProcess(
                extraArguments: ["--database", "postgres://ana:hunter2@127.0.0.1/x?pool=none"])
            let result = try await AntenaProcess.command(server.arguments)
            #expect(result.status != 0)
            #expect(result.errorOutput.contains("`pool` in the database address must be a number"))
            #expect(!result.errorOutput.contains("hunter2"))
        }
    }
}
