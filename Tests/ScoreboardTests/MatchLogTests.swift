import JSONDocument
import MediaCore
import TestSupport
import Testing

@testable import Scoreboard

/// Corrections, and what becomes of events after them.
struct MatchLogTests {
    @Test func pointsAreTakenBackButNeverBelowZero() throws {
        var match = try MatchFixture("racquetball3")
        try match.points("aab")
        try match.act(.correct(.b, count: 1))
        #expect(match.points == [2, 0])
        #expect(match.refusal(.correct(.b, count: 1)) == .noPointsToTakeBack)
    }

    @Test func takingBackThePointThatEndedAGameReopensIt() throws {
        var match = try MatchFixture("racquetball3")
        try match.points("a" * 15)
        #expect(match.state.phase == .gameOver && match.won == [1, 0])
        try match.act(.correct(.a, count: 1))
        #expect(match.state.phase == .playing && match.points == [14, 0] && match.won == [0, 0])
    }

    @Test func anEarlierEventIsCorrectedAndTheRestFollows() throws {
        var match = try MatchFixture("volleyball")
        try match.points("ab" * 24 + "aa")
        #expect(match.finished == [[26, 24]])
        // The last point was the other side's.
        try match.log.append(.amendment(of: 51, .point(.b, count: 1)), at: match.now)
        #expect(match.finished == [], "25 to 25 is not the end of the set")
        #expect(match.points == [25, 25] && match.log.conflicts.isEmpty)
        // And back again.
        try match.log.append(.amendment(of: 51, .point(.a, count: 1)), at: match.now)
        #expect(match.finished == [[26, 24]])
        // With the first one, the other side would have won before.
        try match.log.append(.amendment(of: 2, .point(.b, count: 1)), at: match.now)
        #expect(match.finished == [[23, 25]] && match.log.conflicts.map(\.sequence) == [50, 51])
    }

