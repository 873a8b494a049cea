import MediaCore
import TestSupport
import Testing

@testable import Scoreboard

/// Random matches against a plain model of each sport, which knows only the list of who won each rally.
struct RandomMatchTests {
    /// The games that a list of points makes, as the federations describe them: nothing of the reducer is used.
    private struct Model {
        var finished: [[Int]] = []
        var points = [0, 0]
        var games = [0, 0]
        var winner: Int?

        var won: [Int] { [0, 1].map { side in finished.count { $0[side] > $0[1 - side] } } }

        mutating func games(_ rules: MatchRules.Games, _ side: Int) {
            points[side] += 1
            let (mine, other) = (points[side], points[1 - side])
            let target = rules.targets[min(finished.count, rules.targets.count - 1)]
            let isCapped = rules.cap.map { mine == $0 } ?? false
            guard isCapped || mine >= target && mine - other >= rules.lead else { return }
            finished.append(points)
            if won[side] == rules.gamesToWin { winner = side } else { points = [0, 0] }
        }

        mutating func sets(_ rules: MatchRules.Sets, _ side: Int) {
            let isTieBreak = games == [rules.gamesPerSet, rules.gamesPerSet]
            points[side] += 1
            guard points[side] >= (isTieBreak ? 7 : 4), points[side] - points[1 - side] >= 2 else { return }
            points = [0, 0]
            games[side] += 1
            guard isTieBreak || games[side] >= rules.gamesPerSet && games[side] - games[1 - side] >= 2 else { return }
            finished.append(games)
            if won[side] == rules.setsToWin { winner = side } else { games = [0, 0] }
        }
    }

    private static func number(_ side: MatchSide?) -> Int? { side.map { $0 == .a ? 0 : 1 } }

    private static func compare(_ state: MatchState, _ model: Model) -> Bool {
        state.finished.map { [$0.a, $0.b] } == model.finished && number(state.winner) == model.winner
            && [state.won.a, state.won.b] == model.won
            && (state.phase != .playing || [state.points.a, state.points.b] == model.points)
    }

