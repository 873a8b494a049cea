import Crypto
import MediaCore

/// Copies all tables of some domains from one database into another, whichever engines they have, and verifies the
/// copy.
///
/// The copy goes on where it was if it is started again: rows are written in the order of their keys, in batches, and
/// each batch notes in the same transaction how far it has come. At the end both sides are read again and compared,
/// count by count and checksum by checksum.
package struct DatabaseCopy: Sendable {
    /// How far a copy has come.
    package struct Progress: Sendable, Equatable {
        package var table: String
        package var copiedCount: Int64
        package var totalCount: Int64
    }

    /// A table that was copied and compared.
    package struct VerifiedTable: Sendable, Equatable {
        package var name: String
        package var rowCount: Int64
        /// SHA-256 of all rows, the same on both sides; hexadecimal.
        package var checksum: String
    }

    private let schemas: [SQLSchema]
    private let program: String
    private let batchSize: Int
    private let onProgress: @Sendable (Progress) -> Void

    package static let defaultBatchSize = 1_000

    /// - Parameters:
    ///   - schemas: the domains to copy.
    ///   - program: this version of Antena; see ``SQLMigrator``.
    ///   - batchSize: number of rows of a transaction.
    ///   - onProgress: called after each batch.
    package init(
        _ schemas: [SQLSchema], program: String, batchSize: Int = Self.defaultBatchSize,
        onProgress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) {
        self.schemas = schemas
        self.program = program
        self.batchSize = max(1, batchSize)
        self.onProgress = onProgress
    }

    /// Copies and verifies. Both databases are migrated first; nobody may write to either meanwhile.
    ///
    /// - Throws: ``SQLError`` if the target holds rows that no copy has written, or the sides differ at the end.
    package func run(from source: any SQLDatabase, to target: any SQLDatabase) async throws -> [VerifiedTable] {
        for schema in schemas {
            try await SQLMigrator(schema, program: program).migrate(source)
            try await SQLMigrator(schema, program: program).migrate(target)
        }
        try await CopyNote.begin(schemas.flatMap(\.tables), in: target)
        for table in schemas.flatMap(\.tables) { try await copy(table, source, target) }
        try await finish(target)
        var verified: [VerifiedTable] = []
        for table in schemas.flatMap(\.tables) { verified.append(try await verify(table, source, target)) }
        try await CopyNote.end(in: target)
        return verified
    }

    // MARK: Copying

    private func copy(_ table: SQLTable, _ source: any SQLDatabase, _ target: any SQLDatabase) async throws {
        let total: Int64 = try await count(table, source)
        let upsert = table.upsert
        var note = try await CopyNote.of(table, in: target)
        while !note.isComplete {
            let rows = try await batch(table, after: note.lastKey, source)
            let next = CopyNote(
                lastKey: rows.last.map { table.key(of: $0) } ?? note.lastKey,
                copiedCount: note.copiedCount + Int64(rows.count), isComplete: rows.count < batchSize)
            try await target.write(durability: .onDisk, within: SQLTimeLimit.maintenance) { db in
                for row in rows { try db.execute(upsert, row) }
                try next.store(table, db)
            }
            note = next
            onProgress(Progress(table: table.name, copiedCount: note.copiedCount, totalCount: total))
        }
    }

    /// Rows in the order of the key; all columns.
    private func batch(
        _ table: SQLTable, after key: [SQLValue]?, _ database: any SQLDatabase
    ) async throws -> [[SQLValue]] {
        let statement = table.page(after: key, limit: batchSize)
        return try await database.read(within: SQLTimeLimit.maintenance) { db in
            try db.rows(statement.sql, statement.arguments) { row in try row.values(of: table) }
        }
    }

    private func count(_ table: SQLTable, _ database: any SQLDatabase) async throws -> Int64 {
        try await database.read(within: SQLTimeLimit.maintenance) { db in
            try db.firstValue("SELECT count(*) FROM \(table.name)") ?? 0
        }
    }

    /// Writes the data that follows from the rows: the engine's counters and the derived tables.
    private func finish(_ target: any SQLDatabase) async throws {
        for schema in schemas {
            try await target.write(durability: .onDisk, within: SQLTimeLimit.maintenance) { db in
                for table in schema.tables where table.isNumbered {
                    let statement = db.dialect.numberingStatement(table: table.name, column: table.key[0])
                    if let statement { try db.execute(statement) }
                }
                try schema.rebuildDerivedTables(db)
            }
        }
    }

    // MARK: Verifying

    private func verify(
        _ table: SQLTable, _ source: any SQLDatabase, _ target: any SQLDatabase
    ) async throws -> VerifiedTable {
        let expected = try await checksum(table, source)
        let found = try await checksum(table, target)
        guard expected == found else {
            // The next run copies this table again, and does not trust its note.
            try await target.write { db in try CopyNote.start.store(table, db) }
            throw SQLError(
                .failed,
                """
                the copy of \(table.name) differs: \(expected.rowCount) rows in \(source.address), \(found.rowCount) \
                in \(target.address), or other contents. Stop every server that uses them, and copy again
                """)
        }
        return found
    }

    private func checksum(_ table: SQLTable, _ database: any SQLDatabase) async throws -> VerifiedTable {
        var hash = SHA256()
        var count: Int64 = 0
        var key: [SQLValue]?
        while true {
            let rows = try await batch(table, after: key, database)
            for row in rows { for value in row { hash.update(data: Self.canonical(value)) } }
            count += Int64(rows.count)
            guard rows.count == batchSize, let last = rows.last else { break }
            key = table.key(of: last)
        }
        return VerifiedTable(name: table.name, rowCount: count, checksum: hash.finalize().hexadecimalDigits)
    }

    /// A value with its type and length, so that no two rows have the same bytes.
    private static func canonical(_ value: SQLValue) -> [UInt8] {
        func tagged(_ tag: UInt8, _ bytes: some Collection<UInt8>) -> [UInt8] {
            var result = [tag]
            withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { result += $0 }
            return result + bytes
        }
        return switch value {
        case .null: [0]
        case .integer(let number): tagged(1, withUnsafeBytes(of: number.bigEndian) { Array($0) })
        case .real(let number): tagged(2, withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) })
        case .text(let text): tagged(3, Array(text.utf8))
        case .blob(let bytes): tagged(4, bytes)
        }
    }
}
