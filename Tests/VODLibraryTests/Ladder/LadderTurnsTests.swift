import Testing

@testable import VODLibrary

struct LadderTurnsTests {
    struct Turns: Sendable {
        var count: Int
        var coreCount: Int
        /// `nil` where there is one for each core.
        var workerCount: Int?
        /// Of each turn.
        var threadCounts: [Int]
    }

    @Test(arguments: [
        Turns(count: 0, coreCount: 2, threadCounts: []), Turns(count: 1, coreCount: 4, threadCounts: [4]),
        // Where one is done, its core would stand idle.
        Turns(count: 2, coreCount: 2, threadCounts: [2, 2]), Turns(count: 2, coreCount: 5, threadCounts: [5, 5]),
        Turns(count: 5, coreCount: 2, threadCounts: [1, 1, 1, 2, 2]),
        Turns(count: 6, coreCount: 4, threadCounts: [1, 1, 4, 4, 4, 4]),
        Turns(count: 3, coreCount: 0, threadCounts: [1, 1, 1]),
        // A device that encodes for one at a time.
        Turns(count: 3, coreCount: 4, workerCount: 1, threadCounts: [4, 4, 4]),
    ])
    func workersShareTheCores(_ expected: Turns) {
        let turns = LadderTurns(
            count: expected.count, workerCount: expected.workerCount ?? expected.coreCount,
            coreCount: expected.coreCount)
        #expect((0..<expected.count).map(turns.threadCount) == expected.threadCounts)
    }
}
