import GRDB

extension Catalogue {
    private static func table(of section: String) -> String {
        section == "audio" ? AudioTrackRecord.databaseTableName : TitleRecord.databaseTableName
    }

    package func undigestedFiles(
        in section: String, after number: Int64, limit: Int
    ) async throws -> (files: [UndigestedFile], last: Int64) {
        let rows = try await database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT number, id, sourcePath, revision FROM \(Self.table(of: section)) AS record
                    WHERE number > ? AND state = 'ready' AND NOT EXISTS (
                        SELECT 1 FROM contentDigest AS digest
                        WHERE digest.section = ? AND digest.subject = record.id AND digest.revision = record.revision
                    ) ORDER BY number LIMIT ?
                    """, arguments: [number, section, limit]
            ).map { row in (number: row["number"] as Int64, file: try UndigestedFile(row: row)) }
        }
        return (rows.map(\.file), rows.last?.number ?? number)
    }

    package func write(_ digest: ContentDigest) async throws {
        try await write(durability: .soon) { db in try digest.save(db) }
    }

    package func digests(like digest: ContentDigest) async throws -> [ContentDigest] {
        try await database.read { db in
            try ContentDigest.fetchAll(
                db,
                sql: """
                    SELECT digest.* FROM contentDigest AS digest
                    JOIN \(Self.table(of: digest.section)) AS record
                        ON record.id = digest.subject AND record.revision = digest.revision
                    WHERE digest.section = ? AND digest.byteCount = ? AND digest.sample = ?
                        AND digest.original IS NULL AND digest.subject <> ?
                    ORDER BY record.number LIMIT \(Self.maximumAlikeCount)
                    """, arguments: [digest.section, digest.byteCount, digest.sample, digest.subject])
        }
    }

    /// Limit on files with the same sample that are compared; each of them is read completely.
    private static let maximumAlikeCount = 32

    package func noteDuplicate(in section: String, _ id: String, of original: String?) async throws {
        try await write(durability: .soon) { db in
            try db.execute(
                sql: "UPDATE \(Self.table(of: section)) SET duplicateOf = ? WHERE id = ?", arguments: [original, id])
            try db.execute(
                sql: "UPDATE contentDigest SET original = ? WHERE section = ? AND subject = ?",
                arguments: [original, section, id])
        }
    }

    package func forgetDigest(in section: String, of id: String) async throws {
        let table = Self.table(of: section)
        try await write(durability: .soon) { db in
            try db.execute(
                sql: "DELETE FROM contentDigest WHERE section = ? AND subject = ?", arguments: [section, id])
            try db.execute(sql: "UPDATE \(table) SET duplicateOf = NULL WHERE id = ?", arguments: [id])
            let heir = try String.fetchOne(
                db, sql: "SELECT id FROM \(table) WHERE duplicateOf = ? ORDER BY number LIMIT 1", arguments: [id])
            guard let heir else { return }
            try db.execute(
                sql: "UPDATE \(table) SET duplicateOf = nullif(?1, id) WHERE duplicateOf = ?2", arguments: [heir, id])
            try db.execute(
                sql: """
                    UPDATE contentDigest SET original = nullif(?1, subject) WHERE section = ?3 AND original = ?2
                    """, arguments: [heir, id, section])
        }
    }
}
