import Database

/// The catalogue as it was before ``Database``: an SQLite file whose migrations are noted in `grdb_migrations`. Its
/// last version has the tables of ``CatalogueSchema``'s first, so both versions of the program can use the file.
enum LegacyCatalogueSchema {
    private static let notes = "grdb_migrations"

    /// Brings such a file to its last version; does nothing to a new database.
    static func upgrade(_ db: any SQLConnection) throws {
        guard try db.hasTable(notes), try db.hasTable("title") else { return }
        let applied = Set(try db.rows("SELECT identifier FROM \(notes)") { try $0.value(0) as String })
        for step in steps where !applied.contains(step.name) {
            try step.apply(db)
            try db.execute("INSERT INTO \(notes)(identifier) VALUES (?1)", .text(step.name))
        }
        // Numbers of jobs that were deleted; SQLite keeps the highest.
        let highest: Int64? = try db.firstValue("SELECT seq FROM sqlite_sequence WHERE name = 'job'")
        guard let highest else { return }
        try db.execute("CREATE TABLE IF NOT EXISTS counter(name TEXT PRIMARY KEY, value INTEGER NOT NULL)")
        try JobCounter.raise(to: highest, db)
    }

    private struct Step {
        let name: String
        let apply: (any SQLConnection) throws -> Void

        init(_ name: String, _ apply: @escaping (any SQLConnection) throws -> Void) {
            self.name = name
            self.apply = apply
        }

        init(_ name: String, _ statements: [String]) {
            self.init(name) { db in for statement in statements { try db.execute(statement) } }
        }
    }

    /// All steps but the first, which every such file has.
    private static var steps: [Step] {
        [
            Step("2: lists in the order of sort keys") { db in
                for table in ["title", "audioTrack"] {
                    try db.execute("ALTER TABLE \(table) ADD COLUMN sortKey TEXT NOT NULL DEFAULT ''")
                    let rows = try db.rows("SELECT number, title FROM \(table)") { row in
                        (number: try row.value("number") as Int64, title: try row.value("title") as String)
                    }
                    for row in rows {
                        try db.execute(
                            "UPDATE \(table) SET sortKey = ?1 WHERE number = ?2", .text(SortKey(row.title).text),
                            .integer(row.number))
                    }
                    try db.execute("DROP INDEX \(table)_order")
                    try db.execute("CREATE INDEX \(table)_order ON \(table)(sortKey, id)")
                }
            },
            Step(
                "3: jobs",
                [
                    """
                    CREATE TABLE job(
                        number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, subject TEXT, section TEXT,
                        file TEXT NOT NULL, origin TEXT, byteCount INTEGER, state TEXT NOT NULL, phase TEXT,
                        progress DOUBLE, error TEXT, attempt INTEGER NOT NULL, priority INTEGER NOT NULL,
                        createdAt DATETIME NOT NULL, startedAt DATETIME, endedAt DATETIME)
                    """
                ]),
            Step(
                "4: duplicates",
                ["title", "audioTrack"].map { "ALTER TABLE \($0) ADD COLUMN duplicateOf TEXT" } + [
                    """
                    CREATE TABLE contentDigest(
                        section TEXT NOT NULL, subject TEXT NOT NULL, revision TEXT NOT NULL,
                        byteCount INTEGER NOT NULL, sample TEXT NOT NULL, whole TEXT, original TEXT,
                        PRIMARY KEY (section, subject))
                    """
                ]),
            Step(
                "5: pictures",
                ["posterTime DOUBLE", "uploadedPoster TEXT", "storyboard TEXT", "leftOut TEXT"].map {
                    "ALTER TABLE title ADD COLUMN \($0)"
                }),
            Step("5: what jobs have to say", ["ALTER TABLE job ADD COLUMN message TEXT"]),
            Step("5: what jobs are asked for", ["ALTER TABLE job ADD COLUMN parameters TEXT"]),
            Step(
                "6: names that files had before",
                [
                    """
                    CREATE TABLE formerFile(
                        section TEXT NOT NULL, file TEXT NOT NULL, subject TEXT NOT NULL, PRIMARY KEY (section, file))
                    """
                ]),
            Step("7: search without case, marks and ligatures") { db in
                for table in ["titleSearch", "audioTrackSearch"] {
                    let rows = try db.rows("SELECT rowid, text FROM \(table)") { row in
                        (number: try row.value("rowid") as Int64, text: try row.value("text") as String)
                    }
                    for row in rows {
                        let folded = SearchText(row.text).folded
                        guard folded != row.text else { continue }
                        try db.execute(
                            "UPDATE \(table) SET text = ?1 WHERE rowid = ?2", .text(folded), .integer(row.number))
                    }
                }
            },
        ]
    }
}
