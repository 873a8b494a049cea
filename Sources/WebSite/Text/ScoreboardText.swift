import Scoreboard
import SiteTexts

/// The texts of the pages of matches.
struct ScoreboardText: SiteTextSection {
    static let section = "scoreboard"

    // All courts and boards.
    let heading, empty, boardOf, keepScore, newMatch, projector, overlay, results, noResults: String
    // A new match.
    let setUp, channel, rules, modality, singles, doubles, teams, scoring, manual, sideOut, rally, ofRules: String
    let sideA, sideB, firstServer, draw, competition, stage, referee, create, playersHint: String
    let wrongRules, sameTwice, tooMany, notPossible: String
    // The referee's page.
    let needsScript, takeBack, server, undo, start, nextGame, endPeriod, freeze, note, abandon, endTimeOut: String
    let clock, timeOut, appeal, speech, tap, keys, keysHelp, settings, conflicts, board, back: String
    // The words of boards.
    let wins, isDraw, abandoned, soon, review, gameOver, matchPoint, gamePoint, won, games, timeOuts: String
    let appeals, pending, notKept, logIn, away, askAbandon, game, pointBefore, pointAfter: String
    // The matches that a tablet keeps.
    let tablet, tabletText, tabletEmpty, tabletReady, needsHTTPS, howToHTTPS, save, open, delivered, refused: String
    let forbidden, gone, noRules, nothingToUndo, waits, logInLink: String
    // What a match does not allow.
    let hasStarted, notStarted, isOver, gameIsOver, gameIsNotOver, noPointsToTakeBack, noTimeOutsLeft: String
    let noAppealsLeft, timeOutRuns, noTimeOutRuns, implausibleScore, nobodyServes, hasNoClock, unknownEvent: String

    /// The words that the scripts of all boards show.
    var boardWords: [(String, String)] {
        [
            ("wins", wins), ("draw", isDraw), ("abandoned", abandoned), ("soon", soon), ("review", review),
            ("gameOver", gameOver), ("matchPoint", matchPoint), ("gamePoint", gamePoint), ("won", won),
            ("games", games), ("timeOut", timeOut), ("timeOuts", timeOuts), ("appeals", appeals), ("game", game),
            ("pointBefore", pointBefore), ("pointAfter", pointAfter),
        ]
    }

    /// The further words of the referee's page.
    var refereeWords: [(String, String)] {
        [
            ("pending", pending), ("notKept", notKept), ("logIn", logIn), ("away", away), ("askAbandon", askAbandon),
            ("note", note), ("delivered", delivered), ("refused", refused), ("forbidden", forbidden), ("gone", gone),
            ("nothingToUndo", nothingToUndo), ("waits", waits), ("save", save), ("open", open),
            ("sameTwice", sameTwice), ("wrongRules", wrongRules), ("notPossible", notPossible),
        ]
    }

    func text(of reason: MatchConflict.Reason) -> String {
        switch reason {
        case .hasStarted: hasStarted
        case .notStarted: notStarted
        case .isOver: isOver
        case .gameIsOver: gameIsOver
        case .gameIsNotOver: gameIsNotOver
        case .noPointsToTakeBack: noPointsToTakeBack
        case .noTimeOutsLeft: noTimeOutsLeft
        case .noAppealsLeft: noAppealsLeft
        case .timeOutRuns: timeOutRuns
        case .noTimeOutRuns: noTimeOutRuns
        case .implausibleScore: implausibleScore
        case .nobodyServes: nobodyServes
        case .hasNoClock: hasNoClock
        case .unknownEvent: unknownEvent
        }
    }

    func name(of modality: MatchRules.Modality) -> String {
        switch modality {
        case .singles: singles
        case .doubles: doubles
        case .teams: teams
        }
    }

    func name(of scoring: MatchRules.Scoring) -> String {
        switch scoring {
        case .manual: manual
        case .sideOut: sideOut
        case .rally: rally
        }
    }
}
