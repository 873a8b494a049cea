package import Database

/// The catalogue's tables and the way to them.
package enum CatalogueSchema {
    package static let schema = SQLSchema(
        domain: "catalogue", migrations: CatalogueMigrations.all,
        tables: [
            TitleRecord.table, AudioTrackRecord.table, JobRecord.table, ContentDigest.table, FormerName.table,
            JobCounter.table, AudienceRows.rules, AudienceRows.grants, AudienceRows.holds, DetailRows.table,
            ShelfRows.listings, HeldFileRows.table,
        ],
        derivedTables: [ShelfRows.shelves, CollectionRows.ofTitles, CollectionRows.ofTracks],
        fullTextTables: [
            TitleRecord.searchTableName, AudioTrackRecord.searchTableName, TitleRecord.pieceTableName,
            AudioTrackRecord.pieceTableName,
        ]
    ) { db in
        try rebuildSearch(TitleRecord.self, db)
        try rebuildSearch(AudioTrackRecord.self, db)
        try TitleRecord.rebuildLists(db)
        try AudioTrackRecord.rebuildPieces(db)
        try CollectionRows.rebuildAll(db)
    }

    private static func rebuildSearch<Record: LibraryRecord>(
        _ type: Record.Type, _ db: any SQLConnection
    ) throws {
        try db.execute("DELETE FROM \(Record.searchTableName)")
        try Record.forEach(db) { record, number in
            try db.execute(
                "INSERT INTO \(Record.searchTableName)(rowid, text) VALUES (?1, ?2)", .integer(number),
                .text(record.indexedText))
        }
    }
}
