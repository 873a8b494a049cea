import Database

/// Published migrations; see ``CommunityMigrations``.
enum CompetitionMigrations {
    private static let indexes: [(name: String, columns: String)] = [
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
