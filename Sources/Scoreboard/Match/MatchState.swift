package import MediaCore

/// The state of a match after its events: what the board shows.
package struct MatchState: Sendable, Hashable {
    /// The phases of a match.
    package enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Set up, and not begun.
        case ready
        case playing
        case timeOut
        /// Between two games, sets or periods.
        case gameOver
        case finished
        case abandoned

        package var isFinal: Bool { self == .finished || self == .abandoned }
    }

    /// One side.
    package struct Side: Sendable, Hashable {
        /// The points of the game that is played, or of the match if it has periods.
        package var points = 0
        /// The games of the set that is played.
        package var games = 0
        /// The games, or sets, that the side has won.
        package var won = 0
        package var timeOutsLeft = 0
        package var appealsLeft = 0
        package var cards: [MatchCard] = []

        package init() {}
    }

    /// A time-out that runs.
    package struct TimeOut: Sendable, Hashable {
        package var side: MatchSide
        package var endsAt: WallClockTime
    }

    /// The clock of a period.
    package struct PeriodClock: Sendable, Hashable {
        /// The time that had been played when it was last started or stopped.
        package var playedMilliseconds: Int64
        /// The time since which it runs; `nil` while it stands.
        package var runningSince: WallClockTime?
    }

    package let rules: MatchRules
    package let scoring: MatchRules.Scoring
    package let modality: MatchRules.Modality
    package internal(set) var phase = Phase.ready
    package internal(set) var sides = SidePair(both: Side())
    /// The number of the game, set or period, from 0.
    package internal(set) var game = 0
    /// The points of the games or periods that have ended, in order; games of each set in tennis.
    package internal(set) var finished: [SidePair<Int>] = []
    package internal(set) var server: MatchServer?
    package internal(set) var timeOut: TimeOut?
    package internal(set) var clock: PeriodClock?
    package internal(set) var isFrozen = false
    package internal(set) var startedAt: WallClockTime?
    package internal(set) var gameStartedAt: WallClockTime?
    package internal(set) var endedAt: WallClockTime?
    /// The side that has won; `nil` while nobody has, and after a draw.
    package internal(set) var winner: MatchSide?
    package internal(set) var isWalkover = false

    // What the order of serving needs.
    /// The side that began the current game or set.
    var gameServer: MatchServer
    /// The player of each side who serves when the side gets the serve again.
    var nextPlayer = SidePair(both: 0)
    /// Whether the serve passes to the other side when it is lost, because the side has only one server left.
    var isLastServer = true
    /// The player in the right service court, for rules by courts.
    var rightPlayer = SidePair(both: 0)
    /// The side that served first in the tie-break.
    var tieBreakServer = MatchSide.a

    /// - Parameters:
    ///   - rules: the rules.
    ///   - scoring: who gets a point for a rally.
    ///   - modality: the number of players.
    ///   - firstServer: who serves first. Rules without serving ignore it.
    package init(
        _ rules: MatchRules, scoring: MatchRules.Scoring, modality: MatchRules.Modality, firstServer: MatchServer
    ) {
        (self.rules, self.scoring, self.modality) = (rules, scoring, modality)
        gameServer = firstServer
        if rules.serveOrder != .none { server = firstServer }
        nextPlayer[firstServer.side] = firstServer.player
        rightPlayer[firstServer.side] = firstServer.player
        isLastServer = firstServerIsLast
        if case .periods = rules.play { clock = PeriodClock(playedMilliseconds: 0, runningSince: nil) }
        giveAllowances()
    }

    /// Carries out an action.
    ///
    /// - Parameters:
    ///   - action: the action.
    ///   - time: the time at which it happened.
    /// - Throws: `MatchConflict` if it is not possible; the state is unchanged then.
    package mutating func apply(_ action: MatchAction, at time: WallClockTime) throws(MatchConflict) {
        var next = self
        try next.perform(action, at: time)
        self = next
    }

    private mutating func perform(_ action: MatchAction, at time: WallClockTime) throws(MatchConflict) {
        switch action {
        case .start: try start(at: time)
        case .point(let side, let count): try addPoint(to: side, count: count, at: time)
        case .correct(let side, let count): try takeBack(from: side, count: count)
        case .changeServer: try changeServer()
        case .setServer(let server): try setServer(server)
        case .timeOut(let side): try beginTimeOut(side, at: time)
        case .endTimeOut: try endTimeOut()
        case .appeal(let side, let outcome): try appeal(side, outcome)
        case .card(let side, let card, _):
            try requireStarted()
            sides[side].cards.append(card)
        case .injury: try requireStarted()
        case .freeze: isFrozen = true
        case .unfreeze: isFrozen = false
        case .setState(let score): try set(score, at: time)
        case .nextGame: try beginNextGame(at: time)
        case .endPeriod: try endPeriod(at: time)
        case .startClock: try runClock(true, at: time)
        case .stopClock: try runClock(false, at: time)
        case .setClock(let seconds): try setClock(seconds, at: time)
        case .note: break
        case .walkover(let winner):
            guard !phase.isFinal else { throw MatchConflict(.isOver) }
            isWalkover = true
            finish(winner, at: time)
        case .abandon:
            guard !phase.isFinal else { throw MatchConflict(.isOver) }
            end(.abandoned, at: time)
        }
    }

    private mutating func start(at time: WallClockTime) throws(MatchConflict) {
        guard phase == .ready else { throw MatchConflict(phase.isFinal ? .isOver : .hasStarted) }
        phase = .playing
        (startedAt, gameStartedAt) = (time, time)
    }

    func requireStarted() throws(MatchConflict) {
        if phase == .ready { throw MatchConflict(.notStarted) }
        if phase.isFinal { throw MatchConflict(.isOver) }
    }

    /// Play that goes on ends a time-out.
    mutating func requirePlaying() throws(MatchConflict) {
        try requireStarted()
        if phase == .gameOver { throw MatchConflict(.gameIsOver) }
        if phase == .timeOut { try endTimeOut() }
    }

    mutating func finish(_ side: MatchSide?, at time: WallClockTime) {
        winner = side
        end(.finished, at: time)
    }

    private mutating func end(_ final: Phase, at time: WallClockTime) {
        (phase, endedAt, timeOut, isFrozen) = (final, time, nil, false)
        stopClock(at: time)
    }

    // MARK: Time-outs and appeals

    /// Gives each side what the rules allow from this game on.
    mutating func giveAllowances() {
        let timeOuts = MatchRules.allowance(rules.timeOuts, game: game)
        let appeals = MatchRules.allowance(rules.appeals, game: game)
        for side in MatchSide.allCases {
            if let timeOuts, timeOuts.isNew { sides[side].timeOutsLeft = timeOuts.value.count }
            if let appeals, appeals.isNew { sides[side].appealsLeft = appeals.value.count }
        }
    }

    private mutating func beginTimeOut(_ side: MatchSide, at time: WallClockTime) throws(MatchConflict) {
        try requireStarted()
        if phase == .timeOut { throw MatchConflict(.timeOutRuns) }
        if phase == .gameOver { throw MatchConflict(.gameIsOver) }
        guard let allowance = MatchRules.allowance(rules.timeOuts, game: game)?.value, sides[side].timeOutsLeft > 0
        else { throw MatchConflict(.noTimeOutsLeft) }
        sides[side].timeOutsLeft -= 1
        timeOut = TimeOut(side: side, endsAt: time + .seconds(allowance.seconds ?? 0))
        phase = .timeOut
        stopClock(at: time)
    }

    private mutating func endTimeOut() throws(MatchConflict) {
        guard phase == .timeOut else { throw MatchConflict(.noTimeOutRuns) }
        (phase, timeOut) = (.playing, nil)
    }

    private mutating func appeal(_ side: MatchSide, _ outcome: AppealOutcome) throws(MatchConflict) {
        try requireStarted()
        guard sides[side].appealsLeft > 0 else { throw MatchConflict(.noAppealsLeft) }
        if outcome != .upheld { sides[side].appealsLeft -= 1 }
    }
}
