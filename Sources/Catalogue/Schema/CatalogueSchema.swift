package import Database

/// The catalogue's tables and the way to them.
package enum CatalogueSchema {
    package static let schema = SQLSchema(
        domain: "catalogue",
        migrations: [
            SQLMigration(1, "titles, audio tracks and jobs", oldestCompatibleVersion: 1) { db in
                try LegacyCatalogueSchema.upgrade(db)
                try createTables(db)
            },
            SQLMigration(2, "stored words, and lists in order without the rows", oldestCompatibleVersion: 1) { db in
                try storeWords(db)
                try coverLists(db)
            },
            // A server of the version before leaves both tables alone, and watches over nothing.
            SQLMigration(3, "audiences of single titles and tracks", oldestCompatibleVersion: 1) { db in
                try AudienceRows.createTables(db)
            },
            // A server of the version before shows and writes the names that it knows; the next write of a record by
            // this one shows again what was chosen.
            SQLMigration(4, "details of titles and tracks, and what operators chose", oldestCompatibleVersion: 1) {
                db in
                try DetailRows.createTable(db)
                for table in ["title", "audioTrack"] {
                    try db.execute(
                        "CREATE INDEX \(table)_duration ON \(table)((\(RecordOrder.durationKey)), id)")
                }
            },
            // A server of the version before shows the covers that are in the files.
            SQLMigration(
                5, "covers of tracks beside their files, and those that operators chose",
                oldestCompatibleVersion: 1
            ) { db in
                for column in CoverColumns.names {
                    try db.execute(
                        "ALTER TABLE \(AudioTrackRecord.tableName) ADD COLUMN \(column) \(db.dialect.name(of: .text))")
                }
            },
            // What a server of the version before writes comes onto the shelves a little later; see
            // `ShelfRows.placeAgain`.
            SQLMigration(6, "shelves: lists by section, genre, price and rating", oldestCompatibleVersion: 1) { db in
                try ShelfRows.createTables(db)
                for statement in db.dialect.fullTextTable(TitleRecord.pieceTableName) { try db.execute(statement) }
                try TitleRecord.rebuildLists(db)
            },
            // A server of the version before shows what is held, for the time for which both run.
            SQLMigration(7, "titles and tracks that are unlisted or hidden", oldestCompatibleVersion: 1) { db in
                try AudienceRows.createHolds(db)
            },
            // A server of the version before would list what members send; it takes no files from them.
            SQLMigration(8, "files that members send", oldestCompatibleVersion: 1) { db in
                try HeldFileRows.createTable(db)
            },
            // A server of the version before leaves descriptions out of the pieces of what it changes.
            SQLMigration(9, "search inside the words of descriptions", oldestCompatibleVersion: 1) { db in
                try TitleKindRows.addColumns(db)
                try TitleRecord.refreshPieces(db)
            },
            // What a server of the version before writes about titles comes into series as it comes onto shelves;
            // tracks come into albums with the next write of their record.
            SQLMigration(10, "series, albums and artists", oldestCompatibleVersion: 1) { db in
                try TitleKindRows.addColumns(db)
                try CollectionRows.createTables(db)
                try CollectionRows.rebuildAll(db)
            },
            // A server of the version before leaves tracks that it adds out of the pieces.
            SQLMigration(11, "search inside the words of tracks", oldestCompatibleVersion: 1) { db in
                for statement in db.dialect.fullTextTable(AudioTrackRecord.pieceTableName) { try db.execute(statement) }
                try AudioTrackRecord.rebuildPieces(db)
            },
            // What a server of the version before adds is a film, until it is placed again with its kind.
            SQLMigration(12, "kinds of titles", oldestCompatibleVersion: 1) { db in
                // The migrations that read titles as this version does have added them, too.
                try TitleKindRows.addColumns(db)
                for index in TitleKindRows.indexes {
                    try db.execute("CREATE INDEX IF NOT EXISTS \(index.name) ON \(index.columns)")
                }
                try TitleKindRows.refreshAll(db)
            },
        ],
        tables: [
            TitleRecord.table, AudioTrackRecord.table, JobRecord.table, ContentDigest.table, FormerName.table,
            JobCounter.table, AudienceRows.rules, AudienceRows.grants, AudienceRows.holds, DetailRows.table,
            ShelfRows.listings, HeldFileRows.table,
        ],
        indexes: indexes.map(\.name) + ["title_duration", "audioTrack_duration"] + ShelfRows.indexes.map(\.name)
            + CollectionRows.indexes.map(\.name) + TitleKindRows.indexes.map(\.name),
        derivedTables: [
            TitleRecord.searchTableName, AudioTrackRecord.searchTableName, TitleRecord.pieceTableName,
            AudioTrackRecord.pieceTableName, ShelfRows.shelves.name, CollectionRows.ofTitles.name,
            CollectionRows.ofTracks.name,
        ]
    ) { db in
        try rebuildSearch(TitleRecord.self, db)
        try rebuildSearch(AudioTrackRecord.self, db)
        try TitleRecord.rebuildLists(db)
        try AudioTrackRecord.rebuildPieces(db)
        try CollectionRows.rebuildAll(db)
    }

    private static let indexes: [(name: String, columns: String)] =
        ["title", "audioTrack"].flatMap { table in
            [
                // The order of all lists; keyset paging uses this index.
                ("\(table)_order", "\(table)(sortKey, id)"),
                // Lists of the newest, and the count of those that play.
                ("\(table)_newest", "\(table)(state, number)"),
                ("\(table)_duplicateOf", "\(table)(duplicateOf) WHERE duplicateOf IS NOT NULL"),
            ]
        } + [
            ("job_state", "job(state, number)"),
            // Only originals are compared, so a thousand copies of a film cause no extra work.
            ("contentDigest_sample", "contentDigest(section, byteCount, sample) WHERE original IS NULL"),
            ("contentDigest_original", "contentDigest(section, original) WHERE original IS NOT NULL"),
            ("formerFile_subject", "formerFile(section, subject)"),
        ]

    /// Creates what does not exist. Files of the versions before this layer have all tables, with types of other names
    /// that mean the same to SQLite.
    private static func createTables(_ db: any SQLConnection) throws {
        try createLibraryTable(TitleRecord.self, db)
        try createLibraryTable(AudioTrackRecord.self, db)
        try createSmallTables(db)
        for index in indexes { try db.execute("CREATE INDEX IF NOT EXISTS \(index.name) ON \(index.columns)") }
    }

    private static let requiredColumns: Set<String> = [
        "id", "title", "file", "sourcePath", "state", "byteCount", "modifiedAt", "revision", "addedAt",
    ]
    private static let uniqueColumns: Set<String> = ["id", "file"]

    private static func createLibraryTable<Record: LibraryRecord>(
        _ type: Record.Type, _ db: any SQLConnection
    ) throws {
        let first = Record.table.columns.filter {
            !(DetailRows.addedColumns + [DetailRows.posterColumn, TitleKindRows.column] + CoverColumns.names)
                .contains($0.name)
        }
        let definitions = first.map { column in
            switch column.name {
            case "number": "number \(db.dialect.identityColumn)"
            case "sortKey": "sortKey \(db.dialect.name(of: .text)) NOT NULL DEFAULT ''"
            default:
                "\(column.name) \(db.dialect.name(of: column.type))"
                    + (requiredColumns.contains(column.name) ? " NOT NULL" : "")
                    + (uniqueColumns.contains(column.name) ? " UNIQUE" : "")
            }
        }
        try db.execute("CREATE TABLE IF NOT EXISTS \(Record.tableName)(\(definitions.joined(separator: ", ")))")
        for statement in db.dialect.firstFullTextTable(Record.searchTableName) { try db.execute(statement) }
    }

    private static func createSmallTables(_ db: any SQLConnection) throws {
        let (text, integer, real) = (
            db.dialect.name(of: .text), db.dialect.name(of: .integer), db.dialect.name(of: .real)
        )
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS job(
                number \(db.dialect.identityColumn), kind \(text) NOT NULL, subject \(text), section \(text),
                file \(text) NOT NULL, origin \(text), byteCount \(integer), state \(text) NOT NULL, phase \(text),
                progress \(real), error \(text), attempt \(integer) NOT NULL, priority \(integer) NOT NULL,
                createdAt \(text) NOT NULL, startedAt \(text), endedAt \(text), message \(text), parameters \(text))
            """)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS contentDigest(
                section \(text) NOT NULL, subject \(text) NOT NULL, revision \(text) NOT NULL,
                byteCount \(integer) NOT NULL, sample \(text) NOT NULL, whole \(text), original \(text),
                PRIMARY KEY (section, subject))
            """)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS formerFile(
                section \(text) NOT NULL, file \(text) NOT NULL, subject \(text) NOT NULL,
                PRIMARY KEY (section, file))
            """)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS \(JobCounter.table.name)(
                name \(text) PRIMARY KEY, value \(integer) NOT NULL)
            """)
    }

    private static func storeWords(_ db: any SQLConnection) throws {
        for table in [TitleRecord.searchTableName, AudioTrackRecord.searchTableName] {
            for statement in db.dialect.fullTextUpgrade(of: table) { try db.execute(statement) }
        }
    }

    /// Lets a search that finds many records walk the order of the list without reading the rows that do not match.
    private static func coverLists(_ db: any SQLConnection) throws {
        for table in [TitleRecord.tableName, AudioTrackRecord.tableName] {
            let end = db.dialect.includingRowNumber("number")
            guard !end.isEmpty else { continue }
            try db.execute("DROP INDEX IF EXISTS \(table)_order")
            try db.execute("CREATE INDEX \(table)_order ON \(table)(sortKey, id)\(end)")
        }
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
