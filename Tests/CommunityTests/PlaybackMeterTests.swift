import MediaCore
import TestSupport
import Testing

@testable import Community

struct PlaybackMeterTests {
    private let meter = PlaybackMeter()
    private let clock = TestClock()

    private func saw(_ key: UInt64, _ segment: Int, _ seconds: Int64 = 4, of total: Int64 = 600) -> Bool {
        meter.saw(key, segment: segment, duration: .seconds(seconds), of: .seconds(total), now: clock.time)
    }

    @Test func tenSecondsOfDifferentSegmentsAreAView() {
        #expect(!saw(1, 0) && !saw(1, 0) && !saw(1, 0), "another rendition of the same segment adds nothing")
        #expect(!saw(1, 1) && !saw(2, 2))
        #expect(saw(1, 2))
        #expect(!saw(1, 3) && !saw(1, 4) && !saw(1, 5) && !saw(1, 6), "counted already")
    }

    @Test func aShortTitleIsPlayedToItsEnd() {
        #expect(!saw(1, 0, 2, of: 5) && !saw(1, 1, 2, of: 5))
        #expect(saw(1, 2, 1, of: 5))
    }

    @Test func theSameViewerCountsAgainAfterAnHour() {
        #expect(saw(1, 0, 10))
        clock.advance(by: .seconds(3_599))
        #expect(!saw(1, 1, 10))
        clock.advance(by: .seconds(1))
        #expect(saw(1, 2, 10))
    }

    @Test func somebodyWhoComesBackMuchLaterBeginsAgain() {
        #expect(!saw(1, 0) && !saw(1, 1))
        clock.advance(by: .seconds(600))
        #expect(!saw(1, 2))
    }

    @Test func durationsOfADamagedFileAddNothing() {
        #expect(!saw(1, 0, -50) && !saw(1, 1, 4))
        #expect(!saw(1, 2, 4) && saw(1, 3, 4))
    }

    @Test func viewersAreForgottenAndLimited() {
        for key in 0..<UInt64(PlaybackMeter.maximumViewerCount) { _ = saw(key, 0) }
        #expect(!saw(.max, 0, 10), "there is no place")
        #expect(meter.viewerCount == PlaybackMeter.maximumViewerCount)
        #expect(!saw(0, 1, 4) && saw(0, 2, 4), "those who are known go on")
        clock.advance(by: .seconds(600))
        #expect(saw(.max, 0, 10))
        #expect(meter.viewerCount == 2, "the one who had a view, and the new one")
        clock.advance(by: .seconds(3_600))
        meter.removeOld(now: clock.time)
        #expect(meter.viewerCount == 0)
    }
}
