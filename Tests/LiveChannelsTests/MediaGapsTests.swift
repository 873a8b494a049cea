import MediaCore
import TestSupport
import Testing

@testable import LiveChannels

struct MediaGapsTests {
    private let clock = TestClock()

    @Test func gapsThatFollowOneAnotherAreToldTogether() {
        var gaps = MediaGaps()
        gaps.note(.seconds(2), .missingFrames)
        #expect(
            gaps.takeDue(now: clock.time) == [.init(cause: .missingFrames, count: 1, duration: .seconds(2))])
        for _ in 0..<5 {
            clock.advance(by: .seconds(1))
            gaps.note(.seconds(3), .missingFrames)
            #expect(gaps.takeDue(now: clock.time).isEmpty)
        }
        clock.advance(by: .seconds(5))
        #expect(
            gaps.takeDue(now: clock.time) == [.init(cause: .missingFrames, count: 5, duration: .seconds(15))])
        clock.advance(by: .seconds(60))
        #expect(gaps.takeDue(now: clock.time).isEmpty)
    }

    @Test func causesDoNotWaitForEachOther() {
        var gaps = MediaGaps()
        gaps.note(.seconds(2), .archive)
        #expect(gaps.takeDue(now: clock.time).map(\.cause) == [.archive])
        gaps.note(.seconds(2), .interruption)
        gaps.note(.seconds(2), .archive)
        #expect(gaps.takeDue(now: clock.time).map(\.cause) == [.interruption])
    }

    @Test func jitterIsNoGap() {
        var gaps = MediaGaps()
        gaps.note(.milliseconds(999), .missingFrames)
        #expect(gaps.takeDue(now: clock.time).isEmpty)
    }
}
