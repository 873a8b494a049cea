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
