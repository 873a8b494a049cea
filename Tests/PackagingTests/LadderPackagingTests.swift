import Codecs
import MediaCore
import NIOCore
import Packaging
import Testing
import TestSupport

/// Lower qualities beside the video of which they are made.
struct LadderPackagingTests {
    private static let rung = RenditionID(.video, variant: "low")
    /// Ticks of a frame at 25 frames a second.
    private static let frame: Int64 = 3_600

    /// A push with a quality that comes a number of frames later than the source.
    private struct Ladder {
        var fixture: LiveFixture
        var events: [LivePackagingEvent] = []
        /// The source's units on the output's timeline that the quality does not have yet.
        private var waiting: [(unit: AccessUnit, index: Int)] = []
        var delay = 2
        /// Only every nth frame is in the quality.
        var divisor = 1
        /// Frames that the quality loses.
        var lost: Range<Int> = 0..<0
        private var count = 0
        private var hasRung = false
        let group: Int
        let compositionOffset: Int64

        init(group: Int = 50, compositionOffset: Int64 = 0) throws {
            fixture = try LiveFixture(.video)
            (self.group, self.compositionOffset) = (group, compositionOffset)
        }

        mutating func run(frames: Int) throws {
            for _ in 0..<frames {
                let isKey = count % group == 0
                events += fixture.frame(
                    at: Int64(count) * LadderPackagingTests.frame, isKey: isKey, compositionOffset: compositionOffset)
                let times = try #require(fixture.packager.leadingUnit)
                let unit = AccessUnit(
                    decodeTime: times.decodeTime, presentationTime: times.presentationTime,
                    isRandomAccessPoint: isKey,
                    payload: .nalUnits([
                        FragmentedNALUnit(
                            restoredHeader: .oneByte(isKey ? 0x65 : 0x41),
                            fragments: [ByteBuffer(repeating: 7, count: 20)])
                    ]))
                if (count % group) % divisor == 0 { waiting.append((unit, count)) }
                count += 1
                while let first = waiting.first, first.index + delay < count {
                    waiting.removeFirst()
                    if lost.contains(first.index) { continue }
                    if !hasRung {
                        fixture.packager.addRung(
                            LivePackagerTrack(
                                track: Track(id: 9, mediaType: .video, timescale: .video90kHz),
                                configuration: try LiveFixture.video(1), rendition: LadderPackagingTests.rung))
                        hasRung = true
                    }
                    events += fixture.packager.append(first.unit, toRung: LadderPackagingTests.rung)
                }
            }
        }

        var source: [LiveSegment] { events.segments(.video) }
        var rungs: [LiveSegment] { events.segments(LadderPackagingTests.rung) }
    }

    @Test(arguments: [1, 2, 3], [0, 7_200])
    func segmentsBeginWithTheSamePictures(divisor: Int, compositionOffset: Int64) throws {
        var ladder = try Ladder(group: 51, compositionOffset: compositionOffset)
        ladder.divisor = divisor
        try ladder.run(frames: 600)
        let (source, rungs) = (ladder.source, ladder.rungs)
        #expect(rungs.count >= 11 && source.count - rungs.count <= 1)
        for (segment, rung) in zip(source, rungs) {
            #expect(segment.mediaSequence == rung.mediaSequence)
            #expect(segment.presentationStart == rung.presentationStart)
            #expect(segment.duration == rung.duration)
            #expect(segment.programDateTime == rung.programDateTime)
            #expect(rung.isIndependent && rung.parts.reduce(0) { $0 + $1.sampleCount } == (51 + divisor - 1) / divisor)
        }
        // Its parts come as those of the source do.
        #expect(ladder.events.parts(Self.rung).count >= ladder.events.parts(.video).count - 1)
    }

    /// The last frame before a key frame fills its part, and is shown for a shorter time than foreseen.
    @Test(arguments: [49, 53, 61, 63])
    func keyFramesAreShownWhenTheSourceShowsThem(group: Int) throws {
        var ladder = try Ladder(group: group)
        ladder.divisor = 2
        try ladder.run(frames: 900)
        for (segment, rung) in zip(ladder.source, ladder.rungs) {
            #expect(segment.presentationStart == rung.presentationStart)
        }
    }

    @Test func whatIsHintedAtComes() throws {
        var ladder = try Ladder(group: 50)
        ladder.divisor = 2
        try ladder.run(frames: 500)
        var hinted: Set<LivePartPosition> = []
        var counts: [Int: Int] = [:]
        for event in ladder.events {
            switch event {
            case .nextPart(Self.rung, let position?): hinted.insert(position)
            case .part(Self.rung, _, let header): counts[header.mediaSequence, default: 0] += 1
            default: break
            }
        }
        let newest = try #require(counts.keys.max())
        #expect(hinted.count > 20)
        for position in hinted where position.mediaSequence < newest {
            #expect(position.index < counts[position.mediaSequence] ?? 0)
        }
    }

