/// The rules by which a match is scored, as data. One file of `Resources/rules` is one set of rules; the schema beside
/// them explains each member.
package struct MatchRules: Sendable, Hashable {
    /// Limits of the numbers in a file.
    package enum Limits {
        package static let periodSeconds = 1...7_200
        /// Limit of the lists that have an entry for each game.
        package static let listCount = 9
    }

    /// The number of people on a side.
    package enum Modality: String, Sendable, Hashable, CaseIterable {
        case singles, doubles
        /// One entry stands for the whole team.
        case teams

        /// The number of players whose names a side has.
        package var playerCount: Int { self == .doubles ? 2 : 1 }
    }

    /// The ways in which rallies become points.
    package enum Scoring: String, Sendable, Hashable, CaseIterable {
        /// Points and changes of server are entered independently, as on a referee's board.
        case manual
        /// Only the serving side scores; the other side wins the serve.
        case sideOut
        /// Each rally is a point, and its winner serves.
        case rally
    }

    /// The parts of a match.
    package enum Play: Sendable, Hashable {
        case games(Games)
        case sets(Sets)
        case periods(Periods)
    }

    /// Games to a number of points, of which a side has to win some.
    package struct Games: Sendable, Hashable {
        /// The games that win the match.
        package var gamesToWin: Int
        /// The points that win each game; the last entry holds for all that follow.
        package var targets: [Int]
        /// The points by which a game is won.
        package var lead: Int
        /// The points that win a game whatever the lead is; `nil` for none.
        package var cap: Int?
    }

    /// Sets of games, as in tennis.
    package struct Sets: Sendable, Hashable {
        package var setsToWin: Int
        package var gamesPerSet: Int
        /// The points of each set's tie-break, which is played when both have `gamesPerSet` games.
        package var tieBreakTargets: [Int]
    }

    /// Periods with a clock; all points count.
    package struct Periods: Sendable, Hashable {
        package var count: Int
        package var seconds: Int
        /// Whether the clock shows the time that is left.
        package var countsDown: Bool
        /// The points that one action may score.
        package var pointValues: [Int]
        /// The length of a period that is added to a tied match; `nil` if a match can end as a draw without one.
        package var overtimeSeconds: Int?
        /// The number of added periods; `nil` for as many as it takes.
        package var overtimeCount: Int?
        /// Whether a match may end without a winner after the last period.
        package var allowsDraw: Bool
    }

    /// Time-outs or appeals of each side.
    package struct Allowance: Sendable, Hashable {
        package var count: Int
        /// The length of a time-out; `nil` for appeals.
        package var seconds: Int?
        /// The number of games or periods that share the count.
        package var gameCount: Int
    }

    /// The order in which players serve.
    package enum ServeOrder: String, Sendable, Hashable, CaseIterable {
        /// A1, A2, B1, B2.
        case partnersFirst
        /// A1, B1, A2, B2.
        case sidesAlternate
        /// The service court in which a player stands decides (badminton).
        case courts
        /// Sides serve; their players do not matter.
        case sides
        /// Nobody serves.
        case none
    }

    /// The side that serves first in a game after the first one.
    package enum NextServe: String, Sendable, Hashable, CaseIterable {
        /// The other side than in the game before.
        case alternates
        /// The winner of the game before.
        case winner
        /// The order goes on.
        case continues
    }

    /// The side that serves first in the game that decides the match.
    package enum DecidingServe: String, Sendable, Hashable, CaseIterable {
        case asOthers
        /// The side with more points so far; the referee draws if they are equal.
        case morePoints
        /// The referee draws.
        case draw
    }

    /// The document that the rules come from.
    package struct Source: Sendable, Hashable {
        package var title: String
        package var clauses: String
        package var url: String
        /// A note on parts that are left out or could not be read; `nil` for none.
        package var note: String?
    }

    package var id: String
    /// Texts by language (`es`, `en`).
    package var sport: [String: String]
    package var name: [String: String]
    package var source: Source
    package var modalities: [Modality]
    package var scorings: [Scoring]
    package var play: Play
    package var serveOrder: ServeOrder
    package var nextServe: NextServe
    package var decidingServe: DecidingServe
    /// Whether only one player of the side that begins a game of doubles serves before the first side-out.
    package var firstServeIsSingle: Bool
    package var timeOuts: [Allowance]
    package var appeals: [Allowance]

    /// The points that one action may score.
    package var pointValues: [Int] { if case .periods(let periods) = play { periods.pointValues } else { [1] } }

    /// The scoring that is used unless the referee chooses another.
    package var defaultScoring: Scoring { scorings.first ?? .manual }

    /// The entry of a list that holds for a game.
    static func entry<Value>(_ list: [Value], game: Int) -> Value? {
        list.indices.contains(game) ? list[game] : list.last
    }

    /// The games or periods of each entry, and the first of them: the entry for a game, and whether it begins there.
    static func allowance(_ list: [Allowance], game: Int) -> (value: Allowance, isNew: Bool)? {
        guard let last = list.last else { return nil }
        var first = 0
        for entry in list {
            if game < first + entry.gameCount { return (entry, game == first) }
            first += entry.gameCount
        }
        return (last, (game - first).isMultiple(of: last.gameCount))
    }
}