    @Test(arguments: ["racquetball3", "racquetball5", "volleyball", "badminton", "tennis"])
    func tenThousandMatchesAreScoredAsTheModelSays(id: String) throws {
        let rules = try #require(MatchRuleFiles.rules(id))
        var generator = SeededGenerator(seed: UInt64(id.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
        let time = WallClockTime(millisecondsSince1970: 1_764_000_000_000)
        for match in 0..<10_000 {
            let modality = rules.modalities.randomElement(using: &generator) ?? .singles
            let scoring: MatchRules.Scoring = rules.scorings.contains(.rally) ? .rally : .manual
            var state = MatchState(
                rules, scoring: scoring, modality: modality,
                firstServer: MatchServer(Bool.random(using: &generator) ? .a : .b))
            var model = Model()
            // Uneven sides end soon, and even ones play long.
            let strength = Int.random(in: 20...80, using: &generator)
            try state.apply(.start, at: time)
            while state.phase != .finished {
                if state.phase == .gameOver { try state.apply(.nextGame, at: time) }
                let side = Int.random(in: 0..<100, using: &generator) < strength ? 0 : 1
                try state.apply(.point(side == 0 ? .a : .b, count: 1), at: time)
                switch rules.play {
                case .games(let games): model.games(games, side)
                case .sets(let sets): model.sets(sets, side)
                case .periods: break
                }
                guard Self.compare(state, model) else {
                    Issue.record("match \(match): \(state.finished) \(state.points), not \(model)")
                    return
                }
                if scoring == .rally, state.phase == .playing {
                    #expect(Self.number(state.server?.side) == side, "its winner serves")
                }
            }
        }
    }

    @Test(arguments: ["basketball", "football"])
    func tenThousandMatchesWithPeriods(id: String) throws {
        let rules = try #require(MatchRuleFiles.rules(id))
        guard case .periods(let periods) = rules.play else { return }
        var generator = SeededGenerator(seed: 52)
        let time = WallClockTime(millisecondsSince1970: 1_764_000_000_000)
        for _ in 0..<10_000 {
            var state = MatchState(rules, scoring: .manual, modality: .teams, firstServer: MatchServer(.a))
            try state.apply(.start, at: time)
            var (total, count) = ([0, 0], 0)
            while state.phase != .finished {
                if state.phase == .gameOver { try state.apply(.nextGame, at: time) }
                for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                    let side = Int.random(in: 0...1, using: &generator)
                    let value = periods.pointValues.randomElement(using: &generator) ?? 1
                    try state.apply(.point(side == 0 ? .a : .b, count: value), at: time)
                    total[side] += value
                }
                try state.apply(.endPeriod, at: time)
                count += 1
                let isOver = count >= periods.count && (total[0] != total[1] || periods.allowsDraw)
                #expect((state.phase == .finished) == isOver || count == MatchRules.Limits.listCount * 2)
            }
            #expect([state.points.a, state.points.b] == total)
            #expect(state.finished.map { $0.a + $0.b }.reduce(0, +) == total[0] + total[1])
            #expect(Self.number(state.winner) == (total[0] == total[1] ? nil : total[0] > total[1] ? 0 : 1))
        }
    }

    static func randomAction(_ rules: MatchRules, _ generator: inout SeededGenerator) -> MatchAction {
        let side: MatchSide = Bool.random(using: &generator) ? .a : .b
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: return .correct(side, count: 1)
        case 1: return .changeServer
        case 2: return .setServer(MatchServer(side, player: Int.random(in: 0...1, using: &generator)))
        case 3: return .timeOut(side)
        case 4: return .endTimeOut
        case 5: return .appeal(side, .rejected)
        case 6: return .card(side, .yellow, player: nil)
        case 7: return .nextGame
        case 8: return .startClock
        case 9: return .stopClock
        case 10: return .endPeriod
        case 11:
            let (a, b) = (Int.random(in: 0...20, using: &generator), Int.random(in: 0...20, using: &generator))
            return .setState(MatchScore(finished: a == b ? [] : [SidePair(a, b)], points: SidePair(b % 5, a % 5)))
        case 12: return .note("rain")
        default: return .point(side, count: 1)
        }
    }

    /// Whatever a referee does, undoing it is the same as not having done it, and nothing traps.
    @Test(arguments: MatchRuleFiles.all.map(\.id))
    func undoingIsReplayingAllButTheLast(id: String) throws {
        let rules = try #require(MatchRuleFiles.rules(id))
        var generator = SeededGenerator(seed: 10)
        let start = WallClockTime(millisecondsSince1970: 1_764_000_000_000)
        for _ in 0..<300 {
            let beginning = MatchState(
                rules, scoring: rules.scorings.randomElement(using: &generator) ?? .manual,
                modality: rules.modalities.randomElement(using: &generator) ?? .singles, firstServer: MatchServer(.a))
            var log = MatchLog(beginning)
            try log.append(.action(.start), at: start)
            for step in 0..<60 {
                let time = start.advanced(byMilliseconds: Int64(step) * 1_000)
                try? log.append(.action(Self.randomAction(rules, &generator)), at: time)
            }
            #expect(log.conflicts.isEmpty)
            guard let last = log.undoable else { continue }
            var without = MatchLog(beginning)
            for entry in log.entries where entry.sequence != last.sequence {
                without.restore(MatchEntry(sequence: without.lastSequence + 1, entry.content, at: entry.time))
            }
            try log.append(.amendment(of: last.sequence, nil), at: start)
            #expect(log.state == without.state)
            let read = MatchLog(beginning, entries: log.entries)
            #expect(read.state == log.state && read.conflicts == log.conflicts && read.lastSequence == log.lastSequence)
        }
    }
}