    @Test func aQualityThatComesLateBeginsWithASegmentOfItsTime() throws {
        var ladder = try Ladder()
        ladder.lost = 0..<50
        try ladder.run(frames: 300)
        #expect(ladder.rungs.first?.mediaSequence == ladder.source[1].mediaSequence)
        #expect(ladder.rungs.first?.presentationStart == ladder.source[1].presentationStart)
    }

    /// As after the end of its encoder: the pictures up to the next key frame are missing.
    @Test func aHoleIsFilledAndEndsWithAKeyFrame() throws {
        var ladder = try Ladder()
        ladder.lost = 120..<200
        try ladder.run(frames: 500)
        #expect(ladder.rungs.map(\.mediaSequence) == Array(100..<(100 + ladder.rungs.count)))
        for (segment, rung) in zip(ladder.source, ladder.rungs) {
            #expect(!rung.isGap && rung.isIndependent && !rung.header.isSuspended)
            // An eighth of a still is left out at the end of a segment.
            #expect(abs(segment.duration.seconds - rung.duration.seconds) < 0.07)
        }
        #expect(ladder.rungs[4].presentationStart == ladder.source[4].presentationStart)
        #expect(ladder.rungs[4].parts.reduce(0) { $0 + $1.sampleCount } == 50)
        #expect(ladder.rungs[3].parts.reduce(0) { $0 + $1.sampleCount } < 10)
    }

    /// As after the end of its encoder, when another one goes on within the group of pictures.
    @Test(arguments: [129, 133, 141])
    func aHoleWithinAGroupIsFilledUpToTheNextPicture(end: Int) throws {
        var ladder = try Ladder()
        ladder.lost = 120..<end
        let target = LivePackagingConfiguration().partDuration
        try ladder.run(frames: 500)
        #expect(ladder.rungs.map(\.mediaSequence) == Array(100..<(100 + ladder.rungs.count)))
        for (segment, rung) in zip(ladder.source, ladder.rungs) {
            #expect(!rung.isGap && rung.isIndependent && !rung.header.isSuspended)
            #expect(abs(segment.duration.seconds - rung.duration.seconds) < 0.001)
            #expect(segment.presentationStart == rung.presentationStart)
            #expect(rung.parts.allSatisfy { $0.duration.seconds <= target + 0.000_02 })
            #expect(
                rung.parts.dropLast().allSatisfy { $0.duration.seconds >= 0.85 * target - 0.000_02 || $0.isIndependent }
            )
        }
        let counts = ladder.rungs.map { $0.parts.reduce(0) { $0 + $1.sampleCount } }
        #expect(counts[1] == 50 && counts[3] == 50)
        #expect(counts[2] > 150 - end, "the pictures after the hole are there")
    }

    @Test func aLongHoleDoesNotHoldTheSegmentsBack() throws {
        var ladder = try Ladder()
        ladder.lost = 120..<650
        try ladder.run(frames: 600)
        #expect(ladder.source.count - ladder.rungs.count <= 2)
        #expect(ladder.rungs.allSatisfy { !$0.isGap && $0.isIndependent })
        try ladder.run(frames: 200)
        #expect(ladder.rungs.last?.parts.reduce(0) { $0 + $1.sampleCount } == 50)
    }

    @Test func aSuspendedQualityIsAGapWithAPictureAndComesBack() throws {
        var ladder = try Ladder()
        try ladder.run(frames: 160)
        ladder.fixture.packager.suspendRung(Self.rung)
        try ladder.run(frames: 300)
        ladder.fixture.packager.resumeRung(Self.rung)
        try ladder.run(frames: 300)
        let rungs = ladder.rungs
        #expect(rungs.allSatisfy { !$0.isGap && $0.isIndependent })
        let suspended = rungs.filter(\.header.isSuspended).map(\.mediaSequence)
        #expect(suspended == Array(104...108), "whole segments without a picture of the time")
        for (segment, rung) in zip(ladder.source, rungs) {
            #expect(abs(segment.duration.seconds - rung.duration.seconds) < 0.001)
        }
        #expect(rungs.last?.parts.reduce(0) { $0 + $1.sampleCount } == 50)
    }

    /// Other parameters need a discontinuity, which all renditions get at the same place.
    @Test func otherParametersBeginWithADiscontinuity() throws {
        var ladder = try Ladder()
        try ladder.run(frames: 130)
        ladder.fixture.packager.change(try LiveFixture.video(0), of: Self.rung)
        try ladder.run(frames: 300)
        let marked = ladder.source.filter(\.isDiscontinuous).map(\.mediaSequence)
        #expect(marked == [103] && ladder.rungs.filter(\.isDiscontinuous).map(\.mediaSequence) == marked)
        #expect(ladder.rungs.map(\.initializationNumber).prefix(6) == [0, 0, 0, 1, 1, 1])
    }
}
