import Database

/// The published migrations of the journal. They are never edited; a new column needs none, see `SQLColumn`.
enum EventMigrations {
    static let all = [
        SQLMigration(1, "journal", oldestCompatibleVersion: 1) { db in
            let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
            try db.execute(
                """
                CREATE TABLE event(
                    number \(integer) PRIMARY KEY, type \(text) NOT NULL, subjectKind \(text) NOT NULL,
                    subjectName \(text) NOT NULL, happenedAt \(integer) NOT NULL, json \(text) NOT NULL,
                    origin \(text) UNIQUE)
                """)
            try db.execute(
                "CREATE TABLE eventJournal(id \(integer) PRIMARY KEY, lastNumber \(integer) NOT NULL)")
            for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
        }
    ]

    private static let indexes: [(name: String, columns: String)] = [("event_happenedAt", "event(happenedAt)")]
}
