import ISOBMFF
import MediaCore

/// Cuts a track into segments.
struct SegmentPlanner {
    let track: MovieTrack
    let timeline: RenditionTimeline

    /// The preferred duration in seconds (HLS Authoring Specification 7.5: 6 s for VOD).
    static let preferredDuration = 6.0
    /// The longest segment in seconds: if key frames are further apart, players wait too long, and the title is
    /// converted.
    static let maximumSegmentDuration = 20.0
    /// The duration in seconds up to which audio before or after the video belongs to its first or last segment.
    static let maximumTailDuration = 1.0

    /// Plans segments that start at the sync samples nearest to multiples of the preferred duration after one another.
    /// Throws ``TitlePackagingError`` if key frames are too far apart.
    func planVideo() throws(TitlePackagingError) -> [SegmentPlan] {
        let samples = track.samples
        let preferred = ticks(Self.preferredDuration)
        var plans: [SegmentPlan] = []
        let range = timeline.samples
        var builder = SegmentPlanBuilder(samples, timeline: timeline, firstSample: range.lowerBound)
        // The best cut so far: the builder's state there.
        var candidate: SegmentPlanBuilder?
        var durations = samples.durations.makeIterator(from: range.lowerBound)
        for sample in range {
            if sample > builder.firstSample, samples.isSync(sample) {
                if let last = candidate, !Self.isNearer(builder.duration, than: last.duration, to: preferred) {
                    plans.append(last.finished())
                    builder = replay(from: last.endSample, to: sample, decodeTime: last.endDecodeTime)
                    candidate = builder.sampleCount > 0 ? builder : nil
                } else {
                    candidate = builder
                }
                if let last = candidate, last.endSample == sample, last.duration >= preferred {
                    plans.append(last.finished())
                    builder = SegmentPlanBuilder(
                        samples, timeline: timeline, firstSample: sample, decodeTime: last.endDecodeTime)
                    candidate = nil
                }
            }
            builder.add(sample, duration: durations.next() ?? 0, of: samples)
        }
        if let last = candidate, !Self.isNearer(builder.duration, than: last.duration, to: preferred) {
            plans.append(last.finished())
            builder = replay(from: last.endSample, to: range.upperBound, decodeTime: last.endDecodeTime)
        }
        if builder.sampleCount > 0 { plans.append(builder.finished()) }
        try check(plans)
        return plans
    }

    /// Plans segments that start where another rendition's do.
    ///
    /// - Parameter firstSamples: Rising indices of sync samples, from the first packaged one on.
    func planVideo(startingAt firstSamples: [Int]) -> [SegmentPlan] {
        var plans: [SegmentPlan] = []
        var decodeTime = timeline.firstDecodeTime
        for (position, first) in firstSamples.enumerated() {
            let end = position + 1 < firstSamples.count ? firstSamples[position + 1] : timeline.samples.upperBound
            let builder = replay(from: first, to: end, decodeTime: decodeTime)
            plans.append(builder.finished())
            decodeTime = builder.endDecodeTime
        }
        return plans
    }

    /// Plans the segments of an audio track.
    ///
    /// - Parameter boundaries: The starts of the video's segments and the end of the last one, on the title's timeline;
    ///   audio before the first and after the last boundary is cut by itself. Empty for a title without video.
    func planAudio(boundaries: [MediaTime]) -> [SegmentPlan] {
        let samples = track.samples
        let preferred = ticks(Self.preferredDuration)
        let cuts = boundaries.map { $0.converted(to: track.track.timescale).value }
        var nextCut = 0
        var plans: [SegmentPlan] = []
        let range = timeline.samples
        var builder = SegmentPlanBuilder(samples, timeline: timeline, firstSample: range.lowerBound)
        var durations = samples.durations.makeIterator(from: range.lowerBound)
        var rest = samples.durations.total
        for duration in samples.durations.prefix(range.lowerBound) { rest -= Int64(duration) }
        for duration in samples.durations.suffix(samples.count - range.upperBound) { rest -= Int64(duration) }
        let maximumTailDuration = ticks(Self.maximumTailDuration)
        var sample = range.lowerBound
        while sample < range.upperBound {
            // Between two cuts nothing has to be decided, and a film's audio has a hundred thousand samples.
            if nextCut > 0, nextCut < cuts.count, builder.hasUniformSamples, let run = durations.peekRun() {
                let reached = builder.endDecodeTime - timeline.firstPresentedMediaTime
                let count = min(
                    run.count, Self.sampleCount(from: reached, before: cuts[nextCut], each: run.value),
                    range.upperBound - sample)
                if count > 0 {
                    builder.add(sample..<sample + count, duration: run.value, of: samples)
                    durations.skip(count)
                    rest -= Int64(run.value) * Int64(count)
                    sample += count
                    continue
                }
            }
            defer { sample += 1 }
            let duration = durations.next() ?? 0
            let half = Int64(duration) / 2
            let presented = builder.endDecodeTime - timeline.firstPresentedMediaTime
            var mustCut = (nextCut == 0 || nextCut == cuts.count) && builder.duration >= preferred
            // An encoder's priming precedes the first frame; it does not become a segment of its own.
            if nextCut == 0, builder.duration < maximumTailDuration, let start = cuts.first,
                presented.addingSaturating(half) >= start
            {
                nextCut = 1
            }
            while nextCut < cuts.count, presented.addingSaturating(half) >= cuts[nextCut] {
                nextCut += 1
                mustCut = true
            }
            let isTail = !cuts.isEmpty && nextCut == cuts.count && rest < maximumTailDuration
            rest -= Int64(duration)
            if mustCut, !isTail, builder.sampleCount > 0 {
                plans.append(builder.finished())
                builder = SegmentPlanBuilder(
                    samples, timeline: timeline, firstSample: sample, decodeTime: builder.endDecodeTime)
            }
            builder.add(sample, duration: duration, of: samples)
        }
        if builder.sampleCount > 0 { plans.append(builder.finished()) }
        return plans
    }

