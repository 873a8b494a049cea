import GRDB

extension Catalogue {
    /// Rebuilds the search table from its own text, row by row.
    private static func indexSearch<Record: SearchableRecord & CatalogueRecord>(
        of type: Record.Type, _ db: Database
    ) throws {
        let table = Record.searchTableName
        let rows = try Row.fetchAll(db, sql: "SELECT rowid, text FROM \(table)")
        for row in rows {
            let (number, text): (Int64, String) = (row["rowid"], row["text"])
            let folded = SearchText(text).folded
            guard folded != text else { continue }
            try db.execute(sql: "UPDATE \(table) SET text = ? WHERE rowid = ?", arguments: [folded, number])
        }
    }

    /// All migrations. Each runs once, in this order; a published migration is never edited.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: titles and audio tracks") { db in
            try db.create(table: "title") { table in
                table.autoIncrementedPrimaryKey("number")
                table.column("id", .text).notNull().unique()
                table.column("title", .text).notNull()
                table.column("file", .text).notNull().unique()
                table.column("sourcePath", .text).notNull()
                table.column("mediaPath", .text)
                table.column("state", .text).notNull().indexed()
                table.column("progress", .double)
                table.column("error", .text)
                table.column("ingestSeconds", .double)
                table.column("duration", .double)
                table.column("width", .integer)
                table.column("height", .integer)
                table.column("frameRate", .double)
                table.column("videoCodec", .text)
                table.column("audioCodec", .text)
                table.column("byteCount", .integer).notNull()
                table.column("modifiedAt", .datetime).notNull()
                table.column("revision", .text).notNull()
                table.column("poster", .text)
                table.column("addedAt", .datetime).notNull()
            }
            try db.create(table: "audioTrack") { table in
                table.autoIncrementedPrimaryKey("number")
                table.column("id", .text).notNull().unique()
                table.column("title", .text).notNull()
                table.column("artist", .text)
                table.column("album", .text)
                table.column("year", .integer)
                table.column("trackNumber", .integer)
                table.column("genre", .text)
                table.column("file", .text).notNull().unique()
                table.column("sourcePath", .text).notNull()
                table.column("mediaPath", .text)
                table.column("state", .text).notNull().indexed()
                table.column("error", .text)
                table.column("ingestSeconds", .double)
                table.column("duration", .double)
                table.column("codec", .text)
                table.column("sampleRate", .integer)
                table.column("channels", .integer)
                table.column("byteCount", .integer).notNull()
                table.column("modifiedAt", .datetime).notNull()
                table.column("revision", .text).notNull()
                table.column("cover", .text)
                table.column("coverMediaType", .text)
                table.column("addedAt", .datetime).notNull()
            }
            for table in ["title", "audioTrack"] {
                // The order of all lists; keyset paging uses this index.
                try db.execute(sql: "CREATE INDEX \(table)_order ON \(table)(title COLLATE NOCASE, id)")
                try db.execute(
                    sql: """
                        CREATE VIRTUAL TABLE \(table)Search
                        USING fts5(text, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3')
                        """)
            }
        }
        migrator.registerMigration("2: lists in the order of sort keys") { db in
            for table in ["title", "audioTrack"] {
                try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN sortKey TEXT NOT NULL DEFAULT ''")
                for row in try Row.fetchAll(db, sql: "SELECT number, title FROM \(table)") {
                    let (number, title): (Int64, String) = (row["number"], row["title"])
                    try db.execute(
                        sql: "UPDATE \(table) SET sortKey = ? WHERE number = ?",
                        arguments: [SortKey(title).text, number])
                }
                try db.execute(sql: "DROP INDEX \(table)_order")
                try db.execute(sql: "CREATE INDEX \(table)_order ON \(table)(sortKey, id)")
            }
        }
        migrator.registerMigration("3: jobs") { db in
            try db.create(table: "job") { table in
                // Job numbers are never reused, even after a job is deleted.
                table.autoIncrementedPrimaryKey("number")
                table.column("kind", .text).notNull()
                table.column("subject", .text)
                table.column("section", .text)
                table.column("file", .text).notNull()
                table.column("origin", .text)
                table.column("byteCount", .integer)
                table.column("state", .text).notNull().indexed()
                table.column("phase", .text)
                table.column("progress", .double)
                table.column("error", .text)
                table.column("attempt", .integer).notNull()
                table.column("priority", .integer).notNull()
                table.column("createdAt", .datetime).notNull()
                table.column("startedAt", .datetime)
                table.column("endedAt", .datetime)
            }
        }
        migrator.registerMigration("4: duplicates") { db in
            for table in ["title", "audioTrack"] {
                try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN duplicateOf TEXT")
                try db.execute(
                    sql: "CREATE INDEX \(table)_duplicateOf ON \(table)(duplicateOf) WHERE duplicateOf IS NOT NULL")
            }
            try db.create(table: "contentDigest") { table in
                table.column("section", .text).notNull()
                table.column("subject", .text).notNull()
                table.column("revision", .text).notNull()
                table.column("byteCount", .integer).notNull()
                table.column("sample", .text).notNull()
                table.column("whole", .text)
                table.column("original", .text)
                table.primaryKey(["section", "subject"])
            }
            // Only originals are compared, so a thousand copies of a film cause no extra work.
            try db.execute(
                sql: """
                    CREATE INDEX contentDigest_sample ON contentDigest(section, byteCount, sample)
                    WHERE original IS NULL
                    """)
            try db.execute(
                sql: """
                    CREATE INDEX contentDigest_original ON contentDigest(section, original)
                    WHERE original IS NOT NULL
                    """)
        }
        migrator.registerMigration("5: pictures") { db in
            for column in ["posterTime DOUBLE", "uploadedPoster TEXT", "storyboard TEXT", "leftOut TEXT"] {
                try db.execute(sql: "ALTER TABLE title ADD COLUMN \(column)")
            }
        }
        migrator.registerMigration("5: what jobs have to say") { db in
            try db.execute(sql: "ALTER TABLE job ADD COLUMN message TEXT")
        }
        migrator.registerMigration("5: what jobs are asked for") { db in
            try db.execute(sql: "ALTER TABLE job ADD COLUMN parameters TEXT")
        }
        migrator.registerMigration("6: names that files had before") { db in
            try db.create(table: "formerFile") { table in
                table.column("section", .text).notNull()
                table.column("file", .text).notNull()
                table.column("subject", .text).notNull()
                table.primaryKey(["section", "file"])
            }
            try db.execute(sql: "CREATE INDEX formerFile_subject ON formerFile(section, subject)")
        }
        migrator.registerMigration("7: search without case, marks and ligatures") { db in
            try Self.indexSearch(of: TitleRecord.self, db)
            try Self.indexSearch(of: AudioTrackRecord.self, db)
        }
        return migrator
    }
}
