import Testing

@testable import MediaCore

struct LatencyHistogramTests {
    @Test func eachValueIsInItsBucketAndInAllLargerOnes() {
        let histogram = LatencyHistogram(bounds: [.milliseconds(1), .milliseconds(10), .seconds(1)])
        for value: Duration in [.zero, .milliseconds(1), .microseconds(1_001), .milliseconds(999), .seconds(100)] {
            histogram.record(value)
        }
        let snapshot = histogram.snapshot
        #expect(snapshot.cumulativeCounts == [2, 3, 4, 5])
        #expect(snapshot.count == 5)
        #expect(snapshot.sum == .microseconds(1_000 + 1_001 + 999_000 + 100_000_000))
    }

    @Test func aClockThatWasSetBackCountsAsZero() {
        let histogram = LatencyHistogram(bounds: [.milliseconds(1)])
        histogram.record(nanoseconds: -5)
        #expect(histogram.snapshot.cumulativeCounts == [1, 1] && histogram.snapshot.sum == .zero)
    }

    @Test func noValueOfSeveralThreadsIsLost() async {
        let histogram = LatencyHistogram()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { for _ in 0..<1_000 { histogram.record(.milliseconds(number)) } }
            }
        }
        #expect(histogram.snapshot.count == 8_000 && histogram.snapshot.sum == .seconds(28))
    }

    @Test func boundsAscend() {
        for bounds in [LatencyHistogram.requestBounds, LatencyHistogram.memoryBounds] {
            #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count)
        }
    }
}
