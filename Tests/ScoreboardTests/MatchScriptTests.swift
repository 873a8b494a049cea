import Accounts
import Foundation
import JSONDocument
import MediaCore
import TestSupport
import Testing
import WebAPI

@testable import Scoreboard

/// The referee's page computes the score itself while there is no network: random matches have to give the same boards,
/// refusals and conflicts in its scripts as on the server.
struct MatchScriptTests {
    private static let matchCount = 30
    private static let wholeMatchCount = 10
    private static let maximumStepCount = 400
    private static let start = WallClockTime(millisecondsSince1970: 1_764_000_000_000)
    private static let today = CivilDate(parsing: "2026-02-28") ?? CivilDate(daysSince1970: 0)

    /// The steps of a match, each with its board or refusal.
    private struct Play {
        var match: ScoreMatch
        var time = MatchScriptTests.start
        var steps: [JSONText] = []

        private mutating func note(_ event: JSONText, _ more: JSONText.Field) {
            steps.append(
                .object([
                    ("event", event), ("time", .integer(Int(time.millisecondsSince1970))),
                    ("undoable", .integer(Int(match.log.undoable?.sequence ?? 0))), more,
                ]))
        }

        private var board: JSONText { BoardResource.board(match, today: MatchScriptTests.today) }

        /// Carries an event out; one that is refused is sometimes kept as a conflict.
        mutating func act(_ content: MatchEntry.Content, keepsConflict: Bool, showsBoard: Bool) {
            do {
                try match.log.append(content, at: time)
                note(content.json, ("board", showsBoard ? board : .null))
            } catch {
                note(content.json, ("refusal", .string(error.reason.rawValue)))
                guard keepsConflict else { return }
                match.log.restore(MatchEntry(sequence: match.log.lastSequence + 1, content, at: time))
                note(content.json, ("kept", board))
            }
        }

        mutating func finish() { note(MatchAction.note("end").json, ("last", board)) }
    }

    private static func entrant(_ name: String, _ generator: inout SeededGenerator) -> MatchSetup.Entrant {
        var entrant = MatchSetup.Entrant(name: "\(name) Núñez")
        guard Bool.random(using: &generator) else { return entrant }
        (entrant.shortName, entrant.country, entrant.gender) = ("Núñez", "ES", .female)
        let days = ["2000-02-29", "1999-02-28", "1999-03-01"]
        entrant.birthDate = days.randomElement(using: &generator).flatMap { CivilDate(parsing: $0) }
        entrant.extra = "CD \"Norte\""
        (entrant.player, entrant.photo) = (OpaqueID(), Bool.random(using: &generator) ? "1x" : nil)
        return entrant
    }

    private static func setup(_ rules: MatchRules, _ generator: inout SeededGenerator) throws -> MatchSetup {
        let modality = rules.modalities.randomElement(using: &generator) ?? .singles
        func side(_ name: String) -> [MatchSetup.Entrant] {
            (0..<modality.playerCount).map { entrant("\(name)\($0 + 1)", &generator) }
        }
        return MatchSetup(
            channel: "canalA", rules: rules, rulesText: try #require(MatchRuleFiles.text(rules.id)),
            modality: modality, scoring: rules.scorings.randomElement(using: &generator) ?? .manual,
            sides: SidePair(side("A"), side("B")),
            firstServer: MatchServer(
                Bool.random(using: &generator) ? .a : .b,
                player: Int.random(in: 0..<modality.playerCount, using: &generator)),
            isDrawn: Bool.random(using: &generator),
            draw: Bool.random(using: &generator) ? .random() : nil, competition: "Open", stage: "",
            referee: "<b>Eva</b>")
    }

