package import MediaCore

/// Brings a domain's tables to the version that this program knows.
///
/// A database without the domain's tables gets them as they are declared, in one transaction. In any other one each
/// migration is one transaction together with the note that it was applied, so that a program that is killed goes on at
/// the next start where it was. Several programs may start at once: the notes are locked meanwhile.
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

    /// Creates the tables in a new database, or applies the migrations that are missing.
    ///
    /// - Throws: ``SQLError`` with `newerSchema` if a newer version of Antena has changed the tables in a way that this
    ///   one cannot work with.
    package func migrate(_ database: any SQLDatabase) async throws {
        guard try await prepare(database) else { return }
        if try await !createTables(database) { try await applyMissing(database) }
    }

    /// Applies the migrations that are missing, in a new database all of them, as the versions that have published them
    /// did.
    ///
    /// - Throws: ``SQLError`` as ``migrate(_:)`` does.
    package func applyMigrations(_ database: any SQLDatabase) async throws {
        if try await prepare(database) { try await applyMissing(database) }
    }

    /// Makes a backup and the table of notes if they are needed.
    ///
    /// - Returns: whether migrations are missing.
    private func prepare(_ database: any SQLDatabase) async throws -> Bool {
        guard try await !missingMigrations(database).isEmpty else { return false }
        if try await database.read({ [self] db in try hasTables(db) }) {
            try await database.prepareMigration(at: wallClock.now())
        }
        try await createNotes(database)
        return true
    }

    /// Creates all tables in a database that has none of the domain.
    ///
    /// - Returns: whether it had none.
    private func createTables(_ database: any SQLDatabase) async throws -> Bool {
        try await database.write(durability: .onDisk, within: SQLTimeLimit.maintenance) { [self] db in
            try db.lockMigrations()
            guard try AppliedMigration.all(schema.domain, db).isEmpty, try !hasTables(db) else { return false }
            try schema.create(db)
            for migration in schema.migrations { try note(migration, db) }
            return true
        }
    }

    private func applyMissing(_ database: any SQLDatabase) async throws {
        for migration in try await missingMigrations(database) {
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
                try note(migration, db)
            }
        }
    }

    private func note(_ migration: SQLMigration, _ db: any SQLConnection) throws {
        let note = AppliedMigration(
            domain: schema.domain, version: migration.version, name: migration.name,
            oldestCompatibleVersion: migration.oldestCompatibleVersion, program: program, appliedAt: wallClock.now())
        try note.insert(db)
    }

    /// In a transaction of its own, because only a table that exists can be locked.
    private func createNotes(_ database: any SQLDatabase) async throws {
        do {
            try await database.write { db in try AppliedMigration.createTable(db) }
        } catch let error as SQLError where error.code != .unavailable {
            // PostgreSQL refuses the second of two programs that create a table at once.
            guard try await database.read({ db in try db.hasTable(AppliedMigration.table.name) }) else { throw error }
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
    private func hasTables(_ db: any SQLConnection) throws -> Bool {
        try schema.tableNames.contains { try db.hasTable($0) }
    }
}

extension SQLConnection {
    /// Lets no other program migrate until this transaction ends.
    fileprivate func lockMigrations() throws(SQLError) {
        guard let statement = dialect.migrationLock(onTable: AppliedMigration.table.name) else { return }
        try execute(statement)
    }
}
