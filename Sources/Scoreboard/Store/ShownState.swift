package import MediaCore

/// A state of a match that viewers saw.
package struct ShownState: Sendable {
    package var match: ScoreMatch
    /// The entry of the match's log that led to the state.
    package var sequence: Int64
    /// The time from which on it was shown, by the server's clock.
    package var time: WallClockTime
    package var state: MatchState

    /// The states that were shown in a span of time, oldest first, with those that were shown at its beginning.
    package static func all(of matches: [ScoreMatch], from: WallClockTime, to: WallClockTime) -> [ShownState] {
        let shown = matches.flatMap { match in
            let all = match.timeline
            let first = all.lastIndex { $0.time <= from } ?? all.startIndex
            return all[first...].prefix { $0.time <= to }.map { sequence, time, state in
                ShownState(match: match, sequence: sequence, time: time, state: state)
            }
        }
        // Two matches may have been open at once. States of one match stay in their order.
        return shown.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }.map(\.element)
    }

    /// The time until which a board shows the state if nothing follows; `nil` if the match has not ended with it.
    package var end: WallClockTime? {
        state.endedAt.map { $0 + Scoreboard.resultTime }
    }
}
