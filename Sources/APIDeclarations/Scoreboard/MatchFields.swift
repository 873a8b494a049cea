package import APIContract
import JSONDocument

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
    package let competition = Field<String>("competition", "competition; may be empty")
    package let createdAt = Field<APITime>("createdAt", "time of creation")
    package let startedAt = Field<APITime?>("startedAt", "time at which the match began; null before")
    package let endedAt = Field<APITime?>("endedAt", "time at which the match ended; null before")

    package init() {}
}

/// The fields of a new match.
package struct NewMatchFields: ObjectFields {
    package static let name = "NewMatch"
    package static let isClosed = true
    package static let fields = NewMatchFields()

    package let channel = Field<String>(setting: MatchFields.fields.channel, .minimumLength(1), .example("canalA"))
    package let rules = Field<String>(setting: MatchFields.fields.rules, .minimumLength(1), .example("racquetball3"))
    package let modality = Field<String>(
        "modality", "modality; the first one of the rules if missing", .optional, .oneOf("singles", "doubles", "teams"))
    package let scoring = Field<String>(
        "scoring", "way of scoring; that of the rules if missing", .optional, .oneOf("manual", "sideOut", "rally"))
    package let sideA = Field<[String]>(
        "sideA", "first side: IDs of players, or names; two for doubles", .minimumCount(1), .maximumCount(2),
        .example(.array([.string("Ana Núñez")])))
    package let sideB = Field<[String]>(
        "sideB", "second side", .minimumCount(1), .maximumCount(2), .example(.array([.string("Berta Ortiz")])))
    package let firstServer = Field<String?>(
        "firstServer", "player who serves first: a1, a2, b1 or b2; drawn between a1 and b1 if missing", .optional,
        .oneOf("a1", "a2", "b1", "b2"))
    package let competition = Field<String>("competition", "competition", .optional, .maximumLength(120))
    package let stage = Field<String>("stage", "day, round or court", .optional, .maximumLength(120))
    package let referee = Field<String>("referee", "name of the referee", .optional, .maximumLength(120))

    package init() {}
}
