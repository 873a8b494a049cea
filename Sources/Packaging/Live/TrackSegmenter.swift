import MediaCore
import NIOCore

/// Turns one track's access units into parts, and its parts into segments where it is told to cut.
///
/// A part is finished when its last sample arrives: the sample's duration is predicted from the track's cadence, and
/// the next part's decode time corrects what little the prediction was off (design decision 5). Whatever the cadence,
/// announced parts keep to ``PartBounds``.
struct TrackSegmenter {
    let timescale: Timescale
    private let bounds: PartBounds
    private var builder: PartBuilder
    private var parts: [PartialSegment] = []
    /// Of the segment that is being built; `nil` while it has no sample.
    private(set) var segmentStart: Int64?
    private(set) var segmentDuration: Int64 = 0
    /// Where the last finished part ends; what comes next begins no earlier.
    private var partsEnd: Int64 = 0
    /// The segment that is being built has parts that players may know of.
    private(set) var listsParts = true
    /// As written.
    private var lastDecodeTime: Int64?
    /// The same before it was moved behind the last part: what the cadence is learned from.
    private var lastArrivalTime: Int64?
    /// Ticks between samples: the median of those last seen, so that one late or early sample does not mislead.
    private(set) var predictedDuration: UInt32
    private var recentDurations: (UInt32, UInt32)
    private var nextSequenceNumber: UInt32 = 1
    /// Added to the publisher's times, so that a jump of its clock does not reach players.
    private var rebase: Int64
    private(set) var absorbedJumpCount = 0

    /// A channel's media starts this far after zero, so that decode times before the first picture's presentation
    /// time are not negative, which `tfdt` cannot say. Later epochs start where the one before has ended.
    static let startOffsetSeconds = 10
    /// A step back of less is jitter, and smoothed; more, and the publisher's clock was set.
    static let maximumSmoothedStepSeconds = 0.5
    /// No sample lasts longer; the publisher's clock jumped, or the network was down.
    static let maximumSampleDurationSeconds = 10.0
    /// Sound and picture of the same moment arrive within this of each other.
    static let maximumInterleavingSeconds = 2.0

    init(timescale: Timescale, bounds: PartBounds, nominalSampleDuration: UInt32, allocator: ByteBufferAllocator) {
        self.timescale = timescale
        self.bounds = bounds
        predictedDuration = max(1, nominalSampleDuration)
        recentDurations = (predictedDuration, predictedDuration)
        builder = PartBuilder(timescale: timescale, allocator: allocator)
        rebase = Int64(Self.startOffsetSeconds) * Int64(timescale.ticksPerSecond)
    }

    /// Puts a moment of the publisher's line of times onto the output's. Before the first unit.
    mutating func begin(_ moment: MediaTime, at start: MediaTime) {
        rebase = start.converted(to: timescale).value.subtractingSaturating(moment.converted(to: timescale).value)
    }

    /// Where the segment that is being built ends so far.
    var endDecodeTime: Int64? {
        guard hasSamples else { return nil }
        return builder.isEmpty ? partsEnd : builder.decodeTime + builder.duration
    }
    var hasSamples: Bool { segmentStart != nil }
    var elapsed: Int64 { segmentDuration + builder.duration }

    /// Of the last unit, on the output's timeline.
    var latestTime: MediaTime? { lastArrivalTime.map { MediaTime(value: $0, timescale: timescale) } }

    /// The unit's decode time on the output's timeline, with jumps absorbed. Ask once a unit, before
    /// ``append(_:at:)``.
    ///
    /// - Parameter companion: where the epoch's other track is. A step forward that leads there is no jump: this track
    ///   was silent for a while, and a shift of its times would put sound and picture apart for good.
    mutating func outputDecodeTime(of unit: AccessUnit, companion: MediaTime?) -> Int64 {
        var time = unit.decodeTime.addingSaturating(rebase)
        guard let last = lastArrivalTime else {
            // The publisher's clock jumped before this track began: it begins where the other one is.
            if let companion, !isNear(companion, time) {
                let start = companion.converted(to: timescale).value
                rebase = rebase.addingSaturating(start.subtractingSaturating(time))
                absorbedJumpCount += 1
                time = start
            }
            return max(0, time)
        }
        let step = time.subtractingSaturating(last)
        let smoothed = ticks(Self.maximumSmoothedStepSeconds)
        let isForward = step > ticks(Self.maximumSampleDurationSeconds)
        if step < -smoothed || isForward && !isNear(companion, time) {
            let continued = last + Int64(predictedDuration)
            rebase = rebase.addingSaturating(continued.subtractingSaturating(time))
            absorbedJumpCount += 1
            time = continued
        }
        return max(time, last + 1)
    }

