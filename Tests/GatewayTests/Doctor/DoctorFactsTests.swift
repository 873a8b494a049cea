import Accounts
import Catalogue
import Database
import DatabaseTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Doctor
@testable import Gateway
@testable import ServerSettings

/// The facts that are read from the system, and that reading changes nothing.
struct DoctorFactsTests {
    @Test func findsTheHolderOfALock() {
        let locks = """
            1: FLOCK  ADVISORY  WRITE 308 fe:00:16220698 0 EOF
            1: -> FLOCK  ADVISORY  WRITE 309 fe:00:16220698 0 EOF
            2: POSIX  ADVISORY  WRITE 310 fe:00:5319005 1073741824 1073742335
            3: FLOCK  ADVISORY  READ 311 fe:00:7 0 EOF
            4: FLOCK
            """
        #expect(RunningServer.holder(ofInode: 16_220_698, locks: locks) == 308)
        #expect(RunningServer.holder(ofInode: 5_319_005, locks: locks) == nil)
        #expect(RunningServer.holder(ofInode: 7, locks: locks) == nil)
        #expect(RunningServer.holder(ofInode: 1, locks: "") == nil)
    }

    @Test func findsTheServerOfADataFolder() throws {
        let folder = try TemporaryDirectory(label: "doctor")
        #expect(RunningServer.process(usingDataFolder: folder.path) == nil)
        let data = try DataDirectory(path: folder.path)
        #expect(RunningServer.process(usingDataFolder: folder.path) == ProcessInfo.processInfo.processIdentifier)
        withExtendedLifetime(data) {}
    }

