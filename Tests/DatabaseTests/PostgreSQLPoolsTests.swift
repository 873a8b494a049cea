import DatabaseTestSupport
import TestSupport
import Testing

@testable import Database

/// Two servers with pools of their own on one PostgreSQL.
struct PostgreSQLPoolsTests {
    private static let schema = SQLSchema(
        domain: "test",
        migrations: [
            SQLMigration(1, "counter", oldestCompatibleVersion: 1) { db in
                try db.execute("CREATE TABLE counter(name TEXT PRIMARY KEY, value BIGINT NOT NULL)")
            },
            SQLMigration(2, "entries", oldestCompatibleVersion: 1) { db in
                try db.execute("CREATE TABLE entry(server BIGINT NOT NULL, number BIGINT NOT NULL)")
            },
        ],
        tables: [
            SQLTable("counter", [.text("name"), .integer("value")], key: ["name"]),
            SQLTable("entry", [.integer("server"), .integer("number")], key: ["server", "number"]),
        ])

    /// Starts two servers at the same time.
    private func servers() async throws -> [any SQLDatabase] {
        let place = try TestDatabase(.postgreSQL)
        return try await withThrowingTaskGroup(of: (any SQLDatabase).self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let database = try await place.open()
                    try await SQLMigrator(Self.schema, program: "1.0").migrate(database)
                    return database
                }
            }
            let servers = try await group.reduce(into: [any SQLDatabase]()) { $0.append($1) }
            try await servers[0].write { db in try db.execute("INSERT INTO counter VALUES ('total', 0)") }
            return servers
        }
    }

    private func total(_ database: any SQLDatabase) async throws -> Int64? {
        try await database.read { db in try db.firstValue("SELECT value FROM counter WHERE name = 'total'") }
    }

    @Test func bothMigrateCountAndKeepToTheirPools() async throws {
        let servers = try await servers()
        // Many more calls at a time than a pool has connections, all of which change one row.
        let connections = try await withThrowingTaskGroup(of: (server: Int, process: Int64).self) { group in
            for (index, server) in servers.enumerated() {
                for number in 0..<60 {
                    group.addTask {
                        let process = try await server.write(durability: .soon, within: .seconds(30)) { db -> Int64 in
                            try db.execute("UPDATE counter SET value = value + 1 WHERE name = 'total'")
                            try db.execute(
                                "INSERT INTO entry VALUES (?1, ?2)", SQLValue(index), SQLValue(number))
                            return try db.firstValue("SELECT pg_backend_pid()::bigint") ?? 0
                        }
                        return (index, process)
                    }
                }
            }
            return try await group.reduce(into: [Int: Set<Int64>]()) { $0[$1.server, default: []].insert($1.process) }
        }
        for server in servers {
            #expect(try await total(server) == 120)
            let count: Int64? = try await server.read { db in try db.firstValue("SELECT count(*) FROM entry") }
            #expect(count == 120)
        }
        let (first, second) = (connections[0] ?? [], connections[1] ?? [])
        // `TestDatabase` has pools of four.
        #expect((1...4).contains(first.count) && (1...4).contains(second.count))
        #expect(first.isDisjoint(with: second))
        for server in servers { await server.close() }
    }

    /// The writes of one are seen by the other at once, and its end, planned or not, costs the other nothing.
    @Test func theEndOfOneServerIsNoneOfTheOthersConcern() async throws {
        let servers = try await servers()
        try await servers[0].write { db in try db.execute("UPDATE counter SET value = 7 WHERE name = 'total'") }
        #expect(try await total(servers[1]) == 7)
        let process: Int64? = try await servers[0].read { db in try db.firstValue("SELECT pg_backend_pid()::bigint") }
        try await servers[1].write { db in
            _ = try db.firstValue("SELECT pg_terminate_backend(?1::int)::text", SQLValue(process)) as String?
        }
        #expect(try await total(servers[1]) == 7)
        await servers[0].close()
        for number in 8...12 {
            try await servers[1].write { db in
                try db.execute("UPDATE counter SET value = ?1 WHERE name = 'total'", SQLValue(number))
            }
            #expect(try await total(servers[1]) == Int64(number))
        }
        let error = await #expect(throws: SQLError.self) { try await total(servers[0]) }
        #expect(error?.code == .unavailable)
        await servers[1].close()
    }
}
