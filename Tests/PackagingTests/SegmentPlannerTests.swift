import MediaCore
import TestSupport
import Testing

@testable import ISOBMFF
@testable import Packaging

struct SegmentPlannerTests {
    /// Audio samples that differ only in size are added up in runs, others one by one. A table that names every sample
    /// as a sync sample describes the same audio, but is added up one by one.
    @Test(arguments: 0..<200)
    func audioIsCutAlikeInRunsAndOneByOne(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let timescale = Timescale(48_000)
        let samples = Self.randomSound(&generator)
        var oneByOne = samples
        oneByOne.syncFlags = Array(repeating: true, count: samples.count)
        let boundaries = Self.randomBoundaries(&generator, until: samples.durations.total)
            .map { MediaTime(value: $0, timescale: timescale) }
        let skipped = min(Int.random(in: 0...3, using: &generator), samples.count - 1)
        let left = Int.random(in: 0...3, using: &generator)
        var timeline = RenditionTimeline(samples: skipped..<max(skipped + 1, samples.count - left))
        timeline.firstDecodeTime = Int64.random(in: 0...96_000, using: &generator)
        timeline.firstPresentedMediaTime = Int64.random(in: 0...3_072, using: &generator)
        let plans = [samples, oneByOne].map { samples in
            SegmentPlanner(
                track: MovieTrack(
                    track: Track(id: 1, mediaType: .audio, timescale: timescale),
                    codec: .unsupported("mp4a", reason: ""), samples: samples,
                    edit: PresentationEdit(emptyDuration: .zero(timescale), mediaTime: 0), displayMatrix: .identity),
                timeline: timeline
            ).planAudio(boundaries: boundaries)
        }
        #expect(plans[0] == plans[1])
        #expect(plans[0].reduce(0) { $0 + $1.sampleCount } == timeline.samples.count)
    }

    /// Random audio whose samples last 1,024 ticks mostly, like AAC, with other durations in between.
    private static func randomSound(_ generator: inout SeededGenerator) -> SampleTable {
        var samples = SampleTable()
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let durations: [UInt32] = [1_024, 1_024, 1_024, 960, 1, 0, 48_000 * 7]
            let duration = durations.randomElement(using: &generator) ?? 1_024
            for _ in 0..<Int.random(in: 1...400, using: &generator) {
                samples.offsets.append(Int64(samples.count))
                samples.byteCounts.append(UInt32.random(in: 0...2_000, using: &generator))
                samples.durations.append(duration)
            }
        }
        return samples
    }

    private static func randomBoundaries(_ generator: inout SeededGenerator, until end: Int64) -> [Int64] {
        var boundaries: [Int64] = []
        var next = Int64.random(in: 0...96_000, using: &generator)
        while next < end, boundaries.count < 50 {
            boundaries.append(next)
            next += Int64.random(in: 1...480_000, using: &generator)
        }
        return boundaries
    }
}
