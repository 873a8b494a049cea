package import BoardDrawing
package import MediaCore
package import Scoreboard
import SiteTexts

/// A match as the board shows it that is drawn into the picture of its channel.
package struct DrawnBoard {
    /// The words on the board.
    private struct Words: SiteTextSection {
        static let section = "scoreboard"

        let wins, isDraw, timeOut, gameOver, matchPoint, gamePoint: String
    }

    private let match: ScoreMatch
    private let words: Words
    private let language: String

    /// - Parameters:
    ///   - match: the match.
    ///   - language: the language of the words; English for one that the site does not have.
    package init(_ match: ScoreMatch, language: String) {
        self.match = match
        self.language = language
        words = Words.of(SiteLanguage(rawValue: language) ?? .english)
    }

    /// The states that frames may still show, oldest first: the one that was shown at a time, and all after it. A
    /// result goes after two minutes.
    package func states(since time: WallClockTime) -> [DatedBoard] {
        let all = match.timeline.filter { $0.state.phase != .ready }
        let first = all.lastIndex { $0.time <= time } ?? all.startIndex
        var states = all[first...].suffix(DatedBoard.maximumCount - 1).map {
            DatedBoard(from: $0.time, board: board($0.state))
        }
        if let endedAt = all.last?.state.endedAt {
            states.append(DatedBoard(from: endedAt + Scoreboard.resultTime, board: nil))
        }
        return states
    }

    private func board(_ state: MatchState) -> BoardPicture {
        let (line, end) = line(of: state)
        return BoardPicture(
            sides: MatchSide.allCases.map { side($0, state) }, clock: clock(state), line: line, lineCountsDownTo: end,
            language: language)
    }

    private func side(_ side: MatchSide, _ state: MatchState) -> BoardPicture.Side {
        let entrants = match.setup.sides[side]
        var countries: [String] = []
        for country in entrants.compactMap(\.country) where !countries.contains(country) { countries.append(country) }
        let values = state.sides[side]
        var columns: [String] = []
        var points = state.pointsText(of: side)
        switch state.rules.play {
        case .periods: break
        case .games where state.phase == .finished, .sets where state.phase == .finished:
            (columns, points) = (state.finished.map { "\($0[side])" }, "\(values.won)")
        case .games: columns = ["\(values.won)"]
        case .sets: columns = ["\(values.won)", "\(values.games)"]
        }
        return BoardPicture.Side(
            name: name(side), countries: countries,
            serves: !state.phase.isFinal && state.server?.side == side, columns: columns, points: points)
    }

    private func name(_ side: MatchSide) -> String {
        match.setup.sides[side].map(\.shortName).joined(separator: " / ")
    }

    private func clock(_ state: MatchState) -> BoardPicture.Clock? {
        guard let clock = state.clock, let length = state.periodSeconds, case .periods(let periods) = state.rules.play
        else { return nil }
        return BoardPicture.Clock(
            label: "\(state.game + 1).", playedMilliseconds: clock.playedMilliseconds,
            runningSince: clock.runningSince, periodSeconds: length, countsDown: periods.countsDown)
    }

    /// The line below the board, and the time to which it counts down.
    private func line(of state: MatchState) -> (String, WallClockTime?) {
        func filled(_ text: String, _ side: MatchSide) -> String { text.filled("name", with: name(side)) }
        switch state.phase {
        case .finished: return (state.winner.map { filled(words.wins, $0) } ?? words.isDraw, nil)
        case .ready, .abandoned: return ("", nil)
        case .gameOver: return (words.gameOver, nil)
        case .playing, .timeOut: break
        }
        if let timeOut = state.timeOut {
            return ("\(words.timeOut) · \(name(timeOut.side))", timeOut.endsAt)
        }
        let points = MatchSide.allCases.compactMap { side in
            state.decisivePoint(of: side).map {
                filled($0 == .match ? words.matchPoint : words.gamePoint, side)
            }
        }
        return (points.joined(separator: " · "), nil)
    }
}
