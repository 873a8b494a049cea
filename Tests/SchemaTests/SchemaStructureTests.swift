import Accounts
import Catalogue
import Community
import Database
import DatabaseTestSupport
import Events
import Idempotency
import LibraryStorage
import MediaAccess
import Notifications
import SupportInbox
import Testing
import VideoClub
import Webhooks

/// The tables of all domains.
@Suite(.eachEngine) struct SchemaStructureTests {
    private static let schemas = [
        CatalogueSchema.schema, StoredFileSchema.schema, AccountsSchema.schema, MediaLinkSchema.schema,
        IdempotencySchema.schema, EventSchema.schema, WebhookSchema.schema, ClubSchema.schema,
        SupportSchema.schema, CommunitySchema.schema, NotificationSchema.schema,
    ]

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