    /// The number of samples of the same duration whose middle is before the cut.
    private static func sampleCount(from start: Int64, before cut: Int64, each duration: UInt32) -> Int {
        let half = Int64(duration) / 2
        let distance = cut.subtractingSaturating(start.addingSaturating(half))
        guard duration > 0, distance > 0 else { return 0 }
        return Int(clamping: (distance - 1) / Int64(duration) + 1)
    }

    /// Returns whether the first duration is nearer to the target; a tie goes to the first, which makes fewer segments.
    private static func isNearer(_ first: Int64, than second: Int64, to target: Int64) -> Bool {
        abs(first - target) <= abs(second - target)
    }

    private func replay(from first: Int, to end: Int, decodeTime: Int64) -> SegmentPlanBuilder {
        var builder = SegmentPlanBuilder(
            track.samples, timeline: timeline, firstSample: first, decodeTime: decodeTime)
        var durations = track.samples.durations.makeIterator(from: first)
        for sample in first..<end { builder.add(sample, duration: durations.next() ?? 0, of: track.samples) }
        return builder
    }

    private func check(_ plans: [SegmentPlan]) throws(TitlePackagingError) {
        guard let longest = plans.map(\.duration).max(), longest > ticks(Self.maximumSegmentDuration) else { return }
        let seconds = MediaTime(value: longest, timescale: track.track.timescale).seconds.rounded()
        throw TitlePackagingError(
            .keyFramesTooFarApart,
            "key frames are \(Int(min(seconds, 1e15))) s apart, more than \(Int(Self.maximumSegmentDuration))")
    }

    private func ticks(_ seconds: Double) -> Int64 {
        MediaTime(seconds: seconds, timescale: track.track.timescale).value
    }
}

/// Adds up the samples of one segment.
private struct SegmentPlanBuilder {
    let firstSample: Int
    let decodeTime: Int64
    private let timeline: RenditionTimeline
    /// Determined once: a film has hundreds of thousands of samples, and most of its audio samples are alike.
    private let isAlwaysSync: Bool
    private let constantCompositionOffset: Int32?
    private(set) var sampleCount = 0
    private(set) var duration: Int64 = 0
    private var mediaByteCount = 0
    private var layout = FragmentLayout()

    init(_ samples: SampleTable, timeline: RenditionTimeline, firstSample: Int, decodeTime: Int64? = nil) {
        self.firstSample = firstSample
        self.decodeTime = decodeTime ?? timeline.firstDecodeTime
        self.timeline = timeline
        isAlwaysSync = samples.syncFlags.isEmpty
        constantCompositionOffset =
            samples.hasCompositionOffsets ? nil : timeline.compositionOffset(of: firstSample, in: samples)
    }

    /// True if samples differ only in their sizes and durations.
    var hasUniformSamples: Bool { isAlwaysSync && constantCompositionOffset != nil }
    var endSample: Int { firstSample + sampleCount }
    var endDecodeTime: Int64 { decodeTime.addingSaturating(duration) }

    mutating func add(_ sample: Int, duration sampleDuration: UInt32, of samples: SampleTable) {
        layout.add(
            duration: sampleDuration,
            compositionOffset: constantCompositionOffset ?? timeline.compositionOffset(of: sample, in: samples),
            isSync: isAlwaysSync || samples.isSync(sample))
        duration += Int64(sampleDuration)
        mediaByteCount += Int(samples.byteCounts[sample])
        sampleCount += 1
    }

    /// Adds uniform samples of the same duration.
    mutating func add(_ samples: Range<Int>, duration sampleDuration: UInt32, of table: SampleTable) {
        layout.add(
            samples.count, duration: sampleDuration, compositionOffset: constantCompositionOffset ?? 0, isSync: true)
        duration += Int64(sampleDuration) * Int64(samples.count)
        mediaByteCount += table.byteCounts[samples].reduce(0) { $0 + Int($1) }
        sampleCount += samples.count
    }

    func finished() -> SegmentPlan {
        SegmentPlan(
            firstSample: firstSample, sampleCount: sampleCount, decodeTime: decodeTime, duration: duration,
            byteCount: layout.headerByteCount + mediaByteCount)
    }
}
