import Testing
import Transcoding

@testable import MediaWorker

struct LadderPlanTests {
    @Test func partsBeginAtSegments() throws {
        let plan = try LadderPlan(
            starts: (0..<10).map { $0 * 6_000 }, end: 57_000, timescale: 1000, workerCount: 3)
        #expect(plan.parts.map(\.firstSegment) == [0, 3, 6])
        #expect(plan.parts.map(\.chunk.end) == [18_000, 36_000, nil])
        #expect(plan.parts.map(\.duration) == [18, 18, 21])
        #expect(plan.parts.map(\.number) == [0, 1, 2])
        #expect(plan.parts.map(\.name) == ["0-3", "3-3", "6-4"])
        #expect(plan.duration == 57)
    }

    struct Shares: Sendable {
        var segmentCount: Int
        var workerCount: Int
        /// Segments of 6 s of each part.
        var parts: [Int]
    }

    /// All workers begin together and end together.
    @Test(arguments: [
        Shares(segmentCount: 1, workerCount: 4, parts: [1]), Shares(segmentCount: 2, workerCount: 2, parts: [1, 1]),
        Shares(segmentCount: 5, workerCount: 2, parts: [3, 2]),
        Shares(segmentCount: 5, workerCount: 4, parts: [1, 2, 1, 1]),
        Shares(segmentCount: 5, workerCount: 64, parts: [1, 1, 1, 1, 1]),
        Shares(segmentCount: 12, workerCount: 2, parts: [3, 3, 3, 3]),
        Shares(segmentCount: 20, workerCount: 2, parts: [5, 5, 5, 5]),
        Shares(segmentCount: 32, workerCount: 2, parts: [4, 4, 4, 4, 4, 4, 4, 4]),
        Shares(segmentCount: 12, workerCount: 1, parts: [4, 4, 4]),
        Shares(segmentCount: 8, workerCount: 0, parts: [4, 4]),
    ])
    func partsAreEqualAndKeepAllWorkersBusy(_ expected: Shares) throws {
        let plan = try LadderPlan(
            starts: (0..<Int64(expected.segmentCount)).map { $0 * 6_000 }, end: Int64(expected.segmentCount) * 6_000,
            timescale: 1000, workerCount: expected.workerCount)
        #expect(plan.parts.map(\.segmentCount) == expected.parts)
    }

    /// A film whose key frames come when they like.
    @Test(arguments: [1, 2, 3, 4, 7, 16]) func everySegmentIsInOnePart(_ workerCount: Int) throws {
        let lengths: [Int64] = [500, 20_000, 1_000, 1_000, 6_000, 19_000, 300, 300, 300, 12_000, 2_000, 7_000, 20_000]
        let starts = lengths.indices.map { lengths[..<$0].reduce(0, +) }
        let plan = try LadderPlan(
            starts: starts, end: lengths.reduce(0, +), timescale: 1000, workerCount: workerCount)
        var next = 0
        for part in plan.parts {
            #expect(part.firstSegment == next && part.segmentCount > 0)
            #expect(part.chunk.groupStarts.first == starts[next])
            next += part.segmentCount
            #expect(part.chunk.end == (next < starts.count ? starts[next] : nil))
            #expect(part.duration <= LadderPlan.maximumPartDuration + 20)
        }
        #expect(next == starts.count)
    }

    struct Case: Sendable {
        var end: Int64
        var groups: [Int64]
    }

    @Test(arguments: [
        Case(end: 6_000, groups: [0, 2_000, 4_000]), Case(end: 2_000, groups: [0]), Case(end: 1_000, groups: [0]),
        // Frames of 30000/1001 a second.
        Case(end: 6_006, groups: [0, 2_002, 4_004]),
        // A source with a key frame every 250 of 30 frames.
        Case(end: 8_333, groups: [0, 1_666, 3_333, 4_999, 6_666]),
    ])
    func groupsAreEqualAndOfTwoSecondsAtMost(_ expected: Case) throws {
        let plan = try LadderPlan(starts: [0], end: expected.end, timescale: 1000, workerCount: 2)
        #expect(plan.parts.map(\.chunk.groupStarts) == [expected.groups])
    }

    @Test(arguments: [
        [0, 0], [5_000, 4_000], [], [0, 9_000], [Int64.min, 0], [-(1 << 61), 0],
    ])
    func timesThatDoNotRiseAreRefused(_ starts: [Int64]) {
        #expect(throws: LadderWorkError.self) {
            try LadderPlan(starts: starts, end: 6_000, timescale: 1000, workerCount: 2)
        }
    }

    /// A title whose last frame claims to last for days.
    @Test func aLieAboutTheEndCostsNoMemory() throws {
        let plan = try LadderPlan(starts: [0], end: 1 << 50, timescale: 1, workerCount: 2)
        #expect(plan.parts[0].chunk.groupStarts.count == 1000)
    }
}
