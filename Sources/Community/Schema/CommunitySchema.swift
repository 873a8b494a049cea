import Catalogue
package import Database

/// The tables of the community. Times are milliseconds since 1970 in UTC. Members are named by the IDs of their
/// accounts, and titles by their row numbers; see `TitleRows`.
package enum CommunitySchema {
    package static let schema = SQLSchema(
        domain: "community", migrations: CommunityMigrations.all,
        tables: CompetitionSchema.tables + VideoSchema.tables + MemberSchema.tables + ModerationSchema.tables
            + [UploadSchema.uploads, MapSchema.maps],
        fullTextTables: [VideoSchema.textTable]
    ) { db in try rebuildSearch(db) }

    /// Number of videos that are indexed by one round of ``rebuildSearch(_:)``.
    private static let batchSize = 1_000

    private static func rebuildSearch(_ db: any SQLConnection) throws {
        try db.execute("DELETE FROM \(VideoSchema.textTable)")
        var last: Int64? = 0
        while let number = last {
            let rows = try db.rows(
                "SELECT number, name, text, tags FROM communityVideo WHERE number > ?1 ORDER BY number LIMIT ?2",
                [.integer(number), SQLValue(batchSize)]
            ) { row in
                (
                    number: try row.value("number") as Int64,
                    text: try [row.value("name"), row.value("tags"), row.value("text")] as [String]
                )
            }
            for row in rows { try VideoText.insert(row.text, of: row.number, db) }
            last = rows.count == batchSize ? rows.last?.number : nil
        }
    }
}
