/// The games and points of a match, for statistics.
struct MatchTally: Sendable, Hashable {
    /// Games or sets that each side has won; none in sports with periods.
    var games: SidePair<Int>
    /// Points of each side in the games that have ended; games of the sets in tennis.
    var points: SidePair<Int>

    /// - Parameters:
    ///   - ended: the score of each game that has ended, or of the match in sports with periods.
    ///   - hasPeriods: whether the sport has periods.
    init(_ ended: [SidePair<Int>], hasPeriods: Bool) {
        points = ended.reduce(into: SidePair(both: 0)) { $0 = SidePair($0.a + $1.a, $0.b + $1.b) }
        games = SidePair(both: 0)
        guard !hasPeriods else { return }
        for game in ended {
            if let winner = game.leader { games[winner] += 1 }
        }
    }

    /// The same of a match that an earlier version has stored.
    ///
    /// - Parameters:
    ///   - scoreText: such as "15-10, 9-15", the winner's points first.
    ///   - winner: the winner; `nil` if nobody has won.
    ///   - hasPeriods: whether the sport has periods.
    init(scoreText: String, winner: MatchSide?, hasPeriods: Bool) {
        let first = winner ?? .a
        let ended = scoreText.split(separator: ", ").compactMap { text -> SidePair<Int>? in
            let numbers = text.split(separator: "-").compactMap { Int($0) }
            guard numbers.count == 2 else { return nil }
            return first == .a ? SidePair(numbers[0], numbers[1]) : SidePair(numbers[1], numbers[0])
        }
        self.init(ended, hasPeriods: hasPeriods)
    }
}
