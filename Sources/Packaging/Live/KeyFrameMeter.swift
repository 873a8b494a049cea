import MediaCore

/// How far apart a publisher's key frames are: what a channel's target duration has to allow for, and what its operator
/// is told where it does not.
package struct KeyFrameMeter: Sendable, Hashable {
    /// Seconds between the newest two; `nil` before the second one.
    package private(set) var distance: Double?
    /// Seconds of the longest segment that would have ended at a key frame, whether or not it was cut before, less the
    /// ``grace``; `nil` before the first one.
    package private(set) var neededDuration: Double?
    /// Seconds that a segment waits for its key frame beyond the target duration: half a sample, because cadences do
    /// not divide seconds evenly.
    package private(set) var grace = 0.0
    /// Segments have to be closed for want of a key frame: until one has come in time again.
    package private(set) var isCutShort = false

    private let timescale: Timescale
    /// Ticks.
    private let segmentDuration: Int64
    /// Where the segment began that ends at a key frame; `nil` before the first one.
    private var segmentStart: Int64?
    /// It has been closed before.
    private var segmentIsCutShort = false
    private var latestKeyFrame: Int64?
    private var latestUnit: Int64?

    /// Seconds. Longer ones are not learned from: no target duration that allowed for them would be of use to viewers.
    package static let maximumSegmentDuration = 15.0
    /// Seconds. EXTINF still rounds to the target duration, and followers have room (``LivePackager/followerGrace``).
    private static let maximumGrace = 0.1
    /// A step between units that is longer is a hole, in seconds and in samples: what was lost in it may have been a
    /// key frame.
    private static let minimumHoleSeconds = 1.0
    private static let minimumHoleSampleCount: Int64 = 4

    init(timescale: Timescale, segmentDuration: Double) {
        self.timescale = timescale
        self.segmentDuration = MediaTime(seconds: segmentDuration, timescale: timescale).value
    }

    /// Each unit of the leading track.
    ///
    /// - Parameters:
    ///   - sampleDuration: as predicted, in ticks.
    ///   - isDiscontinuous: a segment ends before it, if it is a key frame, however short it is.
    mutating func note(_ decodeTime: Int64, isKeyFrame: Bool, sampleDuration: Int64, isDiscontinuous: Bool) {
        let hole = max(
            MediaTime(seconds: Self.minimumHoleSeconds, timescale: timescale).value,
            sampleDuration * Self.minimumHoleSampleCount)
        if let latestUnit, decodeTime - latestUnit > hole { beginAnew() }
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

    /// A segment had to be closed without a key frame.
    mutating func noteCutShort() {
        isCutShort = true
        segmentIsCutShort = true
    }

    /// What comes next is measured from its first key frame on.
    private mutating func beginAnew() {
        segmentStart = nil
        segmentIsCutShort = false
        latestKeyFrame = nil
    }

    private func seconds(_ ticks: Int64) -> Double { MediaTime(value: ticks, timescale: timescale).seconds }
}
