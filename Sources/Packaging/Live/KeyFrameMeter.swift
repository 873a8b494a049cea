import MediaCore

/// Measures how far apart a publisher's key frames are. A channel's target duration has to allow for this distance; the
/// operator is told if it does not.
package struct KeyFrameMeter: Sendable, Hashable {
    /// Seconds between the newest two key frames; `nil` before the second one.
    package private(set) var distance: Double? {
        didSet {
            guard let distance else { return }
            if recentDistances.count == Self.recentDistanceCount { recentDistances.removeFirst() }
            recentDistances.append(distance)
        }
    }
    /// The newest distances, oldest first.
    private var recentDistances: [Double] = []
    private static let recentDistanceCount = 8
    /// Duration in seconds of the longest segment that would have ended at a key frame, even if it was cut earlier,
    /// minus the ``grace``; `nil` before the first one.
    package private(set) var neededDuration: Double?
    /// Seconds that a segment waits for its key frame beyond the target duration. This is half a sample, because
    /// cadences do not divide seconds evenly.
    package private(set) var grace = 0.0
    /// True if segments have to be closed without a key frame; false again as soon as a key frame has arrived in time.
    package private(set) var isCutShort = false

    private let timescale: Timescale
    /// The intended segment duration, in ticks.
    private let segmentDuration: Int64
    /// ``minimumHoleDuration`` in ticks.
    private let minimumHole: Int64
    /// Start of the segment that will end at a key frame, in ticks; `nil` before the first key frame.
    private var segmentStart: Int64?
    /// True if the segment has already been closed without a key frame.
    private var segmentIsCutShort = false
    private var latestKeyFrame: Int64?
    private var latestUnit: Int64?

    /// Seconds. Longer segments are ignored: a target duration that allowed for them would be useless to viewers.
    package static let maximumSegmentDuration = 15.0
    /// Limit on the ``grace`` in seconds. EXTINF still rounds to the target duration, and followers have room
    /// (``LivePackager/followerGrace``).
    private static let maximumGrace = 0.1
    /// A step between units that is longer than both limits, in time and in samples, is a hole: a key frame may have
    /// been lost in it.
    private static let minimumHoleDuration = Duration.seconds(1)
    private static let minimumHoleSampleCount: Int64 = 4

    /// The longest of the newest distances, in seconds; `nil` before the second key frame.
    var longestDistance: Double? { recentDistances.max() }

    /// The time at which the next key frame is expected, in ticks; `nil` if the newest ones did not come at the same
    /// distance.
    var nextKeyFrame: Int64? {
        let newest = recentDistances.suffix(2)
        guard let latestKeyFrame, newest.count == 2, let first = newest.first, let last = newest.last,
            abs(last - first) <= grace
        else { return nil }
        return latestKeyFrame + MediaTime(seconds: last, timescale: timescale).value
    }

    init(timescale: Timescale, segmentDuration: Double) {
        self.timescale = timescale
        self.segmentDuration = MediaTime(seconds: segmentDuration, timescale: timescale).value
        minimumHole = MediaTime(seconds: Self.minimumHoleDuration.seconds, timescale: timescale).value
    }

    /// Records a unit of the leading track. Call it for every unit.
    ///
    /// - Parameters:
    ///   - sampleDuration: the predicted duration of a sample, in ticks.
    ///   - isDiscontinuous: whether a segment ends before this unit if it is a key frame, however short that segment
    ///     is.
    mutating func note(_ decodeTime: Int64, isKeyFrame: Bool, sampleDuration: Int64, isDiscontinuous: Bool) {
        let hole = max(minimumHole, sampleDuration * Self.minimumHoleSampleCount)
        if let latestUnit, decodeTime - latestUnit > hole { restart() }
        latestUnit = decodeTime
        grace = min(Self.maximumGrace, seconds(sampleDuration) / 2)
        guard isKeyFrame else { return }
        if let latestKeyFrame { distance = seconds(decodeTime - latestKeyFrame) }
        latestKeyFrame = decodeTime
        guard let start = segmentStart else {
            segmentStart = decodeTime
            return
        }
        let duration = decodeTime - start
        if isDiscontinuous {
            segmentStart = decodeTime
            segmentIsCutShort = false
        } else if duration + sampleDuration / 2 >= segmentDuration {
            segmentStart = decodeTime
            isCutShort = segmentIsCutShort
            segmentIsCutShort = false
            let seconds = seconds(duration) - grace
            if seconds <= Self.maximumSegmentDuration { neededDuration = max(neededDuration ?? 0, seconds) }
        }
    }

    /// Records that a segment had to be closed without a key frame.
    mutating func noteCutShort() {
        isCutShort = true
        segmentIsCutShort = true
    }

    /// Restarts the measurement, which begins at the next key frame.
    private mutating func restart() {
        segmentStart = nil
        segmentIsCutShort = false
        latestKeyFrame = nil
    }

    private func seconds(_ ticks: Int64) -> Double { MediaTime(value: ticks, timescale: timescale).seconds }
}
