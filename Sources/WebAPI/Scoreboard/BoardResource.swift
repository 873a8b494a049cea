import APIContract
import APIDeclarations
import Accounts
package import JSONDocument
package import MediaCore
package import Scoreboard
import Workflows

/// Boards as the API writes them.
package enum BoardResource {
    /// The newest state of a match.
    package static func board(_ match: ScoreMatch, today: CivilDate) -> JSONText {
        let last = match.log.entries.last
        return board(
            match, state: match.state, sequence: match.log.lastSequence, time: last?.time, today: today
        ).json
    }

    /// A state of a match.
    ///
    /// - Parameter listsConflicts: whether it names the match's conflicts, as the newest state does. Many states of a
    ///   match with many conflicts would grow as their product.
    static func board(
        _ match: ScoreMatch, state: MatchState, sequence: Int64, time: WallClockTime?, today: CivilDate,
        listsConflicts: Bool = true
    ) -> APIObject<BoardFields> {
        let (setup, rules) = (match.setup, match.setup.rules)
        let timeOut = state.timeOut.map { timeOut in
            BoardTimeOutFields.object { [$0.side(timeOut.side.rawValue), $0.endsAt(Self.time(timeOut.endsAt))] }
        }
        return BoardFields.object {
            [
                $0.match(match.id.text), $0.channel(setup.channel), $0.sequence(Int(clamping: sequence)),
                $0.time(time.map(Self.time)), $0.rules(rules.id), $0.sports(rules.sport), $0.names(rules.name),
                $0.kind(rules.play.kind), $0.pointValues(rules.pointValues),
                $0.modality(setup.modality.rawValue), $0.scoring(setup.scoring.rawValue),
                $0.phase(state.phase.rawValue), $0.game(state.game + 1),
                $0.sides(MatchSide.allCases.map { side($0, setup, state, today) }),
                $0.finished(state.finished.map { [$0.a, $0.b] }),
                $0.timeOut(timeOut), $0.clock(clock(state)),
                $0.frozen(state.isFrozen), $0.winner(state.winner?.rawValue), $0.walkover(state.isWalkover),
                $0.score(match.scoreText(of: state)), $0.drawn(setup.isDrawn), $0.drawSeed(setup.draw?.seed),
                $0.competition(setup.competition),
                $0.stage(setup.stage), $0.referee(setup.referee), $0.startedAt(state.startedAt.map(Self.time)),
                $0.gameStartedAt(state.gameStartedAt.map(Self.time)), $0.endedAt(state.endedAt.map(Self.time)),
                $0.conflicts(listsConflicts ? match.log.conflicts.map(conflict) : []),
            ]
        }
    }

    /// A time with milliseconds, because boards are shown in step with frames.
    static func time(_ time: WallClockTime) -> APITime {
        APITime(CivilTime(millisecondsSince1970: time.millisecondsSince1970).description)
    }

    private static func conflict(_ conflict: MatchLog.Conflict) -> APIObject<MatchConflictFields> {
        MatchConflictFields.object {
            [
                $0.sequence(Int(clamping: conflict.sequence)), $0.reason(conflict.reason.rawValue),
                $0.text(MatchConflict(conflict.reason).text),
            ]
        }
    }

    private static func clock(_ state: MatchState) -> APIObject<BoardClockFields>? {
        guard let clock = state.clock, let length = state.periodSeconds, case .periods(let periods) = state.rules.play
        else { return nil }
        return BoardClockFields.object {
            [
                $0.playedMilliseconds(Int(clamping: clock.playedMilliseconds)),
                $0.runningSince(clock.runningSince.map(time)), $0.periodSeconds(length),
                $0.countsDown(periods.countsDown),
            ]
        }
    }

    private static func side(
        _ side: MatchSide, _ setup: MatchSetup, _ state: MatchState, _ today: CivilDate
    ) -> APIObject<BoardSideFields> {
        let values = state.sides[side]
        return BoardSideFields.object {
            [
                $0.players(setup.sides[side].map { player($0, today) }), $0.points(values.points),
                $0.pointsText(state.pointsText(of: side)), $0.games(values.games), $0.won(values.won),
                $0.timeOutsLeft(values.timeOutsLeft), $0.appealsLeft(values.appealsLeft),
                $0.cards(values.cards.map(\.rawValue)), $0.decisive(state.decisivePoint(of: side)?.rawValue),
                $0.serving(state.server.flatMap { $0.side == side ? $0.player : nil }),
            ]
        }
    }

    private static func player(_ entrant: MatchSetup.Entrant, _ today: CivilDate) -> APIObject<BoardPlayerFields> {
        BoardPlayerFields.object {
            [
                $0.id(entrant.player?.text), $0.fullName(entrant.name), $0.shortName(entrant.shortName),
                $0.country(entrant.country), $0.gender(entrant.gender?.rawValue),
                $0.age(entrant.birthDate.map { Int(clamping: ScorePlayer.age(bornOn: $0, on: today)) }),
                $0.extra(entrant.extra), $0.photo(ResourcePaths.photo(ofPlayer: entrant.player?.text, entrant.photo)),
            ]
        }
    }
}

extension MatchRules.Play {
    fileprivate var kind: String {
        switch self {
        case .games: "games"
        case .sets: "sets"
        case .periods: "periods"
        }
    }
}
