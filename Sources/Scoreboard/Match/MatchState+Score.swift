import MediaCore

/// Points, games and the end of a match.
extension MatchState {
    /// The points of both sides.
    package var points: SidePair<Int> { sides.map(\.points) }
    /// The games, or sets, that each side has won.
    package var won: SidePair<Int> { sides.map(\.won) }
    /// The games of both sides in the set that is played.
    package var games: SidePair<Int> { sides.map(\.games) }

    mutating func addPoint(to side: MatchSide, count: Int, at time: WallClockTime) throws(MatchConflict) {
        try requirePlaying()
        switch rules.play {
        case .periods(let periods):
            guard periods.pointValues.contains(count), sides[side].points + count <= MatchScore.maximumPoints else {
                throw MatchConflict(.implausibleScore)
            }
            sides[side].points += count
        case .games, .sets:
            guard count == 1 else { throw MatchConflict(.implausibleScore) }
            // Only the serving side scores; the other one wins the serve.
            if scoring == .sideOut, let server, server.side != side { return loseServe() }
            sides[side].points += 1
            if scoring == .rally { serveAfterRally(wonBy: side) }
            concludeGame(at: time)
        }
    }

    mutating func takeBack(from side: MatchSide, count: Int) throws(MatchConflict) {
        try requireStarted()
        if case .periods = rules.play {
            guard count > 0, sides[side].points >= count else { throw MatchConflict(.noPointsToTakeBack) }
            sides[side].points -= count
            return
        }
        guard count == 1 else { throw MatchConflict(.implausibleScore) }
        if phase == .gameOver { try reopenGame() }
        guard sides[side].points > 0 else { throw MatchConflict(.noPointsToTakeBack) }
        sides[side].points -= 1
    }

    /// Goes back to the game that has just ended; its points stand, and the one that ended it is taken back.
    private mutating func reopenGame() throws(MatchConflict) {
        guard case .games = rules.play, let last = finished.popLast() else { throw MatchConflict(.gameIsOver) }
        if let winner = last.leader { sides[winner].won -= 1 }
        for side in MatchSide.allCases { sides[side].points = last[side] }
        phase = .playing
    }

    /// The side that has won the game with these points.
    static func winner(_ points: SidePair<Int>, target: Int, lead: Int, cap: Int?) -> MatchSide? {
        guard let leader = points.leader else { return nil }
        let (high, low) = (points[leader], points[leader.other])
        if let cap, high >= cap { return leader }
        return high >= target && high - low >= lead ? leader : nil
    }

    /// The side that has won the tennis game with these points.
    private func tennisWinner(_ sets: MatchRules.Sets) -> MatchSide? {
        let target = isTieBreak ? (MatchRules.entry(sets.tieBreakTargets, game: game) ?? 7) : 4
        return Self.winner(points, target: target, lead: 2, cap: nil)
    }

    /// Whether a tie-break is played.
    package var isTieBreak: Bool {
        guard case .sets(let sets) = rules.play else { return false }
        return games.a == sets.gamesPerSet && games.b == sets.gamesPerSet
    }

    private mutating func concludeGame(at time: WallClockTime) {
        switch rules.play {
        case .games(let rules):
            let target = MatchRules.entry(rules.targets, game: game) ?? 1
            guard let winner = Self.winner(points, target: target, lead: rules.lead, cap: rules.cap) else { return }
            conclude(points, wonBy: winner, of: rules.gamesToWin, at: time)
        case .sets(let rules):
            let wasTieBreak = isTieBreak
            guard let winner = tennisWinner(rules) else {
                if wasTieBreak { serveWithinTieBreak() }
                return
            }
            sides[winner].games += 1
            for side in MatchSide.allCases { sides[side].points = 0 }
            serveNextTennisGame(afterTieBreak: wasTieBreak)
            let won = wasTieBreak ? winner : Self.winner(games, target: rules.gamesPerSet, lead: 2, cap: nil)
            if let won { conclude(games, wonBy: won, of: rules.setsToWin, at: time) }
        case .periods: break
        }
    }

