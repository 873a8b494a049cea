import Testing

@testable import Transcoding

struct DecodeClockTests {
    @Test func decodeTimesRiseWithoutAJumpWhereChunksMeet() {
        var clock = DecodeClock(delay: 2)
        #expect(clock.decodeTimes(of: [0, 40, 80, 120]) == [-80, -40, 0, 40])
        #expect(clock.decodeTimes(of: [160]) == [80])
        #expect(clock.decodeTimes(of: []) == [])
        #expect(clock.decodeTimes(of: [200, 240, 280]) == [120, 160, 200])
    }

    @Test func withoutReorderingTheyAreThePresentationTimes() {
        var clock = DecodeClock(delay: 0)
        #expect(clock.decodeTimes(of: [5, 6, 9]) == [5, 6, 9])
    }

    @Test func aSingleFrameHasTimesBeforeIt() {
        var clock = DecodeClock(delay: 2)
        #expect(clock.decodeTimes(of: [10]) == [8])
        #expect(clock.decodeTimes(of: [50, 90]) == [9, 10])
    }
}
