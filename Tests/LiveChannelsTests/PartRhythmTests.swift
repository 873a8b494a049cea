import FastPathSwitch
import MediaCore
import NIOCore
import Testing

@testable import LiveChannels

/// When the next part of a push can be finished.
@Suite(.enabled(if: FastPaths.takes(.partRhythm))) struct PartRhythmTests {
    private var rhythm = PartRhythm()
    /// Milliseconds on the publisher's timeline.
    private var time: Int64 = 0
    /// From a unit's time to its arrival.
    private var delay: Int64 = 20
    private var isDemanded = true
    private var now: NIODeadline { .uptimeNanoseconds(1_000_000_000_000) + .milliseconds(time + delay) }

    /// Units of 10 ms, the last of which finishes a part, or a segment, or nothing.
    private mutating func unit(
        _ mediaSequence: Int?, after milliseconds: Int64, _ mediaType: MediaType = .video, of other: MediaType? = nil,
        finishedCount: Int = 1
    ) {
        for number in 1...milliseconds / 10 {
            time += 10
            let unitTime = MediaTime(value: time * 90, timescale: .video90kHz)
            if let mediaSequence, number == milliseconds / 10 {
                for _ in 0..<finishedCount {
                    rhythm.finished(other ?? mediaType, of: mediaSequence, by: unitTime, from: mediaType)
                }
            }
            let isDemanded = isDemanded
            rhythm.arrived(mediaType, until: unitTime, now: now) { _ in isDemanded }
        }
    }

    /// Milliseconds from now.
    private func quiet(_ mediaType: MediaType = .video) -> Int? {
        rhythm.quietEnd(mediaType).map { Int(($0 - now).nanoseconds / 1_000_000) }
    }

    /// Four parts of 0.48 s and two frames, as 25 frames a second and two seconds between key frames make them.
    private mutating func segment(_ mediaSequence: Int, audioDelay: Int64? = nil) {
        for duration in [480, 480, 480, 480, 80] as [Int64] {
            unit(mediaSequence, after: duration - (audioDelay ?? 0))
            if let audioDelay { unit(mediaSequence, after: audioDelay, .audio) }
        }
    }

    @Test mutating func aPartIsExpectedAsLateAsThoseOfTheSegmentsBeforeCame() {
        for number in 0..<4 { segment(number) }
        #expect(quiet() == nil, "two whole segments are not enough")
        unit(4, after: 480)
        for _ in 0..<3 {
            #expect(quiet() == 480 - 6)
            unit(4, after: 480)
        }
        #expect(quiet() == 80 - 6, "the last one is short")
        // The last part, and the segment with it.
        unit(4, after: 80, finishedCount: 2)
        #expect(quiet() == 480 - 6, "the first part of the next segment")
    }

    @Test mutating func eachTrackHasItsOwnRhythm() {
        for number in 0..<5 { segment(number, audioDelay: 30) }
        #expect(quiet(.video) == 480 - 30 - 6)
        #expect(quiet(.audio) == 480 - 6)
    }

    @Test mutating func aTrackWithoutRhythmForetellsNothing() {
        for number in 0..<5 { segment(number) }
        #expect(quiet() == 480 - 6)
        #expect(quiet(.audio) == quiet(.video), "it may be filled with what comes with the video")
        unit(5, after: 10, .audio)
        #expect(quiet(.video) != nil)
        #expect(quiet(.audio) == nil)
    }

    @Test mutating func aFilledTrackIsExpectedWithTheOtherOnesUnits() {
        for number in 0..<5 {
            for duration in [480, 480, 480, 480, 80] as [Int64] { unit(number, after: duration, .video, of: .audio) }
        }
        #expect(quiet(.audio) == 480 - 6)
        unit(nil, after: 100)
        #expect(quiet(.audio) == 380 - 6)
    }

    /// The shortest of the last segments is what counts, and what is longer ago does not.
    @Test mutating func partsThatComeUnevenlyAreExpectedEarly() {
        for number in 0..<5 { segment(number) }
        for duration in [300, 500, 500, 500, 80] as [Int64] { unit(5, after: duration) }
        for number in 6..<13 { segment(number) }
        #expect(quiet() == 300 - 6)
        for number in 13..<15 { segment(number) }
        #expect(quiet() == 480 - 6)
    }

    /// Where a segment has fewer parts, what follows is the next one's first.
    @Test mutating func aPartThatDoesNotComeIsNotWaitedForLonger() {
        for number in 0..<5 { segment(number) }
        for _ in 0..<4 { unit(5, after: 480) }
        #expect(quiet() == 80 - 6)
        unit(nil, after: 80)
        #expect(quiet() == 10 - 6, "it can come with each unit from now on")
        unit(6, after: 400)
        for _ in 0..<3 { unit(6, after: 480) }
        unit(nil, after: 80)
        #expect(quiet() == 400 - 6, "it did not come in one of them")
    }

    // MARK: Arrival

    @Test mutating func theMarginGrowsWithTheJitter() {
        for number in 0..<5 { segment(number) }
        for number in 5..<8 {
            for (index, duration) in ([480, 480, 480, 480, 80] as [Int64]).enumerated() {
                delay = index % 2 == 0 ? 30 : 20
                unit(number, after: duration)
            }
        }
        delay = 20
        #expect(quiet() == 480 - 6 - 10)
        for number in 8..<11 {
            for (index, duration) in ([480, 480, 480, 480, 80] as [Int64]).enumerated() {
                delay = index % 2 == 0 ? 320 : 20
                unit(number, after: duration)
            }
        }
        delay = 20
        #expect(quiet() == 480 - 60, "by no more than the largest margin")
    }

    /// Most publishers send several audio frames in a packet; the part's last one comes with those behind it.
    @Test mutating func packetsOfSeveralFramesAreExpectedAsAWhole() {
        // 21 ms a frame, three of them in a packet; the first of a packet finishes a part of 16 packets and a frame.
        var packet: Int64 = 0
        func advance(to finishing: Int?, _ rhythm: inout PartRhythm) {
            packet += 1
            let last = MediaTime(value: packet * 63 * 90, timescale: .video90kHz)
            if let finishing {
                rhythm.finished(
                    .audio, of: finishing, by: MediaTime(value: (packet * 63 - 42) * 90, timescale: .video90kHz),
                    from: .audio)
            }
            let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000) + .milliseconds(packet * 63)
            rhythm.arrived(.audio, until: last, now: now) { _ in true }
        }
        for number in 0..<20 {
            for _ in 0..<15 { advance(to: nil, &rhythm) }
            advance(to: number / 4, &rhythm)
        }
        let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000) + .milliseconds(packet * 63)
        #expect(rhythm.quietEnd(.audio).map { Int(($0 - now).nanoseconds / 1_000_000) } == 16 * 63 - 6)
    }

    /// Three or four frames, as many as fit into a packet.
    @Test func packetsOfDifferentSizeAreExpectedNoSoonerThanTheShortest() {
        var spans = ArrivalSpans()
        var time: Int64 = 0
        for count in [3, 4, 3, 3, 4, 3, 4, 4] as [Int64] {
            time += count * 21_333_333
            spans.note(time)
        }
        #expect(spans.lastTime(with: time + 1) == time + 3 * 21_333_333)
        #expect(spans.lastTime(with: time + 4 * 21_333_333) == time + 4 * 21_333_333)
        for _ in 0..<2 { spans.note(0) }
        #expect(spans.lastTime(with: 1) == 1, "a time that stands still says nothing")
    }

    /// Packets that nobody needs are handled at ticks, some time after they have arrived.
    @Test mutating func withoutDemandNothingIsLearnedAboutArrivals() {
        for number in 0..<5 { segment(number) }
        isDemanded = false
        unit(5, after: 480)
        #expect(quiet() == nil)
        isDemanded = true
        for _ in 0..<3 { unit(5, after: 480) }
        #expect(quiet() == nil, "three arrivals are not enough")
        unit(5, after: 80)
        #expect(quiet() == 480 - 6)
    }

    @Test mutating func aPartThatCameDuringTheRestIsLearnedFrom() {
        for number in 0..<5 { segment(number) }
        #expect(quiet() == 480 - 6)
        unit(5, after: 400)
        #expect(quiet() == nil)
        for _ in 0..<4 { unit(5, after: 480) }
        #expect(quiet() != nil)
    }

    @Test mutating func aClockThatIsSetIsLearnedAgain() {
        for number in 0..<5 { segment(number) }
        time += 20_000
        delay = -20_000
        unit(5, after: 480)
        #expect(quiet() == nil)
        for number in 6..<8 { segment(number) }
        #expect(quiet() == nil)
        for number in 8..<11 { segment(number) }
        #expect(quiet() == 480 - 6)
    }

    /// Values that a publisher may send do not stop the server.
    @Test mutating func timesWithoutSense() {
        for value in [Int64.max, .min, 0, .max, 1, .min, .min] {
            let unitTime = MediaTime(value: value, timescale: Timescale(1))
            for number in 0..<8 {
                rhythm.finished(.video, of: number, by: unitTime, from: .video)
                rhythm.arrived(.video, until: unitTime, now: now) { _ in true }
            }
        }
        for number in 10..<15 { segment(number) }
        #expect(quiet() == 480 - 6)
    }

    /// Parts that last for hours do not fill the memory.
    @Test mutating func aSegmentWithoutEndIsForgotten() {
        for _ in 0..<10_000 { unit(0, after: 500) }
        #expect(quiet() == nil)
    }
}
