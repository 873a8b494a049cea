import Database

/// The table of the maps of competitions, and the indexes of the videos on them.
enum MapSchema {
    static let maps = SQLTable(
        "competitionMap",
        [
            .integer("competition", .references("competition", "number", .cascade)), .text("content"),
            .blob("jpeg", .optional),
        ], key: ["competition"])

    /// Whether a video is on the map of its competition, if its title plays.
    static let isOnMaps = "v.latitude IS NOT NULL AND v.visibility = 'public' AND v.state = 'shown'"
    /// The same of a row of the table alone.
    static let isIndexed = isOnMaps.replacing("v.", with: "")
}