    /// An action that is mostly possible, so that matches come to their end.
    private static func action(_ play: Play, _ generator: inout SeededGenerator) -> MatchAction {
        let (state, side) = (play.match.state, Bool.random(using: &generator) ? MatchSide.a : .b)
        if state.phase == .gameOver, Int.random(in: 0..<3, using: &generator) > 0 { return .nextGame }
        switch Int.random(in: 0..<60, using: &generator) {
        case 0: return .appeal(side, .upheld)
        case 1: return .appeal(side, .used)
        case 2: return .card(side, .red, player: 1)
        case 3: return .injury(side, player: nil)
        case 4: return .freeze
        case 5: return .unfreeze
        case 6: return .setClock(Int.random(in: 1...700, using: &generator))
        case 7: return .point(side, count: Int.random(in: 1...4, using: &generator))
        case 8: return .correct(side, count: 2)
        case 9: return Int.random(in: 0..<20, using: &generator) == 0 ? .walkover(winner: side) : .startClock
        case 10: return Int.random(in: 0..<20, using: &generator) == 0 ? .abandon : .endPeriod
        case 11:
            return .setState(
                MatchScore(
                    finished: [], points: SidePair(2, 3),
                    games: SidePair(Int.random(in: 0...6, using: &generator), Int.random(in: 0...6, using: &generator)))
            )
        case 12..<36: return RandomMatchTests.randomAction(play.match.setup.rules, &generator)
        default: return .point(side, count: 1)
        }
    }

    private static func play(_ rules: MatchRules, _ generator: inout SeededGenerator) throws -> JSONText {
        let setup = try setup(rules, &generator)
        let log = MatchLog(setup.beginning)
        var play = Play(match: ScoreMatch(id: OpaqueID(), setup: setup, createdAt: start, log: log))
        play.act(.action(.start), keepsConflict: false, showsBoard: true)
        for step in 0..<Int.random(in: 20...140, using: &generator) {
            play.time = play.time.advanced(byMilliseconds: Int64.random(in: -500...20_000, using: &generator))
            let keepsConflict = Int.random(in: 0..<8, using: &generator) == 0
            let content: MatchEntry.Content
            switch Int.random(in: 0..<24, using: &generator) {
            case 0:
                content = .amendment(
                    of: Int64.random(in: 1...play.match.log.lastSequence, using: &generator), action(play, &generator))
            case 1, 2:
                guard let last = play.match.log.undoable else { continue }
                content = .amendment(of: last.sequence, nil)
            default: content = .action(action(play, &generator))
            }
            if case .amendment = content {
                play.act(content, keepsConflict: false, showsBoard: true)
            } else {
                play.act(content, keepsConflict: keepsConflict, showsBoard: step % 5 == 0)
            }
        }
        play.finish()
        return .object([("id", .string(play.match.id.text)), ("setup", setup.document), ("steps", .array(play.steps))])
    }

    /// A match that is played to its end with points alone. Games with a cap are brought near it, and sets of tennis
    /// near a tie-break.
    private static func wholeMatch(_ rules: MatchRules, _ generator: inout SeededGenerator) throws -> JSONText {
        let setup = try setup(rules, &generator)
        let log = MatchLog(setup.beginning)
        var play = Play(match: ScoreMatch(id: OpaqueID(), setup: setup, createdAt: start, log: log))
        play.act(.action(.start), keepsConflict: false, showsBoard: true)
        for step in 0..<maximumStepCount where !play.match.state.phase.isFinal {
            play.time = play.time.advanced(byMilliseconds: 7_000)
            let state = play.match.state
            let side: MatchSide = Bool.random(using: &generator) ? .a : .b
            var action = MatchAction.point(side, count: 1)
            if state.phase == .gameOver { action = .nextGame }
            if case .periods = rules.play, step % 10 == 9, state.phase != .gameOver { action = .endPeriod }
            if case .games(let games) = rules.play, let cap = games.cap, state.phase == .playing,
                state.points.total == 1
            {
                let points = SidePair(both: cap - 1)
                action = .setState(MatchScore(finished: state.finished, points: points))
            }
            if case .sets = rules.play, state.phase == .playing, state.games.total == 1, state.points.total == 0 {
                let games = side == .a ? SidePair(6, 5) : SidePair(5, 6)
                action = .setState(MatchScore(finished: state.finished, points: SidePair(0, 0), games: games))
            }
            play.act(.action(action), keepsConflict: false, showsBoard: step % 3 == 0)
        }
        play.finish()
        return .object([("id", .string(play.match.id.text)), ("setup", setup.document), ("steps", .array(play.steps))])
    }

