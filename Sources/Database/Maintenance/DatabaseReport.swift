/// The report that `antena database check` shows.
package struct DatabaseReport: Sendable, Equatable {
    /// A table and what is in it.
    package struct Table: Sendable, Equatable {
        package var name: String
        package var rowCount: Int64
        /// Size of the table and its indexes in bytes; `nil` if the engine does not tell.
        package var byteCount: Int64?
    }

    /// The engine with its version, such as "SQLite 3.40.1".
    package var engine: String
    package var address: String
    package var migrations: [AppliedMigration]
    package var tables: [Table]
    package var indexCount: Int
    /// Human-readable findings; empty if all is well.
    package var problems: [String]

    /// Examines a database.
    ///
    /// - Parameters:
    ///   - database: an open database.
    ///   - schemas: the domains that this program knows.
    ///   - checksIntegrity: whether every page of an SQLite file is checked, which takes long for a large one.
    package init(
        of database: any SQLDatabase, schemas: [SQLSchema], checksIntegrity: Bool
    ) async throws {
        address = database.address
        let found = try await database.read(within: SQLTimeLimit.maintenance) { db in try Self.examine(schemas, db) }
        engine = found.engine
        migrations = found.migrations
        tables = found.tables
        indexCount = found.indexes.count
        problems = Self.problems(schemas, found)
        if checksIntegrity, let database = database as? SQLiteDatabase {
            problems += try await database.integrityProblems()
        }
    }

    private struct Found: Sendable {
        var engine: String
        var migrations: [AppliedMigration]
        var tables: [Table]
        /// Tables and columns that are missing, as sentences.
        var missing: [String]
        /// The names of the indexes that queries can use, in small letters.
        var indexes: Set<String>
    }

    private static func examine(_ schemas: [SQLSchema], _ db: any SQLConnection) throws -> Found {
        var tables: [Table] = []
        var missing: [String] = []
        let columns = Dictionary(
            schemas.flatMap { $0.tables + $0.derivedTables }.map { ($0.name, $0.columns.map(\.name)) },
            uniquingKeysWith: { first, _ in first })
        for name in schemas.flatMap(\.tableNames) {
            guard try db.hasTable(name) else {
                missing.append("the table \(name) is missing; start the server once to migrate")
                continue
            }
            for column in columns[name] ?? [] where try !db.hasColumn(column, in: name) {
                missing.append("the column \(column) of \(name) is missing; start the server once to migrate")
            }
            tables.append(
                Table(
                    name: name, rowCount: try db.firstValue("SELECT count(*) FROM \(name)") ?? 0,
                    byteCount: try size(of: name, db)))
        }
        return Found(
            engine: "\(db.dialect.engineName) \(try db.firstValue(db.dialect.versionQuery) ?? "of unknown version")",
            migrations: try AppliedMigration.all(nil, db), tables: tables, missing: missing,
            indexes: Set(try db.rows(db.dialect.indexQuery) { (try $0.value(0) as String).lowercased() }))
    }

    private static func size(of table: String, _ db: any SQLConnection) throws -> Int64? {
        switch db.dialect {
        case .postgreSQL: try db.firstValue("SELECT pg_total_relation_size(to_regclass(?1::text))", .text(table))
        // The virtual table `dbstat` is an option of SQLite's build.
        case .sqlite: try? db.firstValue("SELECT sum(pgsize) FROM dbstat WHERE lower(name) = lower(?1)", .text(table))
        }
    }

    private static func problems(_ schemas: [SQLSchema], _ found: Found) -> [String] {
        var problems = found.missing
        for schema in schemas {
            let versions = Set(found.migrations.filter { $0.domain == schema.domain }.map(\.version))
            for migration in schema.migrations where !versions.contains(migration.version) {
                problems.append(
                    "\(schema.domain): migration \(migration.version) (\(migration.name)) is not applied; start the server once"
                )
            }
            if let newest = versions.max(), newest > schema.version {
                problems.append(
                    "\(schema.domain): version \(newest) is newer than this program's (\(schema.version)); a newer version of Antena uses this database"
                )
            }
            let indexes = (schema.tables + schema.derivedTables).flatMap(\.indexes)
            for index in indexes where !found.indexes.contains(index.name.lowercased()) {
                problems.append("the index \(index.name) is missing or not valid; lists are slow without it")
            }
        }
        return problems
    }
}
