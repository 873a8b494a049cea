import Database

/// Published migrations; see ``CommunityMigrations``.
enum MapMigrations {
    private static let indexes: [(name: String, columns: String)] = [
        ("communityVideo_places", "communityVideo(competition, number) WHERE \(isIndexed)"),
        ("communityVideo_placesOfDays", "communityVideo(competition, day, number) WHERE \(isIndexed)"),
    ]

    private static let isIndexed = "latitude IS NOT NULL AND visibility = 'public' AND state = 'shown'"

    static let migration = SQLMigration(6, "maps of competitions", oldestCompatibleVersion: 1) { db in
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        try db.execute("ALTER TABLE competition ADD COLUMN map \(text)")
        try db.execute(
            """
            CREATE TABLE competitionMap(
                competition \(integer) PRIMARY KEY REFERENCES competition(number) ON DELETE CASCADE,
                content \(text) NOT NULL, jpeg \(db.dialect.name(of: .blob)))
            """)
        for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
    }
}
