import ISOBMFF
import MediaCore
import NIOCore

/// Turns one track's access units into parts, and its parts into segments. The caller says where segments end.
///
/// A part is finished when its last sample arrives: the sample's duration is predicted from the track's cadence, and
/// the next part's decode time corrects the small error of the prediction. Announced parts keep to ``PartBounds``,
/// whatever the cadence.
struct TrackSegmenter {
    let timescale: Timescale
    private let bounds: PartBounds
    private var builder: PartBuilder
    private var parts: [PartialSegment] = []
    /// Decode time at which the segment that is being built starts, in ticks; `nil` while it has no sample.
    private(set) var segmentStart: Int64?
    private(set) var segmentDuration: Int64 = 0
    /// The number of samples of the segment that is being built at which decoding can start.
    private var randomAccessPointCount = 0
    /// End of the last finished part, in ticks; the next sample starts no earlier.
    private var partsEnd: Int64 = 0
    /// True if the parts of the segment that is being built are announced to players.
    private(set) var listsParts = true
    /// True if the parts of the next segment have to be announced, because a playlist has hinted at the first one.
    var mustListParts = false
    /// True if a sample that has to be decoded later keeps its presentation time, even before its decode time: for
    /// tracks without reordering, of which every sample can be shown at once.
    var keepsPresentationTimes = false
    /// Decode time of the last sample as it was written.
    private var lastDecodeTime: Int64?
    /// Decode time of the last sample before it was moved after the last part. The cadence is learned from it.
    private var lastArrivalTime: Int64?
    /// Ticks between samples: the median of the newest three, so that one late or early sample does not mislead.
    private(set) var predictedDuration: UInt32
    private var recentDurations: (UInt32, UInt32)
    private var nextSequenceNumber: UInt32 = 1
    /// Ticks added to the publisher's timestamps, so that a jump of the publisher's clock does not reach players.
    private var rebase: Int64
    private(set) var absorbedJumpCount = 0

    /// A channel's media starts this far after zero, so that decode times before the first frame's presentation time
    /// are not negative, which `tfdt` cannot express. Later epochs start where the one before has ended.
    static let startOffset = Duration.seconds(10)
    /// A smaller step back is jitter and is smoothed; after a larger one, the publisher's clock was set.
    static let maximumSmoothedStep = Duration.milliseconds(500)
    /// No sample lasts longer: after such a step the publisher's clock jumped, or the network was down.
    static let maximumSampleDuration = Duration.seconds(10)
    /// Audio and video of the same time arrive within this of each other.
    static let maximumInterleaving = Duration.seconds(2)

    // The same three limits in ticks, for the comparison with each unit.
    private let smoothedStep: Int64
    private let longestSample: Int64
    private let interleaving: Int64

    init(timescale: Timescale, bounds: PartBounds, nominalSampleDuration: UInt32, allocator: ByteBufferAllocator) {
        self.timescale = timescale
        self.bounds = bounds
        predictedDuration = max(1, nominalSampleDuration)
        recentDurations = (predictedDuration, predictedDuration)
        builder = PartBuilder(timescale: timescale, allocator: allocator)
        func ticks(_ duration: Duration) -> Int64 {
            MediaTime(seconds: duration.seconds, timescale: timescale).value
        }
        rebase = ticks(Self.startOffset)
        smoothedStep = ticks(Self.maximumSmoothedStep)
        longestSample = ticks(Self.maximumSampleDuration)
        interleaving = ticks(Self.maximumInterleaving)
    }

    /// Maps a timestamp of the publisher to the start on the output's timeline. Call it before the first unit.
    mutating func begin(_ timestamp: MediaTime, at start: MediaTime) {
        rebase = start.converted(to: timescale).value.subtractingSaturating(timestamp.converted(to: timescale).value)
    }

    /// The decode time at which the segment that is being built ends so far, in ticks; `nil` if it has no samples.
    var endDecodeTime: Int64? {
        guard hasSamples else { return nil }
        return builder.isEmpty ? partsEnd : builder.decodeTime + builder.duration
    }
    /// The same as ``endDecodeTime`` as a time.
    var endTime: MediaTime? { endDecodeTime.map { MediaTime(value: $0, timescale: timescale) } }
    var hasSamples: Bool { segmentStart != nil }
    /// True if the part that is being built has no sample yet.
    var isOpenPartEmpty: Bool { builder.isEmpty }
    /// The ticks that the part that is being built has room for.
    var openPartRoom: Int64 { bounds.target - builder.duration }
    /// True if the parts of a segment that began now would be announced.
    var expectsParts: Bool { mustListParts || bounds.canHold(samplesOf: predictedDuration) }
    var elapsed: Int64 { segmentDuration + builder.duration }

