package import Accounts
package import MediaCore

/// A match with its events.
package struct ScoreMatch: Sendable {
    package let id: OpaqueID
    package var setup: MatchSetup
    package var createdAt: WallClockTime
    /// Rises when a player of the match is changed or deleted.
    package internal(set) var entrantsRevision: Int64 = 0
    package internal(set) var log: MatchLog

    init(id: OpaqueID, setup: MatchSetup, createdAt: WallClockTime, log: MatchLog) {
        (self.id, self.setup, self.createdAt, self.log) = (id, setup, createdAt, log)
    }

    package var state: MatchState { log.state }

    /// The result of the games that have ended, the winner's points first: "15-10, 9-15, 11-7". While nobody has won,
    /// those of the first side are.
    package var scoreText: String { scoreText(of: state) }

    /// The same of an earlier state.
    package func scoreText(of state: MatchState) -> String {
        let first = state.winner ?? .a
        return ended(of: state).map { "\($0[first])-\($0[first.other])" }.joined(separator: ", ")
    }

    /// The score of each game that has ended, or of the match in sports with periods.
    private func ended(of state: MatchState) -> [SidePair<Int>] {
        hasPeriods ? state.phase.isFinal ? [state.points] : [] : state.finished
    }

    private var hasPeriods: Bool { if case .periods = setup.rules.play { true } else { false } }

    /// The games and points that count in statistics.
    var tally: MatchTally { MatchTally(ended(of: state), hasPeriods: hasPeriods) }

    /// The states that viewers see, in the order of time. Corrections have changed them as if they had been right from
    /// the beginning, and a board that is frozen keeps its state.
    package var timeline: [(sequence: Int64, time: WallClockTime, state: MatchState)] {
        var state = setup.beginning
        var states: [(sequence: Int64, time: WallClockTime, state: MatchState)] = []
        for entry in log.entries {
            guard let action = log.action(entry) else { continue }
            do { try state.apply(action, at: entry.time) } catch { continue }
            guard !state.isFrozen else { continue }
            states.append((entry.sequence, entry.time, state))
        }
        return states
    }
}
