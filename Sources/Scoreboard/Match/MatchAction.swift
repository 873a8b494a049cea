/// What a referee does.
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

/// What came of an appeal.
package enum AppealOutcome: String, Sendable, Hashable, CaseIterable {
    /// One is used up, whatever came of it.
    case used
    /// The referee's call was changed; the side keeps the appeal.
    case upheld
    case rejected
}

/// A card that a referee shows.
package enum MatchCard: String, Sendable, Hashable, CaseIterable {
    case yellow, red, black, white
}

/// A whole score.
package struct MatchScore: Sendable, Hashable {
    /// The points of the games or periods that have ended, in order; games of each set in tennis.
    package var finished: [SidePair<Int>]
    /// The points of the game that is played. All points of the match if it has periods.
    package var points: SidePair<Int>
    /// The games of the set that is played; zero in other sports.
    package var games: SidePair<Int>

    package init(finished: [SidePair<Int>], points: SidePair<Int>, games: SidePair<Int> = SidePair(both: 0)) {
        (self.finished, self.points, self.games) = (finished, points, games)
    }

    /// Limit of the points that a side may have.
    package static let maximumPoints = 999
}

/// An action cannot be carried out.
package struct MatchConflict: Error, Sendable, Hashable {
    /// The reasons.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        case hasStarted, notStarted, isOver, gameIsOver, gameIsNotOver
        case noPointsToTakeBack, noTimeOutsLeft, noAppealsLeft, timeOutRuns, noTimeOutRuns
        case implausibleScore, nobodyServes, hasNoClock, unknownEvent
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    /// A sentence for the person who acted.
    package var text: String {
        switch reason {
        case .hasStarted: "the match has already begun"
        case .notStarted: "the match has not begun yet"
        case .isOver: "the match is over"
        case .gameIsOver: "the game is over; begin the next one"
        case .gameIsNotOver: "the game is not over yet"
        case .noPointsToTakeBack: "the side has no points to take back"
        case .noTimeOutsLeft: "the side has no time-outs left"
        case .noAppealsLeft: "the side has no appeals left"
        case .timeOutRuns: "a time-out is running"
        case .noTimeOutRuns: "no time-out is running"
        case .implausibleScore: "the rules do not allow this score"
        case .nobodyServes: "there is no such server in this match"
        case .hasNoClock: "the match has no clock"
        case .unknownEvent: "there is no such event to change"
        }
    }
}