    @Test func whatIsImpossibleAfterACorrectionIsAConflict() throws {
        var match = try MatchFixture("racquetball3")
        try match.points("a" * 15)
        try match.act(.nextGame)
        try match.points("b")
        let firstPoint: Int64 = 2
        try match.log.append(.amendment(of: firstPoint, nil), at: match.now)
        #expect(match.log.conflicts == [.init(sequence: 17, reason: .gameIsNotOver)])
        #expect(match.points == [14, 1], "the point after it counts in the game that goes on")
        try match.points("a")
        #expect(match.finished == [[15, 1]])
        #expect(throws: MatchConflict(.unknownEvent)) {
            try match.log.append(.amendment(of: 99, nil), at: match.now)
        }
        #expect(throws: MatchConflict(.unknownEvent), "an amendment is corrected by another one of its target") {
            try match.log.append(.amendment(of: 19, nil), at: match.now)
        }
    }

    @Test func undoGoesBackStepByStep() throws {
        var match = try MatchFixture("racquetball3")
        try match.points("ab")
        try match.act(.note("rain"))
        try match.undo()
        try match.undo()
        #expect(match.points == [0, 0] && match.state.phase == .playing)
        try match.undo()
        #expect(match.state.phase == .ready && match.log.undoable == nil)
    }

    @Test func aWholeScoreIsEntered() throws {
        var match = try MatchFixture("racquetball3")
        try match.points("ab")
        let score = MatchScore(finished: [SidePair(15, 10), SidePair(9, 15)], points: SidePair(3, 4))
        try match.act(.setState(score))
        #expect(match.won == [1, 1] && match.points == [3, 4] && match.state.game == 2)
        try match.points("a" * 8)
        #expect(match.state.winner == .a)
        try match.act(.setState(score))
        #expect(match.state.phase == .playing && match.state.winner == nil, "a match that was ended by mistake")
        let tooMany = MatchScore(finished: Array(repeating: SidePair(15, 0), count: 3), points: SidePair(0, 0))
        #expect(match.refusal(.setState(tooMany)) == .implausibleScore)
        let tied = MatchScore(finished: [SidePair(7, 7)], points: SidePair(0, 0))
        #expect(match.refusal(.setState(tied)) == .implausibleScore)
    }

    @Test func aMatchIsAbandonedOrWonWithoutPlaying() throws {
        var match = try MatchFixture("racquetball3", starts: false)
        #expect(match.refusal(.point(.a, count: 1)) == .notStarted)
        try match.act(.walkover(winner: .b))
        #expect(match.state.phase == .finished && match.state.winner == .b && match.state.isWalkover)
        #expect(match.refusal(.abandon) == .isOver)
        var other = try MatchFixture("racquetball3")
        try other.act(.abandon)
        #expect(other.state.phase == .abandoned && other.state.winner == nil)
        try other.undo()
        #expect(other.state.phase == .playing)
    }

    @Test func aReviewFreezesTheBoard() throws {
        var match = try MatchFixture("racquetball3")
        try match.act(.freeze)
        try match.points("a")
        #expect(match.state.isFrozen && match.points == [1, 0])
        try match.act(.unfreeze)
        #expect(!match.state.isFrozen)
    }

    /// One of each kind.
    private static let actions: [MatchAction] = [
        .start, .point(.a, count: 1), .point(.b, count: 3), .correct(.a, count: 1), .changeServer,
        .setServer(MatchServer(.b, player: 1)), .timeOut(.a), .endTimeOut, .appeal(.b, .upheld),
        .card(.a, .red, player: 1), .card(.a, .yellow, player: nil), .injury(.b, player: 0), .injury(.b, player: nil),
        .freeze, .unfreeze,
        .setState(MatchScore(finished: [SidePair(15, 3)], points: SidePair(1, 2), games: SidePair(4, 5))), .nextGame,
        .endPeriod, .startClock, .stopClock, .setClock(600), .note("Ñandú \u{1F3D3}"), .walkover(winner: .b), .abandon,
    ]

    @Test func actionsAreTheSameAfterTheirJSON() throws {
        #expect(Set(Self.actions.map(\.kind)).count == MatchAction.Kind.allCases.count)
        for action in Self.actions {
            #expect(try MatchAction(JSONParser.parse(action.json.rendered.utf8)) == action)
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"type":"goal"}"#, #"{"type":"point"}"#, #"{"type":"point","side":"c"}"#,
        #"{"type":"point","side":"a","count":0}"#, #"{"type":"point","side":"a","count":1e300}"#,
        #"{"type":"setClock","seconds":-1}"#, #"{"type":"setClock","seconds":99999999999}"#,
        #"{"type":"setState","points":[1]}"#, #"{"type":"setState","points":[1,9223372036854775807]}"#,
        #"{"type":"setState","points":[1,2],"finished":[[1,2],3]}"#, #"{"type":"card","side":"a","card":"pink"}"#,
        #"{"type":"note","text":""}"#, #"{"type":"setServer","side":"a","player":2}"#, #"[]"#,
    ])
    func whatIsNoActionIsRefused(text: String) throws {
        let node = try JSONParser.parse(text.utf8)
        #expect(throws: MatchAction.Damage.self) { try MatchAction(node) }
    }

    /// A tablet whose clock is wrong, or a stranger with a permission.
    @Test func extremeTimesDoNotTrap() throws {
        for time in [Int64.min, .max, 0] {
            var match = try MatchFixture("basketball")
            let time = WallClockTime(millisecondsSince1970: time)
            try match.log.append(.action(.startClock), at: time)
            try match.log.append(.action(.timeOut(.a)), at: WallClockTime(millisecondsSince1970: .max))
            try match.log.append(.action(.setClock(1)), at: WallClockTime(millisecondsSince1970: .min))
            #expect(match.state.playedMilliseconds(at: WallClockTime(millisecondsSince1970: .max)) >= 0)
        }
    }
}
