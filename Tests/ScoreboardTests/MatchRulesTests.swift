import JSONDocument
import MediaCore
import Testing

@testable import Scoreboard

/// Rules of the federations, as the files say them.
struct MatchRulesTests {
    @Test func everyFileFollowsTheSchema() throws {
        let schema = JSONSchema(try JSONParser.parse(MatchRuleFiles.schema))
        #expect(schema.unsupportedKeywords.isEmpty)
        for file in MatchRuleFiles.files {
            let node = try JSONParser.parse(file.text)
            #expect(schema.validate(node).map(\.description) == [], "\(file.name)")
            #expect(try MatchRules(node, file: file.name).id == file.name)
        }
        #expect(
            MatchRuleFiles.all.map(\.id) == [
                "badminton", "basketball", "football", "racquetball3", "racquetball5", "tennis", "volleyball",
            ])
    }

    @Test func aFileThatContradictsItselfIsRefused() throws {
        let text = """
            {"id":"x1","sport":{"en":"X","es":"X"},"name":{"en":"X","es":"X"},
             "source":{"title":"X","url":"https://example.org"},"modalities":["singles"],"scoring":["rally"],
             "play":{"kind":"games","gamesToWin":2,"targets":[21],"cap":20},"serve":{"order":"sides"}}
            """
        #expect(throws: JSONFileError.self) { try MatchRules(try JSONParser.parse(text.utf8), file: "x1") }
    }

    // MARK: Racquetball

    /// IRF 1.5: two games to 15, the third to 11, won by one point.
    @Test func racquetballIsTwoGamesTo15AndAThirdTo11() throws {
        var match = try MatchFixture("racquetball3")
        try match.points("b" * 14 + "a" * 15)
        #expect(match.finished == [[15, 14]] && match.state.phase == .gameOver)
        try match.points("b" * 15)
        #expect(match.won == [1, 1])
        var other = try MatchFixture("racquetball3")
        try other.points("a" * 15 + "b" * 14)
        #expect(other.state.decisivePoint(of: .a) == nil && other.state.decisivePoint(of: .b) == .game)
        try other.points("a" * 14)
        // The same point is one side's match and the other's game.
        #expect(other.state.decisivePoint(of: .a) == .match && other.state.decisivePoint(of: .b) == .game)
        try match.points("a" * 10 + "b" * 10)
        #expect(match.state.decisivePoint(of: .a) == .match && match.state.decisivePoint(of: .b) == .match)
        try match.points("b")
        #expect(match.state.winner == .b && match.state.phase == .finished)
        #expect(match.finished == [[15, 14], [0, 15], [10, 11]])
        #expect(match.refusal(.point(.a, count: 1)) == .isOver)
    }

    /// USA Racquetball 11.1: three games to 11, won by two points.
    @Test func theTourPlaysThreeGamesTo11WithALeadOfTwo() throws {
        var match = try MatchFixture("racquetball5")
        try match.points("ab" * 10 + "a")
        #expect(match.state.phase == .playing && match.points == [11, 10])
        try match.points("a" + "b" * 11 + "a" * 11 + "b" * 11)
        #expect(match.won == [2, 2])
        try match.points("a" * 11)
        #expect(match.state.winner == .a && match.finished.last == [11, 0])
    }

    /// IRF 3.2: the second game begins with the other side, the third with the side that has more points.
    @Test func theDecidingGameBeginsWithMorePoints() throws {
        var match = try MatchFixture("racquetball3", firstServer: MatchServer(.a))
        try match.points("b" * 3 + "a" * 15)
        try match.act(.nextGame)
        #expect(match.server == "b1")
        try match.points("b" * 15)
        try match.act(.nextGame)
        #expect(match.server == "b1", "18 points against 15")
    }

    /// The board's order: A1, A2, B1, B2, and B1, B2, A1, A2 if B begins.
    @Test func theReferesBoardRotatesThroughAllFour() throws {
        var match = try MatchFixture("racquetball3", modality: .doubles)
        var servers = [match.server]
        for _ in 0..<5 {
            try match.act(.changeServer)
            servers.append(match.server)
        }
        #expect(servers == ["a1", "a2", "b1", "b2", "a1", "a2"])
        #expect(match.points == [0, 0], "points and serve are independent")
        var other = try MatchFixture("racquetball3", modality: .doubles, firstServer: MatchServer(.b))
        servers = [other.server]
        for _ in 0..<4 {
            try other.act(.changeServer)
            servers.append(other.server)
        }
        #expect(servers == ["b1", "b2", "a1", "a2", "b1"])
        var singles = try MatchFixture("racquetball3", modality: .singles)
        try singles.act(.changeServer)
        #expect(singles.server == "b1")
    }

    /// IRF 1.4: only the serving side scores. 4.2: the side that begins a game has one server, then each has two.
    @Test func onlyTheServingSideScores() throws {
        var match = try MatchFixture("racquetball3", scoring: .sideOut, modality: .doubles)
        try match.points("a")
        #expect(match.points == [1, 0] && match.server == "a1")
        try match.points("b")
        #expect(match.points == [1, 0] && match.server == "b1", "the first side has one server")
        try match.points("ba")
        #expect(match.points == [1, 1] && match.server == "b2", "a handout")
        try match.points("a")
        #expect(match.points == [1, 1] && match.server == "a1", "a side-out")
        try match.points("bb")
        #expect(match.server == "b1" && match.points == [1, 1])
    }

    /// IRF since 2022: each rally counts, and its winner serves.
    @Test func eachRallyCountsWithRallyScoring() throws {
        var match = try MatchFixture("racquetball3", scoring: .rally, modality: .doubles)
        try match.points("b")
        #expect(match.points == [0, 1] && match.server == "b1")
        try match.points("ab")
        #expect(match.points == [1, 2] && match.server == "b2")
    }

    /// IRF 3.16: two time-outs in each game. A.7: three appeals that may fail.
    @Test func timeOutsAndAppealsAreCountedForEachGame() throws {
        var match = try MatchFixture("racquetball3")
        #expect(match.state.sides.a.timeOutsLeft == 2 && match.state.sides.b.appealsLeft == 3)
        try match.act(.timeOut(.a))
        let timeOut = try #require(match.state.timeOut)
        #expect(timeOut.side == .a && timeOut.endsAt.milliseconds(since: match.now) == 30_000)
        #expect(match.refusal(.timeOut(.b)) == .timeOutRuns)
        try match.act(.endTimeOut)
        try match.act(.timeOut(.a))
        try match.points("a")
        #expect(match.state.phase == .playing, "play that goes on ends it")
        #expect(match.refusal(.timeOut(.a)) == .noTimeOutsLeft)
        try match.act(.appeal(.b, .upheld))
        #expect(match.state.sides.b.appealsLeft == 3)
        for outcome in [AppealOutcome.used, .rejected, .used] { try match.act(.appeal(.b, outcome)) }
        #expect(match.refusal(.appeal(.b, .used)) == .noAppealsLeft)
        try match.points("a" * 14)
        try match.act(.nextGame)
        #expect(match.state.sides.a.timeOutsLeft == 2 && match.state.sides.b.appealsLeft == 3)
    }

    // MARK: Others

    /// FIVB 6.2 and 6.3: 25 with a lead of two, the fifth set to 15.
    @Test func volleyballIsThreeSetsWithALeadOfTwo() throws {
        var match = try MatchFixture("volleyball")
        try match.points("ab" * 24)
        #expect(match.points == [24, 24])
        try match.points("a")
        #expect(match.state.phase == .playing)
        try match.points("a" + "b" * 25 + "a" * 25 + "b" * 25)
        #expect(match.won == [2, 2])
        try match.points("a" * 14 + "b" * 14 + "a")
        #expect(match.state.phase == .playing)
        try match.points("a")
        #expect(match.state.winner == .a && match.finished.last == [16, 14])
    }

    /// FIVB 12.2: the winner of a rally serves; 15.1: two time-outs of 30 s in each set.
    @Test func volleyballServesByRally() throws {
        var match = try MatchFixture("volleyball")
        try match.points("b")
        #expect(match.server == "b1")
        try match.points("b" * 24)
        try match.act(.nextGame)
        #expect(match.server == "b1", "the side that did not begin the set before")
    }

    /// BWF 7.4 and 7.5: a lead of two from 20-all, 30 at 29-all. 7.6: the winner serves first.
    @Test func badmintonEndsAtThirty() throws {
        var match = try MatchFixture("badminton", modality: .singles)
        try match.points("ab" * 29)
        #expect(match.points == [29, 29] && match.state.phase == .playing)
        #expect(match.state.decisivePoint(of: .a) == .game && match.state.decisivePoint(of: .b) == .game)
        try match.points("b")
        #expect(match.finished == [[29, 30]])
        try match.act(.nextGame)
        #expect(match.server == "b1")
    }

    /// BWF 11: the service courts decide who serves in doubles.
    @Test func badmintonServesByCourts() throws {
        var match = try MatchFixture("badminton", modality: .doubles)
        // A1 serves from the right; a point each makes the players change courts.
        try match.points("a")
        #expect(match.server == "a1")
        try match.points("b")
        #expect(match.server == "b2", "one point is odd: the player in the left court")
        try match.points("b")
        #expect(match.server == "b2")
        try match.points("a")
        #expect(match.server == "a2", "two points are even: A2 has stood in the right court since the first")
    }

    /// ITF 5 and 6: four points with a lead of two, six games with a lead of two, a tie-break to seven at 6-all.
    @Test func tennisHasGamesSetsAndTieBreaks() throws {
        var match = try MatchFixture("tennis")
        try match.points("aaabbb")
        #expect(match.points == [3, 3])
        try match.points("ab" + "aa")
        #expect(match.games == [1, 0] && match.points == [0, 0])
        try match.points("b" * 4 + ("a" * 4 + "b" * 4) * 4)
        #expect(match.games == [5, 5])
        try match.points("a" * 4)
        #expect(match.state.phase == .playing && match.games == [6, 5])
        try match.points("b" * 4)
        #expect(match.state.isTieBreak)
        try match.points("ab" * 6)
        #expect(match.points == [6, 6])
        try match.points("aa")
        #expect(match.finished == [[7, 6]] && match.won == [1, 0])
        try match.act(.nextGame)
        try match.points("b" * 24)
        #expect(match.finished == [[7, 6], [0, 6]])
        try match.points("a" * 24)
        #expect(match.state.winner == .a)
    }

    /// ITF 14 and 5(b): the serve changes with each game, in a tie-break after the first point and then after two.
    @Test func tennisServesInTurn() throws {
        var match = try MatchFixture("tennis", modality: .doubles)
        var servers = [match.server]
        for _ in 0..<4 {
            try match.points("a" * 4)
            servers.append(match.server)
        }
        #expect(servers == ["a1", "b1", "a2", "b2", "a1"])
        var tied = try MatchFixture("tennis")
        try tied.points(("a" * 4 + "b" * 4) * 6)
        #expect(tied.state.isTieBreak && tied.server == "a1")
        var order = [tied.server]
        for _ in 0..<6 {
            try tied.points("a")
            order.append(tied.server)
        }
        #expect(order == ["a1", "b1", "b1", "a1", "a1", "b1", "b1"])
        try tied.points("a")
        try tied.act(.nextGame)
        #expect(tied.server == "b1", "the side that received first in the tie-break")
    }

    /// FIBA 8: four quarters, overtime until somebody leads. 18.2: two time-outs in the first half, then three.
    @Test func basketballHasPeriodsAndOvertime() throws {
        var match = try MatchFixture("basketball")
        try match.act(.startClock)
        match.pass(seconds: 99)
        try match.act(.point(.a, count: 3))
        #expect(match.state.playedMilliseconds(at: match.now) == 100_000)
        #expect(match.refusal(.point(.a, count: 4)) == .implausibleScore)
        try match.act(.timeOut(.a))
        try match.act(.endTimeOut)
        #expect(match.state.clock?.runningSince == nil)
        try match.act(.endPeriod)
        try match.act(.nextGame)
        #expect(match.state.sides.a.timeOutsLeft == 1 && match.points == [3, 0])
        try match.act(.endPeriod)
        try match.act(.nextGame)
        #expect(match.state.sides.a.timeOutsLeft == 3)
        try match.act(.point(.b, count: 3))
        for _ in 0..<2 { try match.act(.endPeriod); if match.state.phase == .gameOver { try match.act(.nextGame) } }
        #expect(match.state.game == 4 && match.state.periodSeconds == 300 && match.state.sides.b.timeOutsLeft == 1)
        try match.act(.point(.b, count: 2))
        try match.act(.endPeriod)
        #expect(match.state.winner == .b && match.finished == [[3, 0], [0, 0], [0, 3], [0, 0], [0, 2]])
    }

    /// IFAB 7: two halves; a match may be a draw.
    @Test func footballMayEndInADraw() throws {
        var match = try MatchFixture("football")
        try match.act(.setClock(44 * 60))
        try match.act(.startClock)
        match.pass(seconds: 60)
        #expect(match.state.playedMilliseconds(at: match.now) == 45 * 60_000)
        try match.act(.point(.a, count: 1))
        try match.act(.endPeriod)
        try match.act(.nextGame)
        try match.act(.point(.b, count: 1))
        try match.act(.correct(.b, count: 1))
        try match.act(.point(.b, count: 1))
        try match.act(.endPeriod)
        #expect(match.state.phase == .finished && match.state.winner == nil)
    }
}