    /// Runs a file of Tests/Support in Chromium, beside scripts of the site.
    ///
    /// - Parameters:
    ///   - check: the name of the file, which sets `antenaResult` with a `count` and a list of `failures`.
    ///   - count: the number of checks that it has to make.
    ///   - folder: the folder in which it finds what else it needs.
    ///   - isNeeded: whether a script with this name is copied beside it.
    private static func run(
        _ check: String, expecting count: Int, in folder: TemporaryDirectory, with isNeeded: (String) -> Bool
    ) async throws {
        let scripts = "\(Repository.path)/Sources/WebSite/Resources/scripts"
        for name in try FileManager.default.contentsOfDirectory(atPath: scripts) where isNeeded(name) {
            try FileManager.default.copyItem(atPath: "\(scripts)/\(name)", toPath: folder.file(name))
        }
        try FileManager.default.copyItem(
            atPath: "\(Repository.path)/Tests/Support/\(check)", toPath: folder.file(check))
        _ = try folder.write("<!doctype html><script type=\"module\" src=\"\(check)\"></script>", to: "check.html")
        let result = """
            if (antenaResult.failures.length > 0) throw new Error(antenaResult.failures.join('; ')); antenaResult.count
            """
        let browser = try await ExternalTool("python3").run(
            [
                "\(Repository.path)/Tests/Support/drive-chromium.py", "file://\(try folder.file("check.html"))",
                "--flag=--allow-file-access-from-files", "--seconds", "120", "--show-log",
                "--wait", "window.antenaResult", "--eval", result,
            ], deadline: 240, requiringSuccess: false)
        #expect(browser.status == 0, "\(browser.text.suffix(4_000))\(browser.errorOutput)")
        #expect(browser.text.contains("\"value\": \(count)}"), "each check was made")
    }

    @Test func theScriptsOfTheRefereesPageScoreAsTheServerDoes() async throws {
        let folder = try TemporaryDirectory(label: "match-scripts")
        var plays: [JSONText] = []
        for rules in MatchRuleFiles.all {
            var generator = SeededGenerator(seed: UInt64(rules.id.utf8.reduce(52) { $0 &* 31 &+ Int($1) }))
            for _ in 0..<Self.matchCount { plays.append(try Self.play(rules, &generator)) }
            for _ in 0..<Self.wholeMatchCount { plays.append(try Self.wholeMatch(rules, &generator)) }
        }
        _ = try folder.write("export const plays = \(JSONText.array(plays).rendered);", to: "vectors.js")
        try await Self.run("match-script-checks.js", expecting: plays.count, in: folder) { $0.hasPrefix("match") }
    }

    /// The tablet's clock is wrong, is set, or stands while the tablet sleeps.
    @Test func tapsGetTheTimeOfTheServersClock() async throws {
        let folder = try TemporaryDirectory(label: "tablet-clock")
        try await Self.run("tablet-clock-checks.js", expecting: 9, in: folder) {
            ["tabletclock.js", "page.js"].contains($0)
        }
    }

    /// A tap that meets events of another tablet asks; what was entered without a network is kept.
    @Test func racesAreAskedAboutAndRefusalsAreInTheLanguageOfThePage() async throws {
        let folder = try TemporaryDirectory(label: "match-delivery")
        let rules = try #require(MatchRuleFiles.text("racquetball3"))
        _ = try folder.write("export const rules = \(rules);", to: "vectors.js")
        try await Self.run("match-delivery-checks.js", expecting: 12, in: folder) { _ in true }
    }

    @Test func drawingsHaveStepsAndLimits() async throws {
        let folder = try TemporaryDirectory(label: "strategy")
        try await Self.run("strategy-checks.js", expecting: 18, in: folder) { _ in true }
    }
}
