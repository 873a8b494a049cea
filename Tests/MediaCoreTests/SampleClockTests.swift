import Testing

@testable import MediaCore

/// Decoding times from times that are rounded.
struct SampleClockTests {
    /// Rounded milliseconds become exact times of frames of audio.
    @Test func audioFramesFollowEachOtherWithoutAGap() {
        var clock = SampleClock(timescale: Timescale(44_100), frameTicks: 1_024)
        let times = (0..<1_000).map { index in
            clock.time(told: Int64(index) * 1_024 * 1_000 / 44_100 * 44_100 / 1_000)
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1_024 })
    }

    /// A pause of the encoder stays one.
    @Test func aGapInTheAudioStays() {
        var clock = SampleClock(timescale: Timescale(48_000), frameTicks: 1_024)
        _ = clock.time(told: 0)
        #expect(clock.time(told: 1_008) == 1_024)
        #expect(clock.time(told: 48_000) == 48_000)
    }

    /// Timestamps that stand still or go back never give the same time twice.
    @Test(arguments: [nil, 1_024] as [Int64?]) func timesRise(_ frameTicks: Int64?) {
        var clock = SampleClock(timescale: Timescale(48_000), frameTicks: frameTicks)
        let times = [500, 500, 500, 400, 0, 0, 501, 2_000].map { clock.time(told: $0 * 48) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// Times that a sender may claim are no trap.
    @Test(arguments: [nil, 1_024] as [Int64?]) func timesBeyondEverythingAreBounded(_ frameTicks: Int64?) {
        var clock = SampleClock(timescale: Timescale(48_000), frameTicks: frameTicks)
        let times = [.min, 0, .max, .max, .min, .max].map { clock.time(told: $0) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
}
