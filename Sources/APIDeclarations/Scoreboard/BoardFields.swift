package import APIContract

/// The fields of a board: the state of a match.
package struct BoardFields: ObjectFields {
    package static let name = "Board"
    package static let fields = BoardFields()

    package let match = Field<String>("match", "identifier of the match", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let channel = Field<String>("channel", "channel that shows the match", .example("canalA"))
    package let sequence = Field<Int>("sequence", "number of the last event; 0 for none")
    package let time = Field<APITime?>("time", "time of the last event; null for none")
    package let rules = Field<String>("rules", "name of the rules", .example("racquetball3"))
    package let sports = Field<[String: String]>("sports", "sport by language")
    package let names = Field<[String: String]>("names", "name of the rules by language")
    package let kind = Field<String>("kind", "what a match consists of", .oneOf("games", "sets", "periods"))
    package let pointValues = Field<[Int]>("pointValues", "points that one action may score")
    package let modality = Field<String>("modality", "modality", .oneOf("singles", "doubles", "teams"))
    package let scoring = Field<String>("scoring", "way of scoring", .oneOf("manual", "sideOut", "rally"))
    package let phase = Field<String>(
        "phase", "phase of the match", .oneOf("ready", "playing", "timeOut", "gameOver", "finished", "abandoned"))
    package let game = Field<Int>("game", "number of the game, set or period, from 1")
    package let sides = Field<[APIObject<BoardSideFields>]>("sides", "both sides", .minimumCount(2), .maximumCount(2))
    package let finished = Field<[[Int]]>("finished", "points of the games, sets or periods that have ended")
    package let timeOut = Field<APIObject<BoardTimeOutFields>?>("timeOut", "time-out that runs; null for none")
    package let clock = Field<APIObject<BoardClockFields>?>("clock", "clock of the period; null for none")
    package let frozen = Field<Bool>("frozen", "whether the public board keeps what it shows")
    package let winner = Field<String?>("winner", "side that has won; null for none", .oneOf("a", "b"))
    package let walkover = Field<Bool>("walkover", "whether the match was won without playing on")
    package let score = Field<String>("score", "games that have ended, the winner's points first")
    package let drawn = Field<Bool>("drawn", "whether the first server was drawn")
    package let drawSeed = Field<String?>(
        "drawSeed",
        "seed of the draw; side A serves first if its hexadecimal digits add up to an even number. Null if the first server was chosen",
        .example("5f0c9a1b77e2d340"))
    package let competition = Field<String>("competition", "competition; may be empty")
    package let stage = Field<String>("stage", "day, round or court; may be empty")
    package let referee = Field<String>("referee", "name of the referee; may be empty")
    package let startedAt = Field<APITime?>("startedAt", "time at which the match began; null before")
    package let gameStartedAt = Field<APITime?>("gameStartedAt", "time at which the game began; null before")
    package let endedAt = Field<APITime?>("endedAt", "time at which the match ended; null before")
    package let conflicts = Field<[APIObject<MatchConflictFields>]>(
        "conflicts", "events that a correction has made impossible, and that change nothing")

    package init() {}
}
