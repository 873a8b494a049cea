package import APIContract

/// The fields of a change of a match.
package struct MatchChangeFields: ObjectFields {
    package static let name = "MatchChange"
    package static let fields = MatchChangeFields()

    package let time = Field<String>(
        "time", "time at which the server learnt of it", .example("2026-11-30T18:00:00.000Z"))
    package let channel = Field<String>("channel", "channel that shows the match", .example("canalA"))
    package let match = Field<String>("match", "identifier of the match", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let sequence = Field<Int>("sequence", "number of the match's last event; 0 for none")
    package let phase = Field<String>(
        setting: MatchFields.fields.phase,
        .oneOf("ready", "playing", "timeOut", "gameOver", "finished", "abandoned"))
    package let rules = Field<String?>("rules", "name of the rules; null in changes of an earlier version")
    package let competition = Field<String?>("competition", "competition; may be empty")
    package let sideA = Field<[String]>("sideA", "names of the first side")
    package let sideB = Field<[String]>("sideB", "names of the second side")
    package let points = Field<[Int]>("points", "points of both sides in the game that is played, or in the match")
    package let won = Field<[Int]>("won", "games or sets that both sides have won")
    package let score = Field<String?>("score", "games that have ended, the winner's points first")
    package let winner = Field<String?>("winner", "side that has won; null for none", .oneOf("a", "b"))

    package init() {}
}