    /// Decode time of the last unit on the output's timeline; `nil` before the first unit.
    var latestTime: MediaTime? { lastArrivalTime.map { MediaTime(value: $0, timescale: timescale) } }

    /// The unit's decode time on the output's timeline, with jumps absorbed. Call it once per unit, before
    /// ``append(_:at:)``.
    ///
    /// - Parameter companion: the latest time of the epoch's other track. A step forward that leads there is not a
    ///   jump: this track was silent for a while, and a shift of its times would separate audio and video for good.
    mutating func outputDecodeTime(of unit: AccessUnit, companion: MediaTime?) -> Int64 {
        var time = unit.decodeTime.addingSaturating(rebase)
        guard let last = lastArrivalTime else {
            // The publisher's clock jumped before this track began, so this track begins where the other one is.
            if let companion, !isNear(companion, time) {
                let start = companion.converted(to: timescale).value
                rebase = rebase.addingSaturating(start.subtractingSaturating(time))
                absorbedJumpCount += 1
                time = start
            }
            return max(0, time)
        }
        let step = time.subtractingSaturating(last)
        let isForward = step > longestSample
        if step < -smoothedStep || isForward && !isNear(companion, time) {
            let continued = last + Int64(predictedDuration)
            rebase = rebase.addingSaturating(continued.subtractingSaturating(time))
            absorbedJumpCount += 1
            time = continued
        }
        return max(time, last + 1)
    }

    /// The time by which the samples so far reach past the start of `unit`; `nil` if they do not, or if the publisher's
    /// clock was set.
    func lead(over unit: AccessUnit) -> MediaTime? {
        guard let next = nextTime else { return nil }
        let lead = next.subtractingSaturating(unit.decodeTime.addingSaturating(rebase))
        guard lead > 0, lead <= longestSample else { return nil }
        return MediaTime(value: lead, timescale: timescale)
    }

    private func isNear(_ companion: MediaTime?, _ time: Int64) -> Bool {
        guard let companion else { return false }
        let distance = time.subtractingSaturating(companion.converted(to: timescale).value)
        return (-interleaving...interleaving).contains(distance)
    }

    /// Adds a unit to the part that is being built.
    ///
    /// - Parameter decodeTime: the result of ``outputDecodeTime(of:companion:)``; ``learnDuration(until:)`` must have
    ///   been called with it.
    /// - Returns: the part that this unit completed, if any.
    mutating func append(_ unit: AccessUnit, at decodeTime: Int64) -> PartialSegment? {
        add(unit, at: decodeTime)
        // The next sample would make the part too long, so this one was its last.
        return builder.duration + Int64(predictedDuration) > bounds.target ? finishFullPart() : nil
    }

    /// Adds a sample that stands in for missing media; the predicted cadence of the track does not change.
    ///
    /// - Parameters:
    ///   - decodeTime: ``nextTime``, if there is one.
    ///   - fullDuration: the usual duration of the samples that follow, in ticks.
    /// - Returns: the part that the sample completed, if any.
    mutating func fill(
        _ payload: SamplePayload, at decodeTime: Int64, duration: Int64, fullDuration: Int64
    ) -> PartialSegment? {
        let cadence = predictedDuration
        predictedDuration = UInt32(clamping: duration)
        defer { predictedDuration = cadence }
        add(
            AccessUnit(
                decodeTime: decodeTime, presentationTime: decodeTime, isRandomAccessPoint: true, payload: payload),
            at: decodeTime)
        let isFull = builder.duration >= bounds.minimum && builder.duration + fullDuration > bounds.target
        return isFull ? finishPart() : nil
    }

    /// End of the last sample in ticks; `nil` before the first one.
    var nextTime: Int64? {
        guard lastDecodeTime != nil else { return nil }
        return builder.isEmpty ? partsEnd : builder.decodeTime + builder.duration
    }

    private mutating func add(_ unit: AccessUnit, at decodeTime: Int64) {
        let written = max(decodeTime, builder.isEmpty ? partsEnd : (lastDecodeTime ?? 0) + 1)
        if segmentStart == nil {
            segmentStart = written
            listsParts = expectsParts
            mustListParts = false
            randomAccessPointCount = 0
        }
        let delay = written - decodeTime
        // A frame that is decoded later keeps its presentation time, as far as possible.
        let offset = unit.presentationTime.subtractingSaturating(unit.decodeTime)
        // The delay does not make the next sample late.
        var duration = max(1, Int64(predictedDuration) - delay)
        if listsParts { duration = min(duration, bounds.target) }
        builder.append(
            unit, decodeTime: written,
            compositionOffset: Int32(
                clamping: offset.subtractingSaturating(keepsPresentationTimes ? delay : min(max(0, offset), delay))),
            duration: UInt32(clamping: duration))
        if unit.isRandomAccessPoint { randomAccessPointCount += 1 }
        // After the second one, the frames before it are in the segment.
        if unit.refersBack, randomAccessPointCount < 2 { builder.refersBack = true }
        lastDecodeTime = written
        lastArrivalTime = decodeTime
    }

