/// The matches of a player that have a result, counted.
package struct PlayerStatistics: Sendable {
    /// The counts of matches by one set of rules, or by all.
    package struct Counts: Sendable, Hashable {
        package internal(set) var matches = 0
        package internal(set) var won = 0
        package internal(set) var lost = 0
        /// Games or sets; none in sports with periods.
        package internal(set) var gamesWon = 0
        package internal(set) var gamesLost = 0
        /// Points in games that have ended, or in the match; games of the sets in tennis.
        package internal(set) var pointsFor = 0
        package internal(set) var pointsAgainst = 0

        /// Matches that nobody has won.
        package var drawn: Int { matches - won - lost }

        static func += (counts: inout Counts, more: Counts) {
            counts.matches += more.matches
            counts.won += more.won
            counts.lost += more.lost
            counts.gamesWon += more.gamesWon
            counts.gamesLost += more.gamesLost
            counts.pointsFor += more.pointsFor
            counts.pointsAgainst += more.pointsAgainst
        }
    }

    package let player: ScorePlayer
    /// The other player, if only matches against them count.
    package let rival: ScorePlayer?
    /// The counts by the names of rules, those with the most matches first.
    package internal(set) var rules: [(name: String, counts: Counts)] = []
    package internal(set) var total = Counts()
}
