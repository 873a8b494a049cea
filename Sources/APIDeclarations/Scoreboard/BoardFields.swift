package import APIContract

/// The fields of a player on a board.
package struct BoardPlayerFields: ObjectFields {
    package static let name = "BoardPlayer"
    package static let fields = BoardPlayerFields()

    package let id = Field<String?>("id", "identifier of the player; null for a name that is not among the players")
    package let fullName = Field<String>("name", "first and last name, or the name of a team", .example("Ana Núñez"))
    package let shortName = Field<String>("shortName", "last name, for small boards", .example("Núñez"))
    package let country = Field<String?>("country", "country (ISO 3166-1 alpha-2); null if it is not known")
    package let gender = Field<String?>(
        "gender", "gender; null if it is not known", .oneOf("female", "male", "other"))
    package let age = Field<Int?>("age", "age in whole years; null if it is not known")
    package let extra = Field<String>("extra", "line below the name; may be empty")

    package init() {}
}

/// The fields of a side of a board.
package struct BoardSideFields: ObjectFields {
    package static let name = "BoardSide"
    package static let fields = BoardSideFields()

    package let players = Field<[APIObject<BoardPlayerFields>]>("players", "players, in the order of serving")
    package let points = Field<Int>("points", "points of the game, or of the match if it has periods")
    package let pointsText = Field<String>("pointsText", "points as they are shown", .example("40"))
    package let games = Field<Int>("games", "games of the set that is played; 0 in other sports")
    package let won = Field<Int>("won", "games, or sets, that the side has won")
    package let timeOutsLeft = Field<Int>("timeOutsLeft", "time-outs that are left")
    package let appealsLeft = Field<Int>("appealsLeft", "appeals that are left")
    package let cards = Field<[String]>(
        "cards", "cards that the side has been shown", .each(.oneOf("yellow", "red", "black", "white")))
    package let serving = Field<Int?>("serving", "number of the player who serves, from 0; null if the other side does")

    package init() {}
}

/// The fields of a time-out that runs.
package struct BoardTimeOutFields: ObjectFields {
    package static let name = "BoardTimeOut"
    package static let fields = BoardTimeOutFields()

    package let side = Field<String>("side", "side that takes it", .oneOf("a", "b"))
    package let endsAt = Field<APITime>("endsAt", "end")

    package init() {}
}

/// The fields of the clock of a period.
package struct BoardClockFields: ObjectFields {
    package static let name = "BoardClock"
    package static let fields = BoardClockFields()

    package let playedMilliseconds = Field<Int>(
        "playedMilliseconds", "time that had been played when the clock was last started or stopped")
    package let runningSince = Field<APITime?>("runningSince", "time since which it runs; null while it stands")
    package let periodSeconds = Field<Int>("periodSeconds", "length of the period")
    package let countsDown = Field<Bool>("countsDown", "whether the time that is left is shown")

    package init() {}
}

/// The fields of an event that cannot be carried out any more.
package struct MatchConflictFields: ObjectFields {
    package static let name = "MatchConflict"
    package static let fields = MatchConflictFields()

    package let sequence = Field<Int>("sequence", "number of the event")
    package let reason = Field<String>("reason", "reason, for programs", .example("gameIsNotOver"))
    package let text = Field<String>("text", "reason, in English", .example("the game is not over yet"))

    package init() {}
}

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
    package let decisive = Field<String?>(
        "decisive", "what the next point would win; null for nothing", .oneOf("game", "match"))
    package let decisiveSide = Field<String?>(
        "decisiveSide", "side whose point it would be; null for none", .oneOf("a", "b"))
    package let timeOut = Field<APIObject<BoardTimeOutFields>?>("timeOut", "time-out that runs; null for none")
    package let clock = Field<APIObject<BoardClockFields>?>("clock", "clock of the period; null for none")
    package let frozen = Field<Bool>("frozen", "whether the public board keeps what it shows")
    package let winner = Field<String?>("winner", "side that has won; null for none", .oneOf("a", "b"))
    package let walkover = Field<Bool>("walkover", "whether the match was won without playing on")
    package let score = Field<String>("score", "games that have ended, the winner's points first")
    package let drawn = Field<Bool>("drawn", "whether the first server was drawn")
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
