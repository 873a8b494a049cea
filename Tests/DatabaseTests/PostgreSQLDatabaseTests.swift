import DatabaseTestSupport
import Foundation
import TestSupport
import Testing

@testable import Database

/// Effects that only PostgreSQL can have on its clients.
struct PostgreSQLDatabaseTests {
    private func database() async throws -> any SQLDatabase { try await TestDatabase(.postgreSQL).open() }

    @Test(arguments: [
        ("postgres://ana:secret@db/antena?sslmode=require", "postgres://ana@db/antena?sslmode=require"),
        ("postgresql://ana@db/antena?password=secret&pool=3", "postgresql://ana@db/antena?pool=3"),
        ("postgres:///antena?host=/run/postgresql", "postgres:///antena?host=/run/postgresql"),
        ("postgres://ana:se:cr@et@db/x", "postgres://ana@db/x"),
    ])
    func addressesAreShownWithoutPasswords(url: String, shown: String) throws {
        #expect(try PostgreSQLAddress(parsing: url).description == shown)
    }

    @Test(arguments: [
        "postgres://db/x?pool=0", "postgres://db/x?pool=65", "postgres://db/x?pool=a", "postgres://db/x?schema=",
        "postgres://db/x?schema=\(String(repeating: "s", count: 64))", "mysql://db/x", "sqlite:", "",
    ])
    func addressesThatAreWrongAreRefused(url: String) {
        let error = #expect(throws: SQLError.self) { try DatabaseAddress(parsing: url) }
        #expect(error?.code == .invalidAddress)
    }

    @Test func antenasSettingsAreKeptFromLibpq() throws {
        let address = try PostgreSQLAddress(parsing: "postgres://db/x?schema=my%20tv&sslmode=disable&pool=2")
        #expect(address.connectionString == "postgres://db/x?sslmode=disable")
        #expect(address.schema == "my tv" && address.poolSize == 2)
    }

    @Test(arguments: [
        ("SELECT ?1, ?2", "SELECT $1, $2"), ("SELECT '?1' || ?1", "SELECT '?1' || $1"),
        (
            "SELECT \"a?\" FROM t WHERE x = 'it''s ?' AND y = ?10",
            "SELECT \"a?\" FROM t WHERE x = 'it''s ?' AND y = $10"
        ),
    ])
    func parametersAreTranslated(sql: String, translated: String) {
        #expect(PostgreSQLStatement.translated(sql) == translated)
    }

    @Test func aServerThatCannotBeReachedIsUnavailableAtOnce() async throws {
        let database = PostgreSQLDatabase(try PostgreSQLAddress(parsing: "postgres://127.0.0.1:1/x"))
        for _ in 0..<20 {
            let error = await #expect(throws: SQLError.self) { try await database.read { _ in } }
            #expect(error?.code == .unavailable)
        }
    }

    /// A connection that the server has ended, such as at its restart, costs nobody an error.
    @Test func aLostConnectionIsReplaced() async throws {
        let database = try await database()
        try await database.write { db in try db.execute("CREATE TABLE t(x BIGINT)") }
        let administrator = try await self.database()
        for _ in 0..<5 {
            let process: Int64? = try await database.read { db in try db.firstValue("SELECT pg_backend_pid()") }
            try await administrator.write { db in
                _ = try db.firstValue("SELECT pg_terminate_backend(?1::int)::text", SQLValue(process)) as String?
            }
            try await database.write { db in try db.execute("INSERT INTO t VALUES (1)") }
        }
        let count: Int64? = try await database.read { db in try db.firstValue("SELECT count(*) FROM t") }
        #expect(count == 5)
    }

    @Test func aConnectionThatIsCutInATransactionLeavesNothingOfItAndTheTransactionIsRepeated() async throws {
        let database = try await database()
        let administrator = try await self.database()
        try await database.write { db in try db.execute("CREATE TABLE t(x BIGINT)") }
        let attempts = Counter()
        try await database.write(durability: .onDisk, within: .seconds(20)) { db in
            try db.execute("INSERT INTO t VALUES (1)")
            guard attempts.increment() == 1 else { return }
            let process: Int64? = try db.firstValue("SELECT pg_backend_pid()")
            let done = OneShot()
            _ = Task {
                try await administrator.write { db in
                    _ = try db.firstValue("SELECT pg_terminate_backend(?1::int)::text", SQLValue(process)) as String?
                }
                done.signal()
            }
            done.wait()
            try db.execute("INSERT INTO t VALUES (2)")
        }
        let rows = try await database.read { db in try db.rows("SELECT x FROM t") { try $0.value(0) as Int64 } }
        #expect(rows == [1])
        #expect(attempts.value == 2)
    }

    @Test func aStatementThatTakesTooLongIsGivenUp() async throws {
        let database = try await database()
        let error = await #expect(throws: SQLError.self) {
            try await database.read(within: .milliseconds(300)) { db in
                _ = try db.firstValue("SELECT pg_sleep(60)::text") as String?
            }
        }
        #expect(error?.code == .unavailable)
        #expect(try await database.read { db in try db.exists("SELECT 1") })
    }

    @Test func aSchemaIsCreatedAndHoldsTheTables() async throws {
        let database = try await database()
        try await database.write { db in try db.execute("CREATE TABLE t(x BIGINT)") }
        let schema: String? = try await database.read { db in
            try db.firstValue(
                "SELECT schemaname::text FROM pg_tables WHERE tablename = 't' AND schemaname = current_schema()")
        }
        #expect(schema?.hasPrefix("t_") == true)
    }

    /// As behind PgBouncer in transaction mode, where another connection does not know the statement.
    @Test func statementsThatAreNotKnownAnyMoreAreSentAnew() async throws {
        let database = try await TestDatabase(.postgreSQL).open()
        try await database.write { db in try db.execute("CREATE TABLE t(x BIGINT)") }
        for _ in 0..<3 {
            try await database.write { db in
                try db.execute("INSERT INTO t VALUES (?1)", 1)
                try db.execute("DEALLOCATE ALL")
            }
        }
        let count: Int64? = try await database.read { db in try db.firstValue("SELECT count(*) FROM t") }
        #expect(count == 3)
    }

    @Test func manyCallsWaitForFewConnections() async throws {
        let database = try await database()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let isFound = try await database.read(within: .seconds(30)) { db in try db.exists("SELECT 1") }
                    #expect(isFound)
                }
            }
            try await group.waitForAll()
        }
    }
}
