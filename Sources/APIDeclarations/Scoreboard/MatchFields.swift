package import APIContract

/// The fields of a match in a list.
package struct MatchFields: ObjectFields {
    package static let name = "Match"
    package static let fields = MatchFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("CHANNEL", fields.channel), TableColumn("PHASE", fields.phase),
        TableColumn("SIDE A", fields.sideA), TableColumn("SIDE B", fields.sideB), TableColumn("SCORE", fields.score),
        TableColumn("WINNER", fields.winner), TableColumn("COMPETITION", fields.competition, .short),
    ]

    package let id = Field<String>("id", "identifier of the match", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let channel = Field<String>("channel", "channel that shows the match", .example("canalA"))
    package let rules = Field<String>("rules", "name of the rules", .example("racquetball3"))
    package let phase = Field<String>(
        "phase", "phase of the match", .oneOf("ready", "playing", "timeOut", "gameOver", "finished", "abandoned"))
    package let sideA = Field<[String]>("sideA", "names of the first side")
    package let sideB = Field<[String]>("sideB", "names of the second side")
    package let countriesA = Field<[String]>("countriesA", "countries of the first side (ISO 3166-1 alpha-2)")
    package let countriesB = Field<[String]>("countriesB", "countries of the second side (ISO 3166-1 alpha-2)")
    package let score = Field<String>(
        "score", "games that have ended, the winner's points first", .example("15-10, 9-15, 11-7"))
    package let winner = Field<String?>("winner", "side that has won; null for none", .oneOf("a", "b"))
    package let hidden = Field<Bool>(
        "hidden", "whether score and winner are left out, because the sender has not watched the match")
    package let competition = Field<String>("competition", "competition; may be empty")
    package let createdAt = Field<APITime>("createdAt", "time of creation")
    package let startedAt = Field<APITime?>("startedAt", "time at which the match began; null before")
    package let endedAt = Field<APITime?>("endedAt", "time at which the match ended; null before")

    package init() {}
}
