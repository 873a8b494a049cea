import Testing

@testable import Transcoding

struct FrameSpacingTests {
    private func times(_ told: [Int64?]) -> [Int: Int64] {
        var spacing = FrameSpacing<Int>(frameDuration: 10)
        var times: [(element: Int, time: Int64)] = []
        for (frame, time) in told.enumerated() { times += spacing.accept(frame, at: time) }
        times += spacing.finish()
        #expect(times.map(\.element) == times.map(\.element).sorted())
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.time < $1.time })
        return Dictionary(uniqueKeysWithValues: times.map { ($0.element, $0.time) })
    }

    @Test func knownTimesStay() { #expect(times([5, 15, 40]) == [0: 5, 1: 15, 2: 40]) }

    @Test func unknownTimesGoOn() { #expect(times([nil, nil, 25, nil]) == [0: 0, 1: 10, 2: 25, 3: 35]) }

    @Test func theSameTimeTwiceIsTwoPlaces() {
        #expect(times([0, 10, 10, 30]) == [0: 0, 1: 10, 2: 20, 3: 30])
        #expect(times([0, 10, 10, 20]) == [0: 0, 1: 10, 2: 15, 3: 20])
        #expect(times([0, 10, 5, 5, 13]) == [0: 0, 1: 10, 2: 11, 3: 12, 4: 13])
    }

    @Test func atTheEndTheyFollow() { #expect(times([0, 10, 10, 10]) == [0: 0, 1: 10, 2: 20, 3: 30]) }

    @Test func whereThereIsNoRoomTheyAreLeftOut() { #expect(times([0, 10, 10, 11]) == [0: 0, 1: 10, 3: 11]) }

    @Test func aClockThatGoesBackIsWaitedFor() {
        let backwards: [Int64?] = (0..<30).map { $0 * 10 }
        let told: [Int64?] = [1_000, 1_010] + backwards + [nil, 1_020, 1_030]
        #expect(times(told) == [0: 1_000, 1: 1_010, 33: 1_020, 34: 1_030])
    }
}
