package import MediaCore

/// Brings a domain's tables to the version that this program knows.
///
/// Each migration is one transaction together with the note that it was applied, so that a program that is killed goes
/// on at the next start where it was. Several programs may start at once: the notes are locked meanwhile.
package struct SQLMigrator: Sendable {
    private let schema: SQLSchema
    private let program: String
    private let wallClock: WallClock

    /// - Parameters:
    ///   - schema: the domain's tables.
    ///   - program: this version of Antena, for the sentence that a version that is too old shows.
    ///   - wallClock: tells the time that is noted with a migration and in the name of a backup.
    package init(_ schema: SQLSchema, program: String, wallClock: WallClock = .system) {
        self.schema = schema
        self.program = program
        self.wallClock = wallClock
    }

    /// Applies the migrations that are missing.
    ///
    /// - Throws: ``SQLError`` with `newerSchema` if a newer version of Antena has changed the tables in a way that this
    ///   one cannot work with.
    package func migrate(_ database: any SQLDatabase) async throws {
        let missing = try await missingMigrations(database)
        guard !missing.isEmpty else { return }
        if try await hasTables(database) { try await database.prepareMigration(at: wallClock.now()) }
        try await createNotes(database)
        for migration in missing {
            try await database.write(durability: .onDisk, within: SQLTimeLimit.maintenance) { [self] db in
                try db.lockMigrations()
                // Another program may have applied it meanwhile.
                let applied = try AppliedMigration.all(schema.domain, db)
                guard
                    try missingMigrations(applied, in: database.address).contains(where: {
                        $0.version == migration.version
                    })
                else { return }
                try migration.apply(db)
                try db.execute(
                    """
                    INSERT INTO \(AppliedMigration.table)
                        (domain, version, name, oldestCompatibleVersion, program, appliedAt)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                    """, .text(schema.domain), SQLValue(migration.version), .text(migration.name),
                    SQLValue(migration.oldestCompatibleVersion), .text(program),
                    .integer(wallClock.now().millisecondsSince1970))
            }
        }
    }

    /// In a transaction of its own, because only a table that exists can be locked.
    private func createNotes(_ database: any SQLDatabase) async throws {
        do {
            try await database.write { db in try AppliedMigration.createTable(db) }
        } catch let error as SQLError where error.code != .unavailable {
            // PostgreSQL refuses the second of two programs that create a table at once.
            guard try await database.read({ db in try db.hasTable(AppliedMigration.table) }) else { throw error }
        }
    }

    /// The migrations that ``migrate(_:)`` would apply.
    ///
    /// - Throws: ``SQLError`` with `newerSchema` if this program cannot work with what was applied.
    package func missingMigrations(_ database: any SQLDatabase) async throws -> [SQLMigration] {
        let applied = try await database.read { [schema] db in try AppliedMigration.all(schema.domain, db) }
        return try missingMigrations(applied, in: database.address)
    }

    /// - Throws: ``SQLError`` if this program cannot work with what was applied.
    func missingMigrations(_ applied: [AppliedMigration], in address: String) throws(SQLError) -> [SQLMigration] {
        if let last = applied.last, last.version > schema.version {
            let oldest = applied.map(\.oldestCompatibleVersion).max() ?? 0
            guard oldest <= schema.version else {
                throw SQLError(
                    .newerSchema,
                    """
                    the database \(address) was changed by a newer version of Antena (\(schema.domain) has version \
                    \(last.version), this program knows \(schema.version)). Install Antena \(last.program) or newer, \
                    or restore a backup
                    """)
            }
        }
        let versions = Set(applied.map(\.version))
        return schema.migrations.filter { !versions.contains($0.version) }
    }

    /// Whether the database holds anything that a migration could damage.
    private func hasTables(_ database: any SQLDatabase) async throws -> Bool {
        try await database.read { [schema] db in
            try schema.tables.contains { try db.hasTable($0.name) }
        }
    }
}

extension SQLConnection {
    /// Lets no other program migrate until this transaction ends.
    fileprivate func lockMigrations() throws(SQLError) {
        guard let statement = dialect.migrationLock(onTable: AppliedMigration.table) else { return }
        try execute(statement)
    }
}
