import GRDB

extension Catalogue {
    package func moveTitle(id: String, from oldName: String, to file: MovedFile) async throws -> TitleRecord? {
        try await move(TitleRecord.self, id: id, from: oldName, to: file)
    }

    package func moveTrack(id: String, from oldName: String, to file: MovedFile) async throws -> AudioTrackRecord? {
        try await move(AudioTrackRecord.self, id: id, from: oldName, to: file)
    }

    package func digest(in section: String, of id: String) async throws -> ContentDigest? {
        try await database.read { db in
            try ContentDigest.fetchOne(
                db, sql: "SELECT * FROM contentDigest WHERE section = ? AND subject = ?", arguments: [section, id])
        }
    }

    private func move<Record: CatalogueRecord & SearchableRecord>(
        _ type: Record.Type, id: String, from oldName: String, to file: MovedFile
    ) async throws -> Record? {
        try await write(durability: .onDisk) { db in
            let table = Record.databaseTableName
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM \(table) WHERE id = ? AND file = ?", arguments: [id, oldName])
            let isTaken = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE file = ?)", arguments: [file.name])
            guard let row, let number: Int64 = row["number"], isTaken == false else { return nil }
            var record = try Record(row: row)
            if record.mediaPath == record.sourcePath { record.mediaPath = file.path }
            record.file = file.name
            record.sourcePath = file.path
            record.title = file.title ?? record.title
            try Self.update(record, number: number, db)
            try Self.claimFormerName(file.name, in: table, db)
            try db.execute(
                sql: "INSERT OR REPLACE INTO formerFile(section, file, subject) VALUES (?, ?, ?)",
                arguments: [table, oldName, id])
            return record
        }
    }

    /// Removes the former name, because a file has that name again.
    static func claimFormerName(_ name: String, in table: String, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM formerFile WHERE section = ? AND file = ?")
            .execute(arguments: [table, name])
    }

    /// The record of a file that formerly had the name; `nil` if there is none.
    static func record<Record: CatalogueRecord>(formerlyOfFile name: String, _ db: Database) throws -> Record? {
        let table = Record.databaseTableName
        return try Record.fetchOne(
            db,
            sql: "SELECT * FROM \(table) WHERE id = (SELECT subject FROM formerFile WHERE section = ? AND file = ?)",
            arguments: [table, name])
    }
}
