import Capture
import Testing

@testable import Broadcaster

struct PaceWatchTests {
    /// Returns the notices of a number of seconds with the same number of frames each.
    private func run(
        _ watch: inout PaceWatch, _ statistics: inout BroadcastCaptureStatistics, seconds: ClosedRange<Int>, late: Int,
        encoded: Int
    ) -> [String] {
        seconds.compactMap { second in
            statistics.lateFrameCount += late
            statistics.encodedFrameCount += encoded
            return watch.secondPassed(statistics, at: Double(second))
        }
    }

    @Test func aMachineThatIsTooSlowIsSaidOnceForAsLongAsItLasts() {
        var (watch, statistics) = (PaceWatch(), BroadcastCaptureStatistics())
        let fast = run(&watch, &statistics, seconds: 1...30, late: 0, encoded: 30)
        #expect(fast.isEmpty)
        let tolerated = run(&watch, &statistics, seconds: 31...60, late: 1, encoded: 29)
        #expect(tolerated.isEmpty)
        let slow = run(&watch, &statistics, seconds: 61...120, late: 15, encoded: 15)
        #expect(slow.count == 1 && slow.first?.contains("75 of 150 frames") == true, "\(slow)")
        let recovered = run(&watch, &statistics, seconds: 121...190, late: 0, encoded: 30)
        #expect(recovered.isEmpty)
        let again = run(&watch, &statistics, seconds: 191...200, late: 30, encoded: 0)
        #expect(again.count == 1)
    }
}
