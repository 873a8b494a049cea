import Database

/// The table of the maps of competitions, and the indexes of the videos on them.
enum MapSchema {
    static let maps = SQLTable(
        "competitionMap", [.init("competition", .integer), .init("content", .text), .init("jpeg", .blob)],
        key: ["competition"])

    /// Whether a video is on the map of its competition, if its title plays.
    static let isOnMaps = "v.latitude IS NOT NULL AND v.visibility = 'public' AND v.state = 'shown'"
    private static let isIndexed = isOnMaps.replacing("v.", with: "")

    static let indexes: [(name: String, columns: String)] = [
        ("communityVideo_places", "communityVideo(competition, number) WHERE \(isIndexed)"),
        ("communityVideo_placesOfDays", "communityVideo(competition, day, number) WHERE \(isIndexed)"),
    ]

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
