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
                // Pages take no token.
                let reply =
                    path == "/videoclub" ? try await server.web.request(path) : try await server.request(path)
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

            let second = try await AntenaProcess.command(arguments, deadline: 240)
            #expect(second.status == 0, "\(second.errorOutput)")
            #expect(second.text.contains("title: 20000 rows, verified"))
            #expect(!second.errorOutput.contains("title: 1000 of 20000 rows"), "it goes on where it was")
        }

        /// The migration waits for a lock when the server is killed: nothing of it stays, and the next start completes
        /// it.
        @Test func aMigrationOnPostgreSQLThatIsKilledLeavesNothing() async throws {
            let address = try DatabaseAddress(parsing: database.url)
            let administrator = try await Self.firstVersion(address, count: 1_000)
            let server = try AntenaProcess(extraArguments: ["--database", database.url])
            let lock = LockHolder()
            let holder = Task {
                try await administrator.write(durability: .onDisk, within: .seconds(60)) { db in
                    // The last table that the migration changes.
                    try db.execute("LOCK TABLE audioTrack IN ACCESS SHARE MODE")
                    lock.hold()
                }
            }
            try await lock.waitUntilHeld()
            let first = try BackgroundProgram("env", [AntenaProcess.executable] + server.arguments)
            try await eventually("the migration waits") {
                try await administrator.read { db in
                    try db.exists("SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'")
                } ? () : nil
            }
            first.kill()
            try await eventually { !first.isRunning }
            lock.release()
            try await holder.value
            try await eventually("the killed server's transaction ends") {
                try await administrator.read { db in
                    try db.exists("SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock'")
                } ? nil : ()
            }
            #expect(
                try await administrator.read { db in
                    try !db.exists("SELECT 1 FROM information_schema.columns WHERE column_name = 'words'")
                        && !db.exists("SELECT 1 FROM schemaMigration WHERE version = 2")
                })
            try await server.start()
            #expect(try await server.items("/api/v1/titles?q=strasse").count == 1)
            let check = try await AntenaProcess.command(["database", "check", "--database", database.url])
            #expect(check.text.contains("no problems found"), "\(check)")
        }

        /// Killed in the middle of a transaction that rewrites many rows: they are as before, a backup is there, and
        /// the next start completes the migration.
        @Test func aMigrationOnSQLiteThatIsKilledLeavesNothing() async throws {
            let server = try AntenaProcess()
            let path = "\(server.folder.path)/data/catalogue.sqlite"
            try await Self.earlierFile(path, count: 30_000)
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            let first = try BackgroundProgram("env", [AntenaProcess.executable] + server.arguments)
            // Pages that do not fit into the cache are written to the log before the transaction ends.
            try await eventually("the migration writes", every: .milliseconds(2)) {
                let size = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
                return (size ?? 0) > 1 << 20 ? () : nil
            }
            first.kill()
            try await eventually { !first.isRunning }
            let backups = try FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/data")
                .filter { $0.hasPrefix("catalogue.sqlite.backup-") && !$0.hasSuffix(".unfinished") }
            #expect(backups.count == 1)
            for file in backups.map({ "\(server.folder.path)/data/\($0)" }) + [path] {
                let database = try await DatabaseAddress.sqlite(path: file).open()
                let unchanged: Int64? = try await database.read { db in
                    try db.firstValue("SELECT count(*) FROM titleSearch WHERE text LIKE 'Straße%'")
                }
                #expect(unchanged == 30_000, "\(file)")
                #expect(
                    try await database.read { db in
                        try !db.hasTable("schemaMigration") || !db.exists("SELECT 1 FROM schemaMigration")
                    })
                await database.close()
            }
            try await server.start()
            #expect(try await server.items("/api/v1/titles?q=strasse+29999").count == 1)
        }

        /// Fills a database that has the first version's tables only.
        private static func firstVersion(_ address: DatabaseAddress, count: Int) async throws -> any SQLDatabase {
            var schema = CatalogueSchema.schema
            schema.migrations.removeLast(schema.migrations.count - 1)
            let database = try await address.open()
            try await SQLMigrator(schema, program: "0.0.1").applyMigrations(database)
            try await insertTitles(database, count: count)
            try await database.write { db in
                try db.execute("INSERT INTO titleSearch(rowid, text) VALUES (1, 'strasse')")
            }
            return database
        }

        /// Makes a file as versions before the storage layer left it: its last migration has not been applied.
        private static func earlierFile(_ path: String, count: Int) async throws {
            _ = try Catalogue.open(.sqlite(path: path))
            let database = try await DatabaseAddress.sqlite(path: path).open()
            try await database.write { db in
                // What the storage layer's later migrations have added.
                for table in [
                    "itemDetails", "titleListing", "titleShelf", "titlePieces", "titleCollection", "trackCollection",
                    "audioTrackPieces",
                ] {
                    try db.execute("DROP TABLE \(table)")
                }
                for table in ["title", "audioTrack"] {
                    try db.execute("DROP INDEX \(table)_duration")
                    for column in ["details", "fileDetails"] {
                        try db.execute("ALTER TABLE \(table) DROP COLUMN \(column)")
                    }
                }
                try db.execute("ALTER TABLE title DROP COLUMN posterFile")
                for column in ["uploadedCover", "coverFile", "coverOfFile"] {
                    try db.execute("ALTER TABLE audioTrack DROP COLUMN \(column)")
                }
            }
            try await insertTitles(database, count: count)
            try await database.write { db in
                try db.execute("INSERT INTO titleSearch(rowid, text) SELECT number, 'Straße ' || number FROM title")
                try db.execute("DROP TABLE schemaMigration")
                try db.execute("CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY)")
                for step in [
                    "1: titles and audio tracks", "2: lists in the order of sort keys", "3: jobs", "4: duplicates",
                    "5: pictures", "5: what jobs have to say", "5: what jobs are asked for",
                    "6: names that files had before",
                ] { try db.execute("INSERT INTO grdb_migrations(identifier) VALUES (?1)", .text(step)) }
            }
            await database.close()
        }

        /// The disk of the database is full: a change is refused with what to do, viewers stay, and all is well when
        /// there is room.
        @Test func aFullDiskStopsNobodyWhoWatches() async throws {
            let server = try await serving()
            let title = try await server.ingested("film.mp4")
            try server.folder.write("no medium", to: "media/vod/broken.mp4")
            let broken = try await server.ingested("broken.mp4")
            #expect(broken.state == "failed")
            let job = try #require(try await server.items("/api/v1/jobs?q=broken").first?["id"] as? String)
            let administrator = try await DatabaseAddress(parsing: database.url).open()
            try await administrator.write { db in
                try db.execute(
                    """
                    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        RAISE EXCEPTION USING MESSAGE = 'could not extend file', ERRCODE = '53100';
                    END $$
                    """)
                for table in ["title", "job"] {
                    try db.execute(
                        """
                        CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON \(table)
                        FOR EACH STATEMENT EXECUTE FUNCTION refuse()
                        """)
                }
            }
            let refused = try await server.request(
                "/api/v1/jobs/\(job)/retry", method: "POST", headers: ["Content-Type": "application/json"], body: "{}")
            #expect(refused.status == 507 && refused.headers["retry-after"] == "2", "\(refused)")
            #expect(refused.text.contains("the disk of the database is full"))
            #expect(try await server.request(title.playlist).status == 200)
            #expect(try await server.items("/api/v1/titles").count == 2)
            let source = try await MovieFixture.noBFrames.path()
            try FileManager.default.copyItem(atPath: source, toPath: server.folder.file("media/vod/second.mp4"))
            try await eventually("the new file waits") {
                server.log.contains("background work waits for it") ? () : nil
            }
            try await administrator.write { db in
                for table in ["title", "job"] { try db.execute("DROP TRIGGER refuse ON \(table)") }
            }
            #expect(try await server.ingested("second.mp4").state == "ready")
        }

        private static func fill(_ address: DatabaseAddress, count: Int) async throws {
            _ = try Catalogue.open(address)
            let source = try await address.open()
            try await insertTitles(source, count: count)
            await source.close()
        }

        private static func insertTitles(_ database: any SQLDatabase, count: Int) async throws {
            try await database.write(durability: .onDisk, within: .seconds(60)) { db in
                try db.execute(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                    INSERT INTO title(id, title, file, sourcePath, state, byteCount, modifiedAt, revision, addedAt)
                    SELECT 't' || i, 'Title ' || i, 'f' || i, '/f', 'failed', 1, '2026-01-01 00:00:00.000', 'r',
                        '2026-01-01 00:00:00.000' FROM n
                    """)
            }
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
