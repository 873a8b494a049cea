package import Database

/// The catalogue's tables and the way to them.
package enum CatalogueSchema {
    package static let schema = SQLSchema(
        domain: "catalogue",
        migrations: [
            SQLMigration(1, "titles, audio tracks and jobs", oldestCompatibleVersion: 1) { db in
                try LegacyCatalogueSchema.upgrade(db)
                try createTables(db)
            }
        ],
        tables: [
            SQLTable(TitleRecord.tableName, TitleRecord.Column.tableColumns, key: ["number"], isNumbered: true),
            SQLTable(
                AudioTrackRecord.tableName, AudioTrackRecord.Column.tableColumns, key: ["number"], isNumbered: true),
            SQLTable(JobRecord.tableName, JobRecord.Column.tableColumns, key: ["number"], isNumbered: true),
            SQLTable(ContentDigest.tableName, ContentDigest.Column.tableColumns, key: ["section", "subject"]),
            SQLTable(FormerName.tableName, FormerName.Column.tableColumns, key: ["section", "file"]),
            SQLTable(JobCounter.tableName, [.init("name", .text), .init("value", .integer)], key: ["name"]),
        ],
        indexes: indexes.map(\.name),
        derivedTables: [TitleRecord.searchTableName, AudioTrackRecord.searchTableName]
    ) { db in
        try rebuildSearch(TitleRecord.self, db)
        try rebuildSearch(AudioTrackRecord.self, db)
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
        let unique: Set<String> = ["id", "file"]
        for (table, required) in [
            (
                "title",
                ["id", "title", "file", "sourcePath", "state", "byteCount", "modifiedAt", "revision", "addedAt"]
            ),
            (
                "audioTrack",
                ["id", "title", "file", "sourcePath", "state", "byteCount", "modifiedAt", "revision", "addedAt"]
            ),
        ] {
            let columns = table == "title" ? TitleRecord.Column.tableColumns : AudioTrackRecord.Column.tableColumns
            let definitions = columns.map { column in
                switch column.name {
                case "number": "number \(db.dialect.identityColumn)"
                case "sortKey": "sortKey \(db.dialect.name(of: .text)) NOT NULL DEFAULT ''"
                default:
                    "\(column.name) \(db.dialect.name(of: column.type))"
                        + (required.contains(column.name) ? " NOT NULL" : "")
                        + (unique.contains(column.name) ? " UNIQUE" : "")
                }
            }
            try db.execute("CREATE TABLE IF NOT EXISTS \(table)(\(definitions.joined(separator: ", ")))")
            for statement in db.dialect.fullTextTable("\(table)Search") { try db.execute(statement) }
        }
        try createSmallTables(db)
        for index in indexes { try db.execute("CREATE INDEX IF NOT EXISTS \(index.name) ON \(index.columns)") }
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
            CREATE TABLE IF NOT EXISTS \(JobCounter.tableName)(
                name \(text) PRIMARY KEY, value \(integer) NOT NULL)
            """)
    }

    /// Number of records that are indexed by one round of ``rebuildSearch(_:_:)``.
    private static let batchSize = 1_000

    private static func rebuildSearch<Record: LibraryRecord>(
        _ type: Record.Type, _ db: any SQLConnection
    ) throws {
        try db.execute("DELETE FROM \(Record.searchTableName)")
        var last: Int64 = 0
        while true {
            let batch = try db.rows(
                "\(Record.selection) WHERE number > ?1 ORDER BY number LIMIT \(batchSize)", [.integer(last)]
            ) { row in (number: try row.value(0) as Int64, record: try Record(RecordRow(row))) }
            for entry in batch {
                try db.execute(
                    "INSERT INTO \(Record.searchTableName)(rowid, text) VALUES (?1, ?2)", .integer(entry.number),
                    .text(entry.record.indexedText))
            }
            guard let end = batch.last?.number else { return }
            last = end
        }
    }
}
