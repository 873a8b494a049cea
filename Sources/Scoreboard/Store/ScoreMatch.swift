package import Accounts
package import MediaCore

/// A match with its events.
package struct ScoreMatch: Sendable {
    package let id: OpaqueID
    package var setup: MatchSetup
    package var createdAt: WallClockTime
    package internal(set) var log: MatchLog

    package var state: MatchState { log.state }

    /// The result of the games that have ended, the winner's points first: "15-10, 9-15, 11-7". While nobody has won,
    /// those of the first side are.
    package var scoreText: String { scoreText(of: state) }

    /// The same of an earlier state.
    package func scoreText(of state: MatchState) -> String {
        let first = state.winner ?? .a
        let ended =
            if case .periods = setup.rules.play { state.phase.isFinal ? [state.points] : [] } else { state.finished }
        return ended.map { "\($0[first])-\($0[first.other])" }.joined(separator: ", ")
    }

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

/// A match in a list.
package struct MatchSummary: Sendable, Hashable {
    package let id: OpaqueID
    package var number: Int64
    package var channel: String
    package var rules: String
    package var phase: MatchState.Phase
    package var winner: MatchSide?
    package var scoreText: String
    package var names: SidePair<[String]>
    package var countries: SidePair<[String]>
    package var competition: String
    package var createdAt: WallClockTime
    package var startedAt: WallClockTime?
    package var endedAt: WallClockTime?
}

/// Which matches a list has.
package struct MatchFilter: Sendable, Hashable {
    package var channel: String?
    package var player: OpaqueID?
    package var competition: String?
    /// Only matches that have ended with a result.
    package var onlyResults = false
    /// Only matches that have not ended.
    package var onlyOpen = false

    package init() {}
}

/// An event as a referee sends it.
package struct NewMatchEvent: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case action(MatchAction)
        /// Another action in place of that of an earlier entry, or none.
        case amendment(of: Int64, MatchAction?)
        /// Leaves out the last action that counts.
        case undo
    }

    /// A name that the sender makes. An event that comes again with the same one is not a new one.
    package var id: String
    package var content: Content
    /// The time at which it happened; `nil` for now.
    package var time: WallClockTime?

    package init(id: String, _ content: Content, at time: WallClockTime? = nil) {
        (self.id, self.content, self.time) = (id, content, time)
    }

    /// Limit of an ID in characters.
    package static let maximumIDLength = 64
    /// Limit of the events that are delivered together: a whole match that was kept without a network.
    package static let maximumBatchCount = 1_000
}

/// A match that is to be made.
package struct NewMatch: Sendable {
    /// A player by ID, or a name that is not among the players.
    package enum Entrant: Sendable, Hashable {
        case player(OpaqueID)
        case name(String)
    }

    package var channel: String
    package var rules: String
    package var modality: MatchRules.Modality?
    package var scoring: MatchRules.Scoring?
    package var sides: SidePair<[Entrant]>
    /// `nil` lets chance decide.
    package var firstServer: MatchServer?
    package var competition = ""
    package var stage = ""
    package var referee = ""

    package init(channel: String, rules: String, sides: SidePair<[Entrant]>) {
        (self.channel, self.rules, self.sides) = (channel, rules, sides)
    }
}