    @Test func findsListeningSockets() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100 0 0
               1: 0100007F:1F90 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0 100 0 0
               2: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 4713 1
               3: 0100007F:1F91 00000000:0000 0A
            """
        #expect(PortOwner.listeningInodes(port: 8080, table: table) == [4711, 4713])
        #expect(PortOwner.listeningInodes(port: 8081, table: table) == [])
    }

    @Test func seesWhetherAPortIsTaken() throws {
        let listener = try ListeningSocket()
        guard case .taken(let owner?) = PortState.examine(SocketEndpoint(host: "127.0.0.1", port: listener.port)) else {
            Issue.record("the port is taken by this process")
            return
        }
        #expect(owner.process == ProcessInfo.processInfo.processIdentifier && !owner.isAntena)
        #expect(PortState.examine(SocketEndpoint(host: "127.0.0.1", port: 0)) == .free)
        #expect(PortState.examine(SocketEndpoint(host: "localhost", port: 0)) == .free)
        #expect(PortState.examine(SocketEndpoint(host: "192.0.2.222", port: 0)) == .notHere)
        #expect(PortState.examine(SocketEndpoint(host: "antena.invalid", port: 0)) == .notLookedUp)
    }

    @Test func findsTheFolderInWhichAnotherWouldBeCreated() throws {
        let folder = try TemporaryDirectory(label: "doctor")
        let missing = ExistingFolder(of: "\(folder.path)/a/b/")
        #expect(missing.path == folder.path && !missing.isFolderItself)
        #expect(missing.isWritable && ExistingFolder(of: folder.path).isFolderItself)
        let file = ExistingFolder(of: try folder.write("x", to: "file"))
        #expect(file.isFolderItself && !file.isWritable)
        #expect(!ExistingFolder(of: "\(folder.path)/file/below").isWritable)
        #expect(ExistingFolder(of: "relative-and-missing").path.hasPrefix("/"))
    }

    // MARK: The database

    /// Names, sizes and times of everything in a folder.
    private func state(_ folder: TemporaryDirectory) throws -> [String: [String]] {
        var state: [String: [String]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
            // Readers note in the shared memory of the log how far they read; the system dates that when it writes it.
            let keys: [FileAttributeKey] =
                name.hasSuffix("-shm") ? [.size, .posixPermissions] : [.size, .modificationDate, .posixPermissions]
            state[name] = keys.map { "\(attributes[$0] ?? "")" }
        }
        return state
    }

    @Test func readingADatabaseChangesNothing() async throws {
        let folder = try TemporaryDirectory(label: "doctor %20?#")
        let path = folder.path + "/catalogue.sqlite"
        guard case .missing = await DatabaseState.examine(.sqlite(path: path)) else {
            Issue.record("there is no database")
            return
        }
        #expect(try state(folder).isEmpty)
        // A database of the catalogue only, as an older version leaves it.
        let database = try SQLiteDatabase(path: path)
        _ = try await Catalogue.open(database, program: "1.0")
        try await database.makeDurable()
        await database.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        for hasLog in [true, false] {
            // Everything is in the file now.
            if !hasLog { for end in ["wal", "shm"] { try FileManager.default.removeItem(atPath: "\(path)-\(end)") } }
            let before = try state(folder)
            #expect(before.count == (hasLog ? 3 : 1))
            guard
                case .ready(_, let missing, _, let hasAdministrator) = await DatabaseState.examine(.sqlite(path: path))
            else {
                Issue.record("the database can be read")
                return
            }
            #expect(missing > 0 && !hasAdministrator)
            #expect(try state(folder) == before)
        }
        let running = try SQLiteDatabase(path: path)
        try await running.write { db in try db.execute("CREATE TABLE more(x INTEGER)") }
        guard case .ready = await DatabaseState.examine(.sqlite(path: path)) else {
            Issue.record("the database of a running server can be read")
            return
        }
        await running.close()
    }

    /// Opening it to serve creates its schema.
    @Test func readingAServersDatabaseCreatesNothing() async throws {
        let place = try TestDatabase(.postgreSQL)
        guard case .ready(_, let missing, _, let hasAdministrator) = await DatabaseState.examine(place.address) else {
            Issue.record("the database can be read")
            return
        }
        #expect(missing > 0 && !hasAdministrator)
        let reader = try await place.address.openForReading()
        let schema: String? = try await reader.read { db in try db.firstValue("SELECT current_schema()") }
        await reader.close()
        #expect(schema?.hasPrefix("t_") != true, "the schema that the address names was not created")
        let served = try await place.open()
        _ = try await Catalogue.open(served, program: "1.0")
        let own: String? = try await served.read { db in try db.firstValue("SELECT current_schema()") }
        #expect(own?.hasPrefix("t_") == true)
        await served.close()
    }

    @Test func aFileThatIsNoDatabaseIsReported() async throws {
        let folder = try TemporaryDirectory(label: "doctor")
        let path = try folder.write(String(repeating: "no database ", count: 1_000), to: "catalogue.sqlite")
        guard case .failed(let error) = await DatabaseState.examine(.sqlite(path: path)) else {
            Issue.record("the file cannot be read")
            return
        }
        #expect(error.code == .damaged)
    }

    @Test func aNewerDatabaseIsReported() async throws {
        let folder = try TemporaryDirectory(label: "doctor")
        let path = "\(folder.path)/catalogue.sqlite"
        let database = try SQLiteDatabase(path: path)
        _ = try await Catalogue.open(database, program: "1.0")
        try await database.write { db in
            try db.execute(
                """
                INSERT INTO schemaMigration(domain, version, name, oldestCompatibleVersion, program, appliedAt)
                VALUES ('catalogue', 99, 'future', 99, '9.0', 0)
                """)
        }
        await database.close()
        guard case .failed(let error) = await DatabaseState.examine(.sqlite(path: path)) else {
            Issue.record("the database is newer")
            return
        }
        #expect(error.code == .newerSchema && error.reason.contains("9.0"))
    }

    @Test func aServerThatDoesNotAnswerIsReported() async throws {
        let port = try TCPPorts.free()
        let address = try DatabaseAddress(parsing: "postgres://antena:secret@127.0.0.1:\(port)/antena")
        guard case .failed(let error) = await DatabaseState.examine(address) else {
            Issue.record("nothing listens there")
            return
        }
        #expect(error.code == .unavailable && !error.reason.contains("secret"), "\(error)")
    }

    @Test func readsTheEndOfACertificate() async throws {
        let folder = try TemporaryDirectory(label: "doctor")
        let certificate = try await TestCertificate(in: folder)
        let flags: [ServerSetting: String] = [
            .tlsCert: certificate.certificatePath, .tlsKey: certificate.keyPath,
        ]
        let configuration = try ServerConfiguration(flags: flags, environment: [:])
        let now = WallClock.system.now()
        #expect(CertificateCheck.examine(configuration, now: now).finding.result == .ok)
        let later = CertificateCheck.examine(configuration, now: now + .seconds(20 * 86_400))
        #expect(later.finding.result == .warning)
        let swapped = try ServerConfiguration(
            flags: [.tlsCert: certificate.keyPath, .tlsKey: certificate.certificatePath], environment: [:])
        #expect(CertificateCheck.examine(swapped, now: now).finding.result == .problem)
    }
}
