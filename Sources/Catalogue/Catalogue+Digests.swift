import Database

extension Catalogue {
    private static func table(of section: String) -> String {
        section == "audio" ? AudioTrackRecord.tableName : TitleRecord.tableName
    }

    package func undigestedFiles(
        in section: String, after number: Int64, limit: Int
    ) async throws -> (files: [UndigestedFile], last: Int64) {
        let rows = try await database.read { db in
            try db.rows(
                """
                SELECT number, id, sourcePath, revision FROM \(Self.table(of: section)) AS record
                WHERE number > ?1 AND state = 'ready' AND NOT EXISTS (
                    SELECT 1 FROM contentDigest AS digest
                    WHERE digest.section = ?2 AND digest.subject = record.id AND digest.revision = record.revision
                ) ORDER BY number LIMIT ?3
                """, [.integer(number), .text(section), SQLValue(limit)]
            ) { row in
                (
                    number: try row.value("number") as Int64,
                    file: UndigestedFile(
                        id: try row.value("id"), sourcePath: try row.value("sourcePath"),
                        revision: try row.value("revision"))
                )
            }
        }
        return (rows.map(\.file), rows.last?.number ?? number)
    }

    package func write(_ digest: ContentDigest) async throws {
        try await database.write(durability: .soon) { db in try db.upsert(digest.values, into: ContentDigest.table) }
    }

    package func digests(like digest: ContentDigest) async throws -> [ContentDigest] {
        try await database.read { db in
            try db.rows(
                """
                SELECT \(ContentDigest.table.columnList(of: "digest")) FROM contentDigest AS digest
                JOIN \(Self.table(of: digest.section)) AS record
                    ON record.id = digest.subject AND record.revision = digest.revision
                WHERE digest.section = ?1 AND digest.byteCount = ?2 AND digest.sample = ?3
                    AND digest.original IS NULL AND digest.subject <> ?4
                ORDER BY record.number LIMIT \(Self.maximumAlikeCount)
                """,
                [.text(digest.section), .integer(digest.byteCount), .text(digest.sample), .text(digest.subject)]
            ) { row in try ContentDigest(row) }
        }
    }

    /// Limit on files with the same sample that are compared; each of them is read completely.
    private static let maximumAlikeCount = 32

    package func noteDuplicate(in section: String, _ id: String, of original: String?) async throws {
        try await database.write(durability: .soon) { db in
            try db.execute(
                "UPDATE \(Self.table(of: section)) SET duplicateOf = ?1 WHERE id = ?2", SQLValue(original), .text(id))
            try db.execute(
                "UPDATE contentDigest SET original = ?1 WHERE section = ?2 AND subject = ?3", SQLValue(original),
                .text(section), .text(id))
        }
    }

    package func removeDigest(in section: String, of id: String) async throws {
        let table = Self.table(of: section)
        try await database.write(durability: .soon) { db in
            try db.execute(
                "DELETE FROM contentDigest WHERE section = ?1 AND subject = ?2", .text(section), .text(id))
            try db.execute("UPDATE \(table) SET duplicateOf = NULL WHERE id = ?1", .text(id))
            let heir: String? = try db.firstValue(
                "SELECT id FROM \(table) WHERE duplicateOf = ?1 ORDER BY number LIMIT 1", .text(id))
            guard let heir else { return }
            try db.execute(
                "UPDATE \(table) SET duplicateOf = nullif(?1, id) WHERE duplicateOf = ?2", .text(heir), .text(id))
            try db.execute(
                "UPDATE contentDigest SET original = nullif(?1, subject) WHERE section = ?3 AND original = ?2",
                .text(heir), .text(id), .text(section))
        }
    }
}
