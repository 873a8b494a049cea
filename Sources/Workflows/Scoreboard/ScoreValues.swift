import Accounts
import JSONDocument
import MediaCore
import Scoreboard

/// The score of a match as players of others get it: in the stream of the channel, and beside its recordings.
struct ScoreValues {
    var match: ScoreMatch
    /// The entry of the match's log that led to the state.
    var sequence: Int64
    var time: WallClockTime
    var state: MatchState
    /// Whether the match or a game begins with the entry.
    var isBeginning: Bool

    /// Limit of the characters of a side's names.
    private static let maximumNameLength = 80

    /// Names in capitals, and values without quotation marks.
    var pairs: [(String, String)] {
        var values = [
            ("MATCH", match.id.text), ("SEQUENCE", "\(sequence)"),
            ("TIME", CivilTime(millisecondsSince1970: time.millisecondsSince1970).description),
            ("PHASE", state.phase.rawValue), ("GAME", "\(state.game + 1)"),
            ("POINTS", both { state.pointsText(of: $0) }), ("WON", both { "\(state.sides[$0].won)" }),
            ("SIDE-A", names(.a)), ("SIDE-B", names(.b)),
        ]
        let score = match.scoreText(of: state)
        if !score.isEmpty { values.append(("SCORE", score)) }
        if let server = state.server { values.append(("SERVER", "\(server.side.rawValue)\(server.player + 1)")) }
        if let winner = state.winner { values.append(("WINNER", winner.rawValue)) }
        if isBeginning { values.append(("TITLE", "\(names(.a)) – \(names(.b)) · \(state.game + 1)")) }
        return values
    }

    /// The values as one line of JSON, with names in small letters.
    static func document(_ pairs: [(String, String)]) -> String {
        JSONText.object(pairs.map { name, value in (name.lowercased(), JSONText.string(value)) }).rendered
    }

    private func both(_ value: (MatchSide) -> String) -> String { "\(value(.a))-\(value(.b))" }

    private func names(_ side: MatchSide) -> String {
        let names = match.setup.sides[side].map(\.shortName).joined(separator: " / ")
        // A quoted string of a playlist has no quotation mark.
        return String(names.replacing("\"", with: "'").prefix(Self.maximumNameLength))
    }
}
