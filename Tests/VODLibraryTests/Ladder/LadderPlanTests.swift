import LibAV
import Testing

@testable import VODLibrary

struct LadderPlanTests {
    @Test func partsBeginAtSegmentsAndLastTwentySecondsOrMore() throws {
        let plan = try LadderPlan(starts: (0..<10).map { $0 * 6_000 }, end: 57_000, timescale: 1000)
        #expect(plan.parts.map(\.firstSegment) == [0, 4, 8])
        #expect(plan.parts.map(\.stretch.end) == [24_000, 48_000, nil])
        #expect(plan.parts.map(\.duration) == [24, 24, 9])
        #expect(plan.parts.map(\.number) == [0, 1, 2])
        #expect(plan.duration == 57)
    }

    struct Case: Sendable {
        var end: Int64
        var groups: [Int64]
    }

    @Test(arguments: [
        Case(end: 6_000, groups: [0, 2_000, 4_000]), Case(end: 2_000, groups: [0]), Case(end: 1_000, groups: [0]),
        // Pictures of 30000/1001 a second.
        Case(end: 6_006, groups: [0, 2_002, 4_004]),
        // A source with a key frame every 250 of 30 pictures.
        Case(end: 8_333, groups: [0, 1_666, 3_333, 4_999, 6_666]),
    ])
    func groupsAreEqualAndOfTwoSecondsAtMost(_ expected: Case) throws {
        let plan = try LadderPlan(starts: [0], end: expected.end, timescale: 1000)
        #expect(plan.parts.map(\.stretch.groupStarts) == [expected.groups])
    }

    @Test(arguments: [
        [0, 0], [5_000, 4_000], [], [0, 9_000], [Int64.min, 0], [-(1 << 61), 0],
    ])
    func timesThatDoNotRiseAreRefused(_ starts: [Int64]) {
        #expect(throws: LibraryError.self) { try LadderPlan(starts: starts, end: 6_000, timescale: 1000) }
    }

    /// A title whose last picture claims to last for days.
    @Test func aLieAboutTheEndCostsNoMemory() throws {
        let plan = try LadderPlan(starts: [0], end: 1 << 50, timescale: 1)
        #expect(plan.parts[0].stretch.groupStarts.count == 1000)
    }

    struct Turns: Sendable {
        var count: Int
        var coreCount: Int
        /// Of each turn.
        var threadCounts: [Int]
    }

    @Test(arguments: [
        Turns(count: 0, coreCount: 2, threadCounts: []), Turns(count: 1, coreCount: 4, threadCounts: [4]),
        Turns(count: 2, coreCount: 2, threadCounts: [1, 1]), Turns(count: 2, coreCount: 5, threadCounts: [2, 2]),
        // The last one would leave a core idle.
        Turns(count: 5, coreCount: 2, threadCounts: [1, 1, 1, 1, 2]),
        Turns(count: 6, coreCount: 4, threadCounts: [1, 1, 1, 1, 2, 2]),
        Turns(count: 3, coreCount: 0, threadCounts: [1, 1, 1]),
    ])
    func workersShareTheCores(_ expected: Turns) {
        let turns = LadderTurns(count: expected.count, coreCount: expected.coreCount)
        #expect((0..<expected.count).map(turns.threadCount) == expected.threadCounts)
    }
}
