package import APIContract

/// The fields of the counts of a player's results.
package struct PlayerCountsFields: ObjectFields {
    package static let name = "PlayerCounts"
    package static let fields = PlayerCountsFields()
    package static let columns = [
        TableColumn("RULES", fields.rules), TableColumn("MATCHES", fields.matches), TableColumn("WON", fields.won),
        TableColumn("LOST", fields.lost), TableColumn("DRAWN", fields.drawn),
        TableColumn("GAMES WON", fields.gamesWon), TableColumn("GAMES LOST", fields.gamesLost),
        TableColumn("POINTS FOR", fields.pointsFor), TableColumn("POINTS AGAINST", fields.pointsAgainst),
    ]

    package let rules = Field<String?>("rules", "name of the rules; null for all", .example("racquetball3"))
    package let matches = Field<Int>("matches", "number of matches with a result")
    package let won = Field<Int>("won", "matches that the player has won")
    package let lost = Field<Int>("lost", "matches that the player has lost")
    package let drawn = Field<Int>("drawn", "matches that nobody has won")
    package let gamesWon = Field<Int>("gamesWon", "games or sets that the player has won; 0 in sports with periods")
    package let gamesLost = Field<Int>("gamesLost", "games or sets that the player has lost")
    package let pointsFor = Field<Int>(
        "pointsFor", "points in games that have ended, or in the match; games of the sets in tennis")
    package let pointsAgainst = Field<Int>("pointsAgainst", "points of the other side")

    package init() {}
}
