import Database

extension Catalogue {
    /// Inserts a record with a unique ID that is derived from the requested one, or returns the existing record of
    /// the same file.
    func insert<Record: LibraryRecord>(_ record: Record, durability: SQLDurability) async throws -> Record {
        try await database.write(durability: durability) { db in
            if let known = try Record.first(db, "WHERE file = ?1", .text(record.file)) { return known }
            var record = record
            let wanted = record.id.isEmpty ? record.title : record.id
            record.id = try Slug(wanted, fallback: Record.fallbackID).unique { candidate in
                try Record.number(ofID: candidate, db) != nil
            }
            let former = try Self.formerOwner(ofFile: record.file, in: Record.tableName, db)
            try record.insert(db)
            // An older server may have left those of a record that had the ID before.
            try AudienceRows.remove(from: Record.tableName, record.id, db)
            try DetailRows.remove(from: Record.tableName, record.id, db)
            try HeldFileRows.hold(record.id, file: record.file, in: Record.tableName, db)
            if let former { try AudienceRows.noteNames(in: Record.tableName, former, db) }
            // With what follows from other tables.
            return try Record.first(db, "WHERE id = ?1", .text(record.id)) ?? record
        }
    }

    /// The ID of the record whose file formerly had a name; `nil` if there is none.
    private static func formerOwner(
        ofFile name: String, in table: String, _ db: any SQLConnection
    ) throws -> String? {
        try db.firstValue(
            "SELECT subject FROM formerFile WHERE section = ?1 AND file = ?2", .text(table), .text(name))
    }

    /// - Returns: false if there is no record with that ID, revision and file name.
    func replace<Record: LibraryRecord>(_ record: Record, from revision: String) async throws -> Bool {
        try await database.write { db in
            let number: Int64? = try db.firstValue(
                "SELECT number FROM \(Record.tableName) WHERE id = ?1 AND revision = ?2 AND file = ?3\(db.dialect.rowLock)",
                .text(record.id), .text(revision), .text(record.file))
            guard let number else { return false }
            try DetailRows.resolved(record, db).update(number: number, db)
            return true
        }
    }

    /// Inserts the record, or replaces the record with the same ID.
    func store<Record: LibraryRecord>(_ record: Record) async throws {
        try await database.write { db in
            if let number = try Record.number(ofID: record.id, db) {
                try DetailRows.resolved(record, db).update(number: number, db)
            } else {
                try record.insert(db)
            }
        }
    }

    package func makeDurable() async throws { try await database.makeDurable() }
}
