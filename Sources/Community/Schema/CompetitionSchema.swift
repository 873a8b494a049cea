import Database

/// The tables of competitions. A day is a number of days since 1970 in the calendar of the competition's time zone.
///
/// `startsAt` and `endsAt` are what the rules of time zones said when the row was written. They order lists and choose
/// what is in them; states always follow from the dates.
enum CompetitionSchema {
    static let competitions = SQLTable(
        "competition",
        [
            .init("number", .integer), .init("id", .text), .init("name", .text), .init("nameKey", .text),
            .init("description", .text), .init("timeZone", .text), .init("firstDay", .integer),
            .init("dayCount", .integer), .init("startsAt", .integer), .init("endsAt", .integer), .init("image", .text),
            .init("revision", .integer), .init("createdAt", .integer), .init("changedAt", .integer),
            .init("standings", .text),
            // Since migration 6.
            .init("map", .text),
        ], key: ["number"], isNumbered: true)
    static let images = SQLTable(
        "competitionImage", [.init("competition", .integer), .init("jpeg", .blob)], key: ["competition"])

    static let follows = SQLTable(
        "competitionFollow",
        [
            .init("number", .integer), .init("competition", .integer), .init("userID", .text),
            .init("followedAt", .integer),
        ], key: ["number"], isNumbered: true)

    static let tables = [competitions, images, follows]
    static let indexes: [(name: String, columns: String)] = [
        ("competition_start", "competition(startsAt, number)"),
        ("competitionFollow_user", "competitionFollow(userID, number)"),
    ]

    static let migration = SQLMigration(1, "competitions", oldestCompatibleVersion: 1) { db in
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        try db.execute(
            """
            CREATE TABLE competition(
                number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE, name \(text) NOT NULL,
                nameKey \(text) NOT NULL, description \(text) NOT NULL, timeZone \(text) NOT NULL,
                firstDay \(integer) NOT NULL, dayCount \(integer) NOT NULL CHECK (dayCount > 0),
                startsAt \(integer) NOT NULL, endsAt \(integer) NOT NULL, image \(text),
                revision \(integer) NOT NULL, createdAt \(integer) NOT NULL, changedAt \(integer) NOT NULL,
                standings \(text) NOT NULL)
            """)
        try db.execute(
            """
            CREATE TABLE competitionImage(
                competition \(integer) PRIMARY KEY REFERENCES competition(number) ON DELETE CASCADE,
                jpeg \(db.dialect.name(of: .blob)) NOT NULL)
            """)
        try db.execute(
            """
            CREATE TABLE competitionFollow(
                number \(db.dialect.identityColumn),
                competition \(integer) NOT NULL REFERENCES competition(number) ON DELETE CASCADE,
                userID \(text) NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                followedAt \(integer) NOT NULL, UNIQUE (competition, userID))
            """)
        for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
    }
}
