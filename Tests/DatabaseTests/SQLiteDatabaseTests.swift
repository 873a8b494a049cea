import DatabaseTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Database

struct SQLiteDatabaseTests {
    private let folder: TemporaryDirectory
    private var path: String { "\(folder.path)/antena.sqlite" }

    init() throws { folder = try TemporaryDirectory(label: "sqlite") }

    @Test func networkFileSystemsAreKnown() {
        let mounts = """
            22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            30 22 0:40 / /srv/my\\040media rw - nfs4 nas:/media rw
            31 22 0:41 / /home rw,nosuid shared:3 master:1 - ext4 /dev/sdb1 rw
            32 31 0:42 / /home/ana rw - fuse.sshfs host:/ rw
            33 22 0:43 / /late rw - nfs a:/ rw
            34 22 0:44 / /late rw - tmpfs tmpfs rw
            """
        let cases = [
            ("/srv/my media/data", "nfs4"), ("/srv/my media", "nfs4"), ("/srv/my mediation", nil), ("/home/data", nil),
            ("/home/ana/data", "fuse.sshfs"), ("/", nil), ("/late/data", nil),
        ]
        for (folder, type) in cases { #expect(NetworkFileSystem.type(of: folder, mounts: mounts) == type, "\(folder)") }
        for garbage in ["", "x", "1 2 3 4 / - ", "1 2 3 4 / rw -", "1 2 3 4 / rw - "] {
            #expect(NetworkFileSystem.type(of: "/data", mounts: garbage) == nil)
        }
    }

    /// SQLite does not wait for a program that turns the write-ahead log on, so that openings collide in a third of the
    /// cases.
    @Test func severalProgramsMayOpenANewFileAtOnce() async throws {
        for number in 0..<20 {
            let path = "\(folder.path)/\(number).sqlite"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await SQLiteDatabase(path: path).close() } }
                try await group.waitForAll()
            }
        }
    }

    @Test func aFileThatIsNotADatabaseIsNamedWithWhatToDo() throws {
        try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: path))
        let error = try #require(throws: SQLError.self) { try SQLiteDatabase(path: path) }
        #expect(error.code == .damaged)
        #expect(error.reason.contains("the database \(path) is damaged"))
        #expect(error.reason.contains("Restore it from a backup; or move it away"))
    }

    @Test func threeBackupsAreKept() async throws {
        let database = try SQLiteDatabase(path: path)
        for count in 1...5 {
            try await database.write { db in try db.execute("CREATE TABLE t\(count)(x INTEGER)") }
            try await database.prepareMigration(at: WallClockTime(secondsSince1970: Int64(count)))
        }
        let names = SQLiteBackups(path: path).names()
        #expect(names.count == SQLiteBackups.keptCount)
        for (name, tables) in zip(names, [3, 4, 5]) {
            let copy = try SQLiteDatabase(path: name)
            #expect(try await copy.read { db in try db.hasTable("t\(tables)") && !db.hasTable("t\(tables + 1)") })
        }
    }

    @Test func aMigrationOfAnExistingDatabaseIsBackedUpAndOfANewOneNot() async throws {
        let migrations = (1...2).map { version in
            SQLMigration(version, "m", oldestCompatibleVersion: 1) { db in
                try db.execute("CREATE TABLE step\(version)(id INTEGER)")
            }
        }
        let table = SQLTable("step1", [.integer("id")], key: ["id"])
        let database = try SQLiteDatabase(path: path)
        try await SQLMigrator(
            SQLSchema(domain: "test", migrations: [migrations[0]], tables: [table]), program: "1"
        ).migrate(database)
        #expect(SQLiteBackups(path: path).names().isEmpty)
        try await SQLMigrator(
            SQLSchema(domain: "test", migrations: migrations, tables: [table]), program: "1"
        ).migrate(database)
        #expect(SQLiteBackups(path: path).names().count == 1)
    }

    @Test func commitsWaitForTheDiskAgainAfterOneThatDidNot() async throws {
        let database = try SQLiteDatabase(path: path)
        try await database.write(durability: .soon) { db in try db.execute("CREATE TABLE t(x INTEGER)") }
        #expect(try await database.waitsForDisk())
    }

    @Test func aSoundFileHasNoProblems() async throws {
        #expect(try await SQLiteDatabase(path: path).integrityProblems().isEmpty)
    }

    /// It holds the hashes of passwords.
    @Test func otherUsersOfTheMachineCannotReadTheDatabase() async throws {
        for isOld in [false, true] {
            if isOld { #expect(chmod(path, 0o644) == 0) }
            let database = try SQLiteDatabase(path: path)
            try await database.write { db in try db.execute("CREATE TABLE IF NOT EXISTS t (a INTEGER)") }
            for name in ["", "-wal", "-shm"] {
                let mode = try FileManager.default.attributesOfItem(atPath: path + name)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(name)")
            }
            await database.close()
        }
    }
}
