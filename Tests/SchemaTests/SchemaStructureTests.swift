import Database
import DatabaseTestSupport
import Features
import Testing

/// The tables of all domains.
@Suite(.eachEngine) struct SchemaStructureTests {
    private static let schemas = Features.schemas

    private func structure(
        _ migrate: @Sendable (SQLMigrator, any SQLDatabase) async throws -> Void
    ) async throws -> DatabaseStructure {
        let place = try TestDatabase()
        let database = try await place.open()
        for schema in Self.schemas { try await migrate(SQLMigrator(schema, program: "test"), database) }
        let report = try await DatabaseReport(of: database, schemas: Self.schemas, checksIntegrity: false)
        #expect(report.problems.isEmpty)
        #expect(report.migrations.count == Self.schemas.map(\.version).reduce(0, +))
        let structure = try await database.read(within: .seconds(60)) { db in try DatabaseStructure(db) }
        await database.close()
        return structure
    }

    @Test func theDeclarationGivesWhatAllMigrationsGive() async throws {
        let declared = try await structure { migrator, database in try await migrator.migrate(database) }
        let migrated = try await structure { migrator, database in try await migrator.applyMigrations(database) }
        #expect(declared.lines.subtracting(migrated.lines).sorted() == [], "only the declaration gives this")
        #expect(migrated.lines.subtracting(declared.lines).sorted() == [], "only the migrations give this")
        // Each of about 70 tables has columns and a key.
        #expect(declared.lines.count > 500)
    }

    /// A new database has no rows, so that another one can be copied into it.
    @Test func aNewDatabaseIsEmpty() async throws {
        let place = try TestDatabase()
        let database = try await place.open()
        for schema in Self.schemas { try await SQLMigrator(schema, program: "test").migrate(database) }
        let filled = try await database.read { db in
            try Self.schemas.flatMap(\.tables).filter { try db.exists("SELECT 1 FROM \($0.name)") }
        }
        #expect(filled.isEmpty)
        await database.close()
    }
}
