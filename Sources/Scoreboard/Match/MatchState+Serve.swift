/// The order of serving.
extension MatchState {
    private var playerCount: Int { modality.playerCount }

    /// Whether the side that begins a game has only one server before the serve passes to the other side.
    var firstServerIsLast: Bool { playerCount == 1 || (scoring == .sideOut && rules.firstServeIsSingle) }

    mutating func setServer(_ new: MatchServer) throws(MatchConflict) {
        if phase.isFinal { throw MatchConflict(.isOver) }
        guard rules.serveOrder != .none, (0..<playerCount).contains(new.player) else {
            throw MatchConflict(.nobodyServes)
        }
        server = new
        switch rules.serveOrder {
        case .courts: place(new)
        case .partnersFirst: isLastServer = new.player == playerCount - 1
        default: nextPlayer[new.side] = new.player
        }
        guard phase == .ready || points.total == 0 && games.total == 0 else { return }
        gameServer = new
        if firstServerIsLast { isLastServer = true }
    }

    /// The next player in the order serves: on a referee's board it is independent of points.
    mutating func changeServer() throws(MatchConflict) {
        try requireStarted()
        guard server != nil else { throw MatchConflict(.nobodyServes) }
        loseServe()
    }

    /// The server loses a rally.
    mutating func loseServe() {
        guard let server else { return }
        switch rules.serveOrder {
        case .partnersFirst where !isLastServer:
            let partner = (server.player + 1) % playerCount
            self.server = MatchServer(server.side, player: partner)
            isLastServer = true
        case .partnersFirst:
            // The order within a side stays as it was when the side began.
            let side = server.side.other
            self.server = MatchServer(side, player: nextPlayer[side])
            isLastServer = playerCount == 1
        case .sidesAlternate:
            // Two players of a side serve in turn.
            nextPlayer[server.side] = (server.player + 1) % playerCount
            self.server = MatchServer(server.side.other, player: nextPlayer[server.side.other])
        case .courts: serveFromCourt(server.side.other)
        case .sides: self.server = MatchServer(server.side.other)
        case .none: break
        }
    }

    /// Rally scoring: the winner of the rally serves.
    mutating func serveAfterRally(wonBy side: MatchSide) {
        guard let server else { return }
        if server.side == side {
            // The players of the side change courts, and the same player serves.
            if rules.serveOrder == .courts { rightPlayer[side] = (rightPlayer[side] + 1) % playerCount }
        } else {
            // The serve passes to the other side at once.
            isLastServer = true
            nextPlayer[server.side] = (server.player + 1) % playerCount
            loseServe()
        }
    }

    // MARK: By courts

    /// The player of a side serves from the right court at an even number of points, from the left at an odd one.
    private mutating func serveFromCourt(_ side: MatchSide) {
        let right = rightPlayer[side]
        server = MatchServer(side, player: sides[side].points.isMultiple(of: 2) ? right : (right + 1) % playerCount)
    }

    private mutating func place(_ server: MatchServer) {
        let isRight = sides[server.side].points.isMultiple(of: 2)
        rightPlayer[server.side] = isRight ? server.player : (server.player + 1) % playerCount
    }

    // MARK: Tennis

    /// The first point of a tie-break is served by the player whose turn it is, then two each.
    mutating func serveWithinTieBreak() {
        if !points.total.isMultiple(of: 2) { loseServe() }
    }

    mutating func serveNextTennisGame(afterTieBreak: Bool) {
        // A tie-break counts as a service game of the player who began it.
        if afterTieBreak, let server { self.server = MatchServer(tieBreakServer, player: server.player) }
        loseServe()
        if !afterTieBreak, isTieBreak, let server { tieBreakServer = server.side }
    }

    // MARK: The next game

    mutating func chooseFirstServer(lastWinner: MatchSide?) {
        guard server != nil else { return }
        if rules.nextServe == .continues { return }
        var side = rules.nextServe == .winner ? lastWinner ?? gameServer.side.other : gameServer.side.other
        if isDeciding, rules.decidingServe == .morePoints {
            let totals = finished.reduce(into: SidePair(both: 0)) { sum, game in
                sum.a += game.a
                sum.b += game.b
            }
            if let leader = totals.leader { side = leader }
        }
        let first = MatchServer(side, player: rules.serveOrder == .courts ? rightPlayer[side] : 0)
        (gameServer, server) = (first, first)
        nextPlayer = SidePair(both: 0)
        isLastServer = firstServerIsLast
    }
}
