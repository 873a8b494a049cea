import Database
import DatabaseTestSupport
import Testing

@Suite(.eachEngine) struct SQLMigratorTests {
    private let place: TestDatabase

    init() throws { place = try TestDatabase() }

    private static func migration(_ version: Int, compatible: Int = 1) -> SQLMigration {
        SQLMigration(version, "step \(version)", oldestCompatibleVersion: compatible) { db in
            try db.execute("CREATE TABLE step\(version)(id \(db.dialect.name(of: .integer)))")
        }
    }

    private static func schema(_ migrations: [SQLMigration]) -> SQLSchema {
        SQLSchema(
            domain: "test", migrations: migrations,
            tables: migrations.map { SQLTable("step\($0.version)", [.integer("id")], key: ["id"]) })
    }

    private func migrate(_ migrations: [SQLMigration], program: String = "1.0") async throws -> any SQLDatabase {
        let database = try await place.open()
        try await SQLMigrator(Self.schema(migrations), program: program).migrate(database)
        return database
    }

    private func tables(_ database: any SQLDatabase) async throws -> [Int] {
        try await database.read { db in try (1...4).filter { try db.hasTable("step\($0)") } }
    }

    @Test func eachMigrationRunsOnce() async throws {
        _ = try await migrate([Self.migration(1)])
        _ = try await migrate([Self.migration(1), Self.migration(2)])
        let database = try await migrate([Self.migration(1), Self.migration(2), Self.migration(3)])
        #expect(try await tables(database) == [1, 2, 3])
    }

    @Test func aMigrationThatFailsLeavesNothingAndIsRepeated() async throws {
        struct Stop: Error {}
        let broken = SQLMigration(2, "step 2", oldestCompatibleVersion: 1) { db in
            try db.execute("CREATE TABLE step2(id \(db.dialect.name(of: .integer)))")
            throw Stop()
        }
        _ = try await migrate([Self.migration(1)])
        await #expect(throws: Stop.self) { _ = try await migrate([Self.migration(1), broken]) }
        let database = try await place.open()
        #expect(try await tables(database) == [1])
        #expect(try await tables(try await migrate([Self.migration(1), Self.migration(2)])) == [1, 2])
    }

    @Test func severalProgramsMayStartAtOnce() async throws {
        let migrations = [Self.migration(1), Self.migration(2)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try await migrate(migrations) } }
            try await group.waitForAll()
        }
        #expect(try await tables(try await place.open()) == [1, 2])
    }

    @Test func theVersionBeforeWorksBesideANewerOne() async throws {
        _ = try await migrate([Self.migration(1), Self.migration(2, compatible: 1)])
        _ = try await migrate([Self.migration(1)])
    }

    @Test func aDatabaseThatIsTooNewIsRefusedWithWhatToInstall() async throws {
        _ = try await migrate([Self.migration(1), Self.migration(2, compatible: 2)], program: "3.7")
        let error = await #expect(throws: SQLError.self) { _ = try await migrate([Self.migration(1)]) }
        #expect(error?.code == .newerSchema)
        #expect(error?.reason.contains("Install Antena 3.7 or newer") == true)
    }
}