    /// Learns when the next unit decodes, without adding it. This makes the last duration of the open part exact before
    /// the segment is closed in front of that unit. Call it once per unit.
    ///
    /// - Returns: the open part if it is complete, or if the new duration would make it too long because nothing
    ///   arrived for a while.
    mutating func learnDuration(until decodeTime: Int64) -> PartialSegment? {
        guard let last = lastDecodeTime, let lastArrival = lastArrivalTime, decodeTime > lastArrival else { return nil }
        predict(from: UInt32(clamping: decodeTime - lastArrival))
        guard !builder.isEmpty else {
            correctDrift(until: decodeTime)
            return nil
        }
        let duration = max(1, decodeTime - last)
        let corrected = builder.duration - builder.lastDuration + duration
        if corrected <= bounds.target {
            builder.correctLastDuration(to: UInt32(clamping: duration))
        } else if listsParts {
            // The frame lasts as long as its part may; the rest is a hole.
            extendLastSample(to: bounds.target)
        }
        // Checks whether there is room for the next sample, too.
        guard corrected + Int64(predictedDuration) > bounds.target else { return nil }
        let part = finishFullPart()
        correctDrift(until: decodeTime)
        return part
    }

    /// Adds small differences between the predicted and the real cadence to the segment's duration. A hole is not
    /// added, because it could make the segment longer than the target duration allows.
    private mutating func correctDrift(until decodeTime: Int64) {
        let drift = decodeTime - partsEnd
        guard hasSamples, (0...Int64(predictedDuration)).contains(drift) else { return }
        segmentDuration += drift
        partsEnd += drift
    }

    /// Finishes a part that is not the last of its segment.
    private mutating func finishFullPart() -> PartialSegment? {
        if listsParts, bounds.allowsStretching, builder.duration < bounds.minimum {
            extendLastSample(to: bounds.minimum)
        }
        return finishPart()
    }

    private mutating func extendLastSample(to partDuration: Int64) {
        let missing = partDuration - builder.duration
        guard missing > 0 else { return }
        builder.correctLastDuration(to: UInt32(clamping: builder.lastDuration + missing))
    }

    private mutating func predict(from duration: UInt32) {
        let (first, second) = recentDurations
        recentDurations = (second, duration)
        predictedDuration = max(1, max(min(first, second), min(max(first, second), duration)))
    }

    /// Ends the segment that is being built.
    ///
    /// - Returns: `nil` if the segment has no sample.
    mutating func closeSegment() -> ClosedSegment? {
        guard segmentStart != nil else { return nil }
        let lastPart = finishPart()
        let closed = ClosedSegment(
            parts: parts, lastPart: lastPart, duration: MediaTime(value: segmentDuration, timescale: timescale),
            listsParts: listsParts)
        parts.removeAll()
        segmentStart = nil
        segmentDuration = 0
        return closed
    }

    struct ClosedSegment {
        /// All parts of the segment.
        var parts: [PartialSegment]
        /// The part that had to be finished to close the segment, if any; it is also the last of ``parts``.
        var lastPart: PartialSegment?
        var duration: MediaTime
        var listsParts: Bool
    }

    private mutating func finishPart() -> PartialSegment? {
        guard let part = builder.finish(sequenceNumber: nextSequenceNumber) else { return nil }
        nextSequenceNumber &+= 1
        segmentDuration += part.duration.value
        partsEnd = part.decodeTime.value + part.duration.value
        parts.append(part)
        return part
    }

    /// The newest sample at which decoding can start, if a part of the segment that is being built begins with it.
    var newestKeyFrame: ByteBuffer? { parts.last(where: \.isIndependent)?.keyFrame }

    /// The newest sample of a finished part of the segment that is being built, with its duration in ticks.
    var newestSample: (bytes: ByteBuffer, duration: Int64)? {
        guard let part = parts.last, let last = part.samples.last else { return nil }
        let byteCount = Int(last.byteCount)
        return part.media.getSlice(at: part.media.writerIndex - byteCount, length: byteCount).map {
            ($0, Int64(last.duration))
        }
    }

    /// Decode time at which the next part begins.
    var nextPartTime: MediaTime {
        MediaTime(value: builder.isEmpty ? partsEnd : builder.decodeTime, timescale: timescale)
    }

    mutating func insert(_ event: TimedEvent, at time: MediaTime) { builder.insert(event, at: time) }
}
