import Database

/// The tables of competitions. A day is a number of days since 1970 in the calendar of the competition's time zone.
enum CompetitionSchema {
    static let competitions = SQLTable(
        "competition",
        [
            .init("number", .integer), .init("id", .text), .init("name", .text), .init("nameKey", .text),
            .init("description", .text), .init("timeZone", .text), .init("firstDay", .integer),
            .init("dayCount", .integer), .init("standings", .text), .init("image", .text), .init("revision", .integer),
            .init("createdAt", .integer),
        ], key: ["number"], isNumbered: true)

    static let tables = [competitions]
    static let indexes: [(name: String, columns: String)] = [
        ("competition_start", "competition(firstDay, number)")
    ]

    static let migration = SQLMigration(1, "competitions", oldestCompatibleVersion: 1) { db in
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        try db.execute(
            """
            CREATE TABLE competition(
                number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE, name \(text) NOT NULL,
                nameKey \(text) NOT NULL, description \(text) NOT NULL, timeZone \(text) NOT NULL,
                firstDay \(integer) NOT NULL, dayCount \(integer) NOT NULL CHECK (dayCount > 0),
                standings \(text) NOT NULL, image \(text), revision \(integer) NOT NULL,
                createdAt \(integer) NOT NULL)
            """)
        for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
    }
}