    private mutating func conclude(
        _ score: SidePair<Int>, wonBy winner: MatchSide, of needed: Int, at time: WallClockTime
    ) {
        finished.append(score)
        sides[winner].won += 1
        if sides[winner].won >= needed { finish(winner, at: time) } else { phase = .gameOver }
    }

    // MARK: The next game

    mutating func beginNextGame(at time: WallClockTime) throws(MatchConflict) {
        try requireStarted()
        guard phase == .gameOver else { throw MatchConflict(.gameIsNotOver) }
        let lastWinner = finished.last?.leader
        game += 1
        giveAllowances()
        chooseFirstServer(lastWinner: lastWinner)
        if case .periods = rules.play {
            clock = PeriodClock(playedMilliseconds: 0, runningSince: nil)
        } else {
            for side in MatchSide.allCases { (sides[side].points, sides[side].games) = (0, 0) }
        }
        (phase, gameStartedAt) = (.playing, time)
    }

    /// Whether the game that is played decides the match for whichever side wins it.
    var isDeciding: Bool {
        switch rules.play {
        case .games(let rules): won.a == rules.gamesToWin - 1 && won.b == rules.gamesToWin - 1
        case .sets(let rules): won.a == rules.setsToWin - 1 && won.b == rules.setsToWin - 1
        case .periods: false
        }
    }

    /// The points of a side as they are shown: 15, 30, 40 and advantage in a game of tennis.
    package func pointsText(of side: MatchSide) -> String {
        let (mine, other) = (sides[side].points, sides[side.other].points)
        guard case .sets = rules.play, !isTieBreak else { return "\(mine)" }
        if mine >= 3, other >= 3 { return mine > other ? "Ad" : "40" }
        return ["0", "15", "30", "40"][min(max(mine, 0), 3)]
    }

    /// The end that one more point of a side would bring.
    package enum DecisivePoint: String, Sendable, Hashable, CaseIterable { case game, match }

    /// The end that one more point of a side would bring; `nil` for none, and in sports with periods. If a lead of one
    /// point wins a game, both sides can have one.
    package func decisivePoint(of side: MatchSide) -> DecisivePoint? {
        guard phase == .playing || phase == .timeOut else { return nil }
        if case .periods = rules.play { return nil }
        if scoring == .sideOut, let server, server.side != side { return nil }
        var next = self
        (next.phase, next.timeOut) = (.playing, nil)
        next.sides[side].points += 1
        next.concludeGame(at: startedAt ?? .unixEpoch)
        if next.phase == .finished { return .match }
        return next.phase == .gameOver || next.games != games ? .game : nil
    }

    // MARK: A whole score

    mutating func set(_ score: MatchScore, at time: WallClockTime) throws(MatchConflict) {
        if phase == .abandoned { throw MatchConflict(.isOver) }
        if phase == .ready { throw MatchConflict(.notStarted) }
        guard score.isWithinLimits else { throw MatchConflict(.implausibleScore) }
        var won = SidePair(both: 0)
        let needed: Int
        switch rules.play {
        case .games(let rules): needed = rules.gamesToWin
        case .sets(let rules): needed = rules.setsToWin
        case .periods: needed = .max
        }
        if needed < .max {
            for result in score.finished {
                guard let side = result.leader, won.a < needed, won.b < needed else {
                    throw MatchConflict(.implausibleScore)
                }
                won[side] += 1
            }
        }
        let wasGame = game
        (finished, game) = (score.finished, score.finished.count)
        for side in MatchSide.allCases {
            sides[side].won = won[side]
            (sides[side].points, sides[side].games) = (score.points[side], score.games[side])
        }
        (phase, timeOut, winner, endedAt) = (.playing, nil, nil, nil)
        if game != wasGame { giveAllowances() }
        if let side = MatchSide.allCases.first(where: { won[$0] >= needed }) {
            game = max(0, finished.count - 1)
            return finish(side, at: time)
        }
        if needed < .max { concludeGame(at: time) }
    }
}

extension MatchScore {
    /// Whether no number is beyond what a match can have.
    fileprivate var isWithinLimits: Bool {
        let all = finished + [points, games]
        return finished.count <= MatchRules.Limits.listCount * 2
            && all.allSatisfy { (0...Self.maximumPoints).contains($0.a) && (0...Self.maximumPoints).contains($0.b) }
    }
}
