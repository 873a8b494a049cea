package import Database

/// The tables of the journal. Times are milliseconds since 1970 in UTC.
package enum EventSchema {
    static let events = SQLTable(
        "event",
        [
            .init("number", .integer), .init("type", .text), .init("subjectKind", .text), .init("subjectName", .text),
            .init("happenedAt", .integer), .init("json", .text), .init("origin", .text),
        ], key: ["number"])

    /// One row, whose lock makes writers take turns, so that numbers become visible in their order. The first event
    /// makes it: a new database is empty, so that another one can be copied into it.
    static let journal = SQLTable("eventJournal", [.init("id", .integer), .init("lastNumber", .integer)], key: ["id"])

    private static let indexes: [(name: String, columns: String)] = [("event_happenedAt", "event(happenedAt)")]

    package static let schema = SQLSchema(
        domain: "events",
        migrations: [
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
        ], tables: [events, journal], indexes: indexes.map(\.name))
}
