import Database
import DatabaseTestSupport
import Foundation
import TestSupport
import Testing

/// Behind a pooler that gives each transaction another connection of the server.
struct PgBouncerTests {
    private let folder: TemporaryDirectory
    private let pooler: Process
    private let database: any SQLDatabase

    init() async throws {
        let shared = try TestDatabase(.postgreSQL).address.description
        let settings = URLComponents(string: shared)?.queryItems ?? []
        let server = try #require(settings.first { $0.name == "host" }?.value)
        folder = try TemporaryDirectory(label: "pgbouncer")
        // The pooler runs as another user if the tests run as root.
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder.path)
        let socketFolder = "\(folder.path)/pooler"
        pooler = Process()
        pooler.executableURL = URL(filePath: "\(Repository.path)/Tests/Support/pgbouncer.sh")
        pooler.arguments = [socketFolder, server]
        pooler.standardOutput = FileHandle.nullDevice
        pooler.standardError = FileHandle.nullDevice
        try pooler.run()
        let schema = "t_" + UUID().uuidString.lowercased().filter { $0 != "-" }
        let address = try DatabaseAddress(
            parsing: "postgres:///postgres?host=\(socketFolder)&port=6432&user=antena&schema=\(schema)&pool=6")
        database = try await eventually("the pooler answers") { try await address.open() }
    }

    @Test func transactionsWorkOnWhateverConnectionTheyGet() async throws {
        defer {
            kill(pooler.processIdentifier, SIGKILL)
            pooler.waitUntilExit()
        }
        try await database.write { db in try db.execute("CREATE TABLE t(x BIGINT)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 as Range<Int64> {
                group.addTask {
                    try await database.write(durability: .soon, within: .seconds(30)) { db in
                        try db.execute("INSERT INTO t VALUES (?1)", .integer(number))
                    }
                    let isStored = try await database.read(within: .seconds(30)) { db in
                        try db.exists("SELECT 1 FROM t WHERE x = ?1", .integer(number))
                    }
                    #expect(isStored)
                }
            }
            try await group.waitForAll()
        }
    }
}
