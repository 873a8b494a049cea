/// An action of a referee.
package enum MatchAction: Sendable, Hashable {
    /// The match begins.
    case start
    /// A point; with rules in which an action may score more, that many.
    case point(MatchSide, count: Int)
    /// Takes points back that were given by mistake.
    case correct(MatchSide, count: Int)
    /// The next player in the order serves.
    case changeServer
    case setServer(MatchServer)
    case timeOut(MatchSide)
    case endTimeOut
    case appeal(MatchSide, AppealOutcome)
    case card(MatchSide, MatchCard, player: Int?)
    case injury(MatchSide, player: Int?)
    /// The public board keeps what it shows, while a decision is reviewed.
    case freeze
    case unfreeze
    /// Enters a whole score after a mistake.
    case setState(MatchScore)
    /// The next game, set or period begins.
    case nextGame
    /// A period ends.
    case endPeriod
    case startClock
    case stopClock
    /// Sets the time that the clock shows, in seconds.
    case setClock(Int)
    case note(String)
    /// One side wins without playing on.
    case walkover(winner: MatchSide)
    case abandon

    /// Limit of a note in characters.
    package static let maximumNoteLength = 500
}
