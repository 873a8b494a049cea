import Database

extension Catalogue {
    package func moveTitle(id: String, from oldName: String, to file: MovedFile) async throws -> TitleRecord? {
        try await move(TitleRecord.self, id: id, from: oldName, to: file)
    }

    package func moveTrack(id: String, from oldName: String, to file: MovedFile) async throws -> AudioTrackRecord? {
        try await move(AudioTrackRecord.self, id: id, from: oldName, to: file)
    }

    package func digest(in section: String, of id: String) async throws -> ContentDigest? {
        try await database.read { db in
            try ContentDigest.first(db, "WHERE section = ?1 AND subject = ?2", .text(section), .text(id))
        }
    }

    private func move<Record: LibraryRecord>(
        _ type: Record.Type, id: String, from oldName: String, to file: MovedFile
    ) async throws -> Record? {
        try await database.write { db in
            let table = Record.tableName
            guard try !db.exists("SELECT 1 FROM \(table) WHERE file = ?1", .text(file.name)),
                let number = try Record.number(ofID: id, db),
                var record = try Record.first(
                    db, "WHERE id = ?1 AND file = ?2\(db.dialect.rowLock)", .text(id), .text(oldName))
            else { return nil }
            if record.mediaPath == record.sourcePath { record.mediaPath = file.path }
            record.file = file.name
            record.sourcePath = file.path
            if let details = file.details {
                record.fileDetails = details
                record = try DetailRows.resolved(record, db)
            }
            try record.update(number: number, db)
            let former: String? = try db.firstValue(
                "SELECT subject FROM formerFile WHERE section = ?1 AND file = ?2", .text(table), .text(file.name))
            try FormerName.claim(file.name, in: table, db)
            if let former { try AudienceRows.noteNames(in: table, former, db) }
            try FormerName.note(oldName, of: id, in: table, db)
            try AudienceRows.noteNames(in: table, id, db)
            return try Record.first(db, "WHERE number = ?1", .integer(number)) ?? record
        }
    }

    /// The record of a file that formerly had the name; `nil` if there is none.
    static func record<Record: LibraryRecord>(
        formerlyOfFile name: String, _ db: any SQLConnection
    ) throws -> Record? {
        try Record.first(
            db, "WHERE id = (SELECT subject FROM formerFile WHERE section = ?1 AND file = ?2)",
            .text(Record.tableName), .text(name))
    }
}
