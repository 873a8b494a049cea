import Accounts
import Events
import JSONDocument
import MediaCore
import Scoreboard

extension ScoreMatch {
    /// The event that tells of a change, for federations that follow many matches.
    ///
    /// While the public board is frozen, the event says what the board shows.
    func event(at time: WallClockTime) -> NewEvent {
        // Only a frozen board needs the states before.
        let state = state.isFrozen ? timeline.last?.state ?? setup.beginning : state
        func pair(_ values: SidePair<Int>) -> JSONText { .array([.integer(values.a), .integer(values.b)]) }
        func names(_ entrants: [MatchSetup.Entrant]) -> JSONText { .array(entrants.map { .string($0.name) }) }
        return NewEvent(
            .scoreChanged, EventSubject(.channel, setup.channel), at: time,
            [
                ("match", .string(id.text)), ("sequence", .integer(Int(clamping: log.lastSequence))),
                ("phase", .string(state.phase.rawValue)), ("rules", .string(setup.rules.id)),
                ("competition", .string(setup.competition)), ("sideA", names(setup.sides.a)),
                ("sideB", names(setup.sides.b)), ("points", pair(state.points)), ("won", pair(state.won)),
                ("score", .string(scoreText(of: state))), ("winner", .optional(state.winner?.rawValue)),
            ])
    }
}
