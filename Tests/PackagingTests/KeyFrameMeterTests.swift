import MediaCore
import Testing

@testable import Packaging

struct KeyFrameMeterTests {
    /// A meter that has seen key frames at these seconds, at 25 frames per second.
    private func meter(_ keyFrames: [Double], until end: Double, holes: [ClosedRange<Double>] = []) -> KeyFrameMeter {
        var meter = KeyFrameMeter(timescale: .video90kHz, segmentDuration: 2)
        let keys = Set(keyFrames.map { Int64(($0 * 25).rounded()) })
        for frame in 0...Int64(end * 25) where !holes.contains(where: { $0.contains(Double(frame) / 25) }) {
            meter.note(
                frame * 3_600, isKeyFrame: keys.contains(frame), sampleDuration: 3_600, isDiscontinuous: false)
        }
        return meter
    }

    @Test func measuresTheLongestSegmentThatEndsAtAKeyFrame() {
        #expect(meter([0], until: 10).neededDuration == nil)
        #expect(meter([0], until: 10).distance == nil)
        #expect(meter([0, 2, 4], until: 5).longest == 2)
        #expect(meter([0, 1.48, 2.96, 4.44], until: 5).longest == 2.96)
        #expect(meter([0, 1.48, 2.96, 4.44], until: 5).distance == 1.48)
        #expect(meter([0, 9, 11], until: 12).longest == 9)
        #expect(meter([0, 9, 11], until: 12).distance == 2)
    }

    @Test func whatNoTargetDurationAllowsForIsNotLearnedFrom() {
        #expect(meter([0, 15, 15.08], until: 16).longest == 15)
        #expect(meter([0, 15.08], until: 16).longest == nil)
        #expect(meter([0, 15.08, 17.08], until: 18).longest == 2)
    }

    @Test func aHoleIsNoDistance() {
        let found = meter([0, 2, 10, 12], until: 13, holes: [2.5...9.9])
        #expect(found.longest == 2 && found.distance == 2)
        // Frames that are as far apart as that are none.
        var slow = KeyFrameMeter(timescale: .video90kHz, segmentDuration: 2)
        for frame in 0..<5 {
            slow.note(
                Int64(frame) * 360_000, isKeyFrame: true, sampleDuration: 360_000, isDiscontinuous: false)
        }
        #expect(slow.neededDuration == 3.9)
    }

    @Test func aDiscontinuityIsNoSegmentsEnd() {
        var meter = meter([0], until: 1)
        meter.note(30 * 3_600, isKeyFrame: true, sampleDuration: 3_600, isDiscontinuous: true)
        #expect(meter.neededDuration == nil)
        meter.note(80 * 3_600, isKeyFrame: true, sampleDuration: 90_000, isDiscontinuous: false)
        #expect(meter.neededDuration == 1.9)
    }
}

extension KeyFrameMeter {
    /// The needed duration with the half frame that the packager allows, rounded to a hundredth.
    fileprivate var longest: Double? { neededDuration.map { (($0 + grace) * 100).rounded() / 100 } }
}