    /// How far the samples so far reach past the start of `unit`; `nil` if they do not, or if the publisher's clock was
    /// set.
    func lead(over unit: AccessUnit) -> MediaTime? {
        guard let next = nextTime else { return nil }
        let lead = next.subtractingSaturating(unit.decodeTime.addingSaturating(rebase))
        guard lead > 0, lead <= ticks(Self.maximumSampleDurationSeconds) else { return nil }
        return MediaTime(value: lead, timescale: timescale)
    }

    private func isNear(_ companion: MediaTime?, _ time: Int64) -> Bool {
        guard let companion else { return false }
        let distance = time.subtractingSaturating(companion.converted(to: timescale).value)
        return (-ticks(Self.maximumInterleavingSeconds)...ticks(Self.maximumInterleavingSeconds)).contains(distance)
    }

    /// - Parameter decodeTime: from ``outputDecodeTime(of:companion:)``, and told to ``learnDuration(until:)`` before.
    /// - Returns: the part that this unit completed.
    mutating func append(_ unit: AccessUnit, at decodeTime: Int64) -> PartialSegment? {
        add(unit, at: decodeTime)
        // The next sample would make the part too long, so this one was its last.
        return builder.duration + Int64(predictedDuration) > bounds.target ? finishFullPart() : nil
    }

    /// Adds a sample that stands in for media that does not come; the track's own cadence stays as it was learned.
    ///
    /// - Parameters:
    ///   - decodeTime: ``nextTime``, if there is one.
    ///   - fullDuration: of the samples that follow, as a rule.
    /// - Returns: the part that the sample completed.
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

    /// Where the last sample ends; `nil` before the first one.
    var nextTime: Int64? {
        guard lastDecodeTime != nil else { return nil }
        return builder.isEmpty ? partsEnd : builder.decodeTime + builder.duration
    }

    private mutating func add(_ unit: AccessUnit, at decodeTime: Int64) {
        let written = max(decodeTime, builder.isEmpty ? partsEnd : (lastDecodeTime ?? 0) + 1)
        if segmentStart == nil {
            segmentStart = written
            listsParts = bounds.canHold(samplesOf: predictedDuration)
        }
        let delay = written - decodeTime
        // A picture that is decoded later is still shown when it should be, as far as that goes.
        let offset = unit.presentationTime.subtractingSaturating(unit.decodeTime)
        // The next one is not late for that.
        var duration = max(1, Int64(predictedDuration) - delay)
        if listsParts { duration = min(duration, bounds.target) }
        builder.append(
            unit, decodeTime: written,
            compositionOffset: Int32(clamping: offset.subtractingSaturating(min(max(0, offset), delay))),
            duration: UInt32(clamping: duration))
        lastDecodeTime = written
        lastArrivalTime = decodeTime
    }

    /// Takes note of when the next unit decodes, without adding it: the open part's last duration becomes exact before
    /// the segment is closed in front of that unit. Once a unit.
    ///
    /// - Returns: the open part, where it is complete or would become too long by that: nothing came for a while.
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
            // The picture stays for as long as its part may last; what is missing then is a hole.
            extendLastSample(to: bounds.target)
        }
        // Room for the next sample, too?
        guard corrected + Int64(predictedDuration) > bounds.target else { return nil }
        let part = finishFullPart()
        correctDrift(until: decodeTime)
        return part
    }

    /// Small differences between predicted and real cadence belong to the segment's duration; a hole does not, because
    /// it could make the segment longer than the target duration allows.
    private mutating func correctDrift(until decodeTime: Int64) {
        let drift = decodeTime - partsEnd
        guard hasSamples, (0...Int64(predictedDuration)).contains(drift) else { return }
        segmentDuration += drift
        partsEnd += drift
    }

    /// A part that others follow.
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
    /// - Returns: `nil` where it has no sample.
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
        /// All of them.
        var parts: [PartialSegment]
        /// The one that had to be finished for it.
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

    /// Where the next part begins.
    var nextPartTime: MediaTime {
        MediaTime(value: builder.isEmpty ? partsEnd : builder.decodeTime, timescale: timescale)
    }

    mutating func insert(_ event: TimedEvent, at time: MediaTime) { builder.insert(event, at: time) }

    private func ticks(_ seconds: Double) -> Int64 { MediaTime(seconds: seconds, timescale: timescale).value }
}
