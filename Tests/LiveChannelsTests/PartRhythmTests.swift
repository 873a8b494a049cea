import MediaCore
import NIOCore
import Testing

@testable import LiveChannels

/// When the next part of a push can be finished.
struct PartRhythmTests {
    private var rhythm = PartRhythm()
    private var now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private mutating func finish(
        _ mediaSequence: Int, after milliseconds: Int64, _ mediaType: MediaType = .video
    ) {
        now = now + .milliseconds(milliseconds)
        rhythm.finished(mediaType, of: mediaSequence, now: now)
    }

    /// Milliseconds from now.
    private func quiet(_ mediaType: MediaType = .video) -> Int? {
        rhythm.quietEnd(mediaType).map { Int(($0 - now).nanoseconds / 1_000_000) }
    }

    /// Four parts of 0.48 s and two frames, as 25 frames a second and two seconds between key frames make them.
    private mutating func segment(_ mediaSequence: Int, audioDelay: Int64? = nil) {
        for duration in [480, 480, 480, 480, 80] as [Int64] {
            finish(mediaSequence, after: duration - (audioDelay ?? 0))
            if let audioDelay { finish(mediaSequence, after: audioDelay, .audio) }
        }
    }

    @Test mutating func aPartIsExpectedAsLateAsThoseOfTheSegmentsBeforeCame() {
        segment(0)
        segment(1)
        #expect(quiet() == nil, "two segments are not enough")
        segment(2)
        segment(3)
        #expect(quiet() == 480 - 6, "the first part of the next segment")
        for _ in 0..<3 {
            finish(4, after: 480)
            #expect(quiet() == 480 - 6)
        }
        finish(4, after: 480)
        #expect(quiet() == 80 - 6, "the last one is short")
        // The last part, and the segment with it.
        finish(4, after: 80)
        finish(4, after: 0)
        #expect(quiet() == 480 - 6)
    }

    @Test mutating func eachTrackHasItsOwnRhythm() {
        for number in 0..<4 { segment(number, audioDelay: 30) }
        #expect(quiet(.video) == 480 - 30 - 6)
        #expect(quiet(.audio) == 480 - 6)
    }

    @Test mutating func aTrackWithoutRhythmForetellsNothing() {
        for number in 0..<4 { segment(number) }
        #expect(quiet(.audio) == quiet(.video), "it may be filled with what comes with the video")
        finish(4, after: 10, .audio)
        #expect(quiet(.video) != nil)
        #expect(quiet(.audio) == nil)
    }

    /// The shortest of the last three is what counts, and what is longer ago does not.
    @Test mutating func jitterMakesItCautious() {
        for number in 0..<4 { segment(number) }
        finish(4, after: 300)
        for _ in 0..<3 { finish(4, after: 500) }
        finish(4, after: 80)
        #expect(quiet() == 300 - 60, "by no more than the largest margin")
        for number in 5..<8 { segment(number) }
        #expect(quiet() == 480 - 6)
    }

    @Test mutating func theMarginGrowsWithTheJitter() {
        for number in 0..<4 { segment(number) }
        finish(4, after: 490)
        for _ in 0..<3 { finish(4, after: 480) }
        finish(4, after: 80)
        #expect(quiet() == 480 - 6 - 10)
    }

    /// Parts that last for hours do not fill the memory.
    @Test mutating func aSegmentWithoutEndIsForgotten() {
        for _ in 0..<10_000 { finish(0, after: 500) }
        #expect(quiet() == nil)
    }
}
