import CLibAV
import Foundation
import Testing

@testable import LibAV

/// A microphone whose sample clock differs from the clock of its timestamps.
struct ClockDriftTests {
    private static let sampleRate = 48_000

    /// The output of a resampler for a tone whose timestamps drift from its samples.
    private struct Outcome {
        /// The seconds by which the last output is early, and the largest deviation in either direction.
        var lastDeviation = 0.0
        var largestDeviation = 0.0
        /// The largest difference of two adjacent samples.
        var largestStep: Float = 0
        var isContiguous = true
    }

    /// Records a tone.
    ///
    /// - Parameter share: The share by which timestamps advance faster than samples are counted.
    private static func record(seconds: Int, share: Double, followsDrift: Bool) throws -> Outcome {
        try LibAVRuntime.load()
        let encoder = try Encoder.aac(sampleRate: sampleRate, channelCount: 1, bitRate: 64_000, file: "mic")
        let resampler = try Resampler(encoder, file: "mic", followsDrift: followsDrift)
        var (outcome, end, last): (Outcome, Int64?, Float) = (Outcome(), nil, 0)
        let pieceCount = 960
        // 1,000 Hz has a whole number of waves in each piece.
        let tone = (0..<pieceCount).map { Float(0.5 * sin(2 * Double.pi * Double($0) / 48)) }
        for piece in 0..<(seconds * sampleRate / pieceCount) {
            let frame = try mono(tone)
            let time = Int64((Double(piece * pieceCount) * (1 + share)).rounded())
            try resampler.convert(frame, at: time) { output throws(LibAVError) in
                let start = output.presentationTime ?? -1
                if let end, end != start { outcome.isContiguous = false }
                let count = Int(output.pointer.pointee.nb_samples)
                end = start + Int64(count)
                guard let plane = output.pointer.pointee.extended_data?[0] else { return }
                plane.withMemoryRebound(to: Float.self, capacity: count) { samples in
                    for index in 0..<count {
                        outcome.largestStep = max(outcome.largestStep, abs(samples[index] - last))
                        last = samples[index]
                    }
                }
            }
            let deviation = (Double(time + Int64(pieceCount)) - Double(end ?? 0)) / Double(sampleRate)
            outcome.lastDeviation = deviation
            outcome.largestDeviation = max(outcome.largestDeviation, deviation.magnitude)
        }
        return outcome
    }

    private static func mono(_ samples: [Float]) throws -> Frame {
        var layout = AVChannelLayout()
        libav.av_channel_layout_default(&layout, 1)
        let frame = try Frame.silence(
            sampleCount: Int32(samples.count), format: AV_SAMPLE_FMT_FLTP, sampleRate: Int32(sampleRate),
            layout: &layout)
        let plane = try #require(frame.pointer.pointee.extended_data?[0])
        plane.withMemoryRebound(to: Float.self, capacity: samples.count) {
            $0.update(from: samples, count: samples.count)
        }
        return frame
    }

    /// The largest step of a 1 kHz tone at half amplitude; a gap or a cut has a larger one.
    private static let largestStepOfTone: Float = 0.07

    @Test(arguments: [0.0005, -0.0005])
    func aClockThatRunsApartIsFollowedWithoutAGap(_ share: Double) throws {
        let outcome = try Self.record(seconds: 240, share: share, followsDrift: true)
        // A frame of 1,024 samples may still be queued.
        #expect(outcome.largestDeviation < 0.05, "\(outcome)")
        #expect(outcome.largestStep < Self.largestStepOfTone, "\(outcome)")
        #expect(outcome.isContiguous)
    }

    @Test func whereNobodyFollowsItTheAudioIsCutOrHasAGap() throws {
        let outcome = try Self.record(seconds: 240, share: 0.0005, followsDrift: false)
        #expect(outcome.largestDeviation > 0.09 || outcome.largestStep > Self.largestStepOfTone, "\(outcome)")
    }

    @Test func timesThatWaverAreNoDrift() {
        var drift = ClockDrift(sampleRate: Self.sampleRate)
        for piece in 0..<5_000 {
            let correction = drift.correction(drift: piece % 2 == 0 ? 900 : -900, sampleCount: 960)
            #expect(correction == nil)
        }
    }

    @Test func aCorrectionIsSmallAndIsWaitedFor() throws {
        var drift = ClockDrift(sampleRate: Self.sampleRate)
        var corrections: [(piece: Int, delta: Int32, distance: Int32)] = []
        for piece in 0..<1_000 {
            if let made = drift.correction(drift: -4_000, sampleCount: 960) {
                corrections.append((piece, made.delta, made.distance))
            }
        }
        try #require(corrections.count == 2)
        #expect((-960...(-480)).contains(corrections[0].delta), "as far as it is known by then")
        #expect(corrections[1].delta == -960 && corrections.allSatisfy { $0.distance == 480_000 })
        #expect(corrections[1].piece - corrections[0].piece == 500)
    }
}
