import MediaCore
import Testing

@testable import Scoreboard

/// A match in a test.
struct MatchFixture {
    var log: MatchLog
    private(set) var now = WallClockTime(millisecondsSince1970: 1_764_000_000_000)

    init(
        _ rules: String, scoring: MatchRules.Scoring? = nil, modality: MatchRules.Modality? = nil,
        firstServer: MatchServer = MatchServer(.a), starts: Bool = true
    ) throws {
        let rules = try #require(MatchRuleFiles.rules(rules))
        log = MatchLog(
            MatchState(
                rules, scoring: scoring ?? rules.defaultScoring, modality: modality ?? rules.modalities[0],
                firstServer: firstServer))
        if starts { try act(.start) }
    }

    var state: MatchState { log.state }
    var points: [Int] { [state.points.a, state.points.b] }
    var won: [Int] { [state.won.a, state.won.b] }
    var games: [Int] { [state.games.a, state.games.b] }
    var finished: [[Int]] { state.finished.map { [$0.a, $0.b] } }
    /// The server as "a1".
    var server: String? { state.server.map { "\($0.side.rawValue)\($0.player + 1)" } }

    mutating func pass(seconds: Int64) { now = now.advanced(byMilliseconds: seconds * 1_000) }

    mutating func act(_ action: MatchAction) throws {
        pass(seconds: 1)
        try log.append(.action(action), at: now)
    }

    mutating func undo() throws {
        let last = try #require(log.undoable)
        try log.append(.amendment(of: last.sequence, nil), at: now)
    }

    /// Gives points, begins games on the way, and lets the match end.
    mutating func points(_ sides: String) throws {
        for side in sides {
            if state.phase == .gameOver { try act(.nextGame) }
            try act(.point(side == "a" ? .a : .b, count: 1))
        }
    }

    /// The reason for which an action is refused; `nil` if it is carried out.
    mutating func refusal(_ action: MatchAction) -> MatchConflict.Reason? {
        do { try log.append(.action(action), at: now) } catch { return error.reason }
        return nil
    }
}

extension String {
    static func * (text: String, count: Int) -> String { String(repeating: text, count: count) }
}
