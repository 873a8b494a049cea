import Accounts
import BoardDrawing
import MediaCore
import Testing
import Workflows

@testable import Scoreboard

/// What a board shows that is drawn into the picture.
struct DrawnBoardTests {
    private static func match(_ fixture: MatchFixture, a: String = "Núñez", b: String = "Ortiz") throws -> ScoreMatch {
        let state = fixture.state
        var first = MatchSetup.Entrant(name: a)
        first.country = "ES"
        let setup = MatchSetup(
            channel: "canalA", rules: state.rules, rulesText: "", modality: state.modality, scoring: state.scoring,
            sides: SidePair([first], [MatchSetup.Entrant(name: b)]), firstServer: MatchServer(.a), isDrawn: false,
            draw: nil, competition: "", stage: "", referee: "")
        return ScoreMatch(id: OpaqueID(), setup: setup, createdAt: fixture.now, log: fixture.log)
    }

    private static let past = WallClockTime.unixEpoch

    @Test func eachStateHoldsFromItsTime() throws {
        var fixture = try MatchFixture("racquetball3", scoring: .rally)
        try fixture.points("aab")
        let states = DrawnBoard(try Self.match(fixture), language: "en").states(since: Self.past)
        #expect(
            states.compactMap { $0.board?.sides.map(\.points) } == [["0", "0"], ["1", "0"], ["2", "0"], ["2", "1"]])
        #expect(states.last?.from == fixture.now)
        let board = try #require(states.last?.board)
        #expect(board.sides.map(\.name) == ["Núñez", "Ortiz"] && board.sides.map(\.countries) == [["ES"], []])
        #expect(board.sides.map(\.serves) == [false, true] && board.sides.map(\.columns) == [["0"], ["0"]])
        // The one that held at a time, and those after it.
        let later = DrawnBoard(try Self.match(fixture), language: "en").states(since: fixture.now - .milliseconds(500))
        #expect(later.compactMap { $0.board?.sides.map(\.points) } == [["2", "0"], ["2", "1"]])
    }

    @Test func aCorrectionReplacesTheStates() throws {
        var fixture = try MatchFixture("racquetball3", scoring: .rally)
        try fixture.points("ab")
        try fixture.undo()
        let states = DrawnBoard(try Self.match(fixture), language: "en").states(since: Self.past)
        #expect(states.compactMap { $0.board?.sides.map(\.points) } == [["0", "0"], ["1", "0"]])
    }

    @Test func aResultGoesAfterTwoMinutes() throws {
        var fixture = try MatchFixture("racquetball3", scoring: .rally)
        try fixture.points("a" * 30)
        let match = try Self.match(fixture)
        let states = DrawnBoard(match, language: "es").states(since: Self.past)
        #expect(states.last?.board == nil && states.last?.from == fixture.now + Scoreboard.resultTime)
        let result = try #require(states.dropLast().last?.board)
        #expect(result.line == "Gana Núñez" && result.sides.map(\.columns) == [["15", "15"], ["0", "0"]])
        #expect(result.sides.map(\.points) == ["2", "0"] && !result.sides.contains(where: \.serves))
        let decisive = states.compactMap(\.board?.line).filter { $0.hasPrefix("Punto de partido") }
        #expect(decisive == ["Punto de partido: Núñez"])
    }

    @Test func aTimeOutCountsDownAndAClockRuns() throws {
        var fixture = try MatchFixture("volleyball")
        try fixture.act(.timeOut(.b))
        let board = try #require(
            DrawnBoard(try Self.match(fixture), language: "en").states(since: Self.past).last?.board)
        #expect(board.line == "Time-out · Ortiz" && board.lineCountsDownTo == fixture.state.timeOut?.endsAt)
        var basketball = try MatchFixture("basketball")
        try basketball.act(.startClock)
        let period = try #require(
            DrawnBoard(try Self.match(basketball), language: "en").states(since: Self.past).last?.board)
        let length = try #require(basketball.state.periodSeconds)
        #expect(period.clock?.runningSince == basketball.now && period.clock?.label == "1.")
        let lines = period.text(at: basketball.now + .seconds(61)).lines
        #expect(lines == ["1. \(length / 60 - 2):59"])
    }

    @Test func aMatchThatHasNotBegunHasNoBoard() throws {
        let fixture = try MatchFixture("tennis", starts: false)
        #expect(DrawnBoard(try Self.match(fixture), language: "en").states(since: Self.past).isEmpty)
    }

    /// A long match is cut to what frames may still show.
    @Test func theStatesAreBounded() throws {
        var fixture = try MatchFixture("racquetball3", scoring: .manual)
        for index in 0..<200 {
            try fixture.act(index.isMultiple(of: 2) ? .point(.a, count: 1) : .correct(.a, count: 1))
        }
        let states = DrawnBoard(try Self.match(fixture), language: "en").states(since: Self.past)
        #expect(states.count < DatedBoard.maximumCount && states.last?.from == fixture.now)
    }
}
