package import APIContract

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
    package let decisive = Field<String?>(
        "decisive", "what the side's next point would win; null for nothing. Both sides can have such a point",
        .oneOf("game", "match"))
    package let serving = Field<Int?>("serving", "number of the player who serves, from 0; null if the other side does")

    package init() {}
}
