import ISOBMFF
import MediaCore

/// The samples of a track that its edit list presents (ISO/IEC 14496-12 §8.6.6).
struct PresentedSamples {
    /// The samples to package.
    private(set) var range: Range<Int>
    /// The decode time of the first sample on the track's own clock.
    private(set) var decodeTime: Int64 = 0
    /// The earliest composition time of the first GOP, relative to ``decodeTime``; zero for audio.
    private(set) var firstCompositionTime: Int64 = 0

    private let track: MovieTrack
    private var samples: SampleTable { track.samples }

    /// The largest priming in frames: encoders prime with one to three (Apple's with 2,112 samples); more is a cut, not
    /// priming.
    private static let maximumPrimingFrameCount: Int64 = 3
    /// The number of frames among which the first one in presentation order is: both codecs limit reordering to a
    /// decoded picture buffer of 16.
    private static let maximumReorderedSampleCount = 32

    /// Applies a track's edit list.
    ///
    /// - Throws: ``TitlePackagingError`` if a cut hides frames that later ones need for decoding.
    init(of track: MovieTrack) throws(TitlePackagingError) {
        self.track = track
        range = 0..<track.samples.count
        guard !range.isEmpty else { return }
        dropSamplesBehindTheEnd()
        switch track.track.mediaType {
        case .video:
            firstCompositionTime = Self.firstCompositionTime(samples, from: 0)
            try dropVideoBeforeTheStart()
        case .audio: dropFramesBeforeTheStart()
        }
    }

    /// The rounding error of writers: a tick of the movie's clock, at most a quarter of a frame.
    private func tolerance(_ duration: Int64) -> Int64 {
        let tick = MediaTime(value: 1, timescale: track.edit.emptyDuration.timescale)
        return min(duration / 4, tick.converted(to: track.track.timescale).value)
    }

    // MARK: Start

    /// Drops complete GOPs that are never presented. If nothing can be decoded where presentation begins, because the
    /// first key frame comes later, it begins there.
    private mutating func dropVideoBeforeTheStart() throws(TitlePackagingError) {
        let start = track.edit.mediaTime
        guard let duration = samples.durations.first,
            start > firstCompositionTime.addingSaturating(tolerance(Int64(duration)))
        else { return }
        var time: Int64 = 0
        var hasKeyFrame = false
        for (sample, duration) in samples.durations.enumerated() where range.contains(sample) {
            let composition = time.addingSaturating(Int64(samples.compositionOffset(of: sample)))
            let isInTime = composition.subtractingSaturating(tolerance(Int64(duration))) <= start
            if samples.isSync(sample), isInTime || !hasKeyFrame {
                range = sample..<range.upperBound
                decodeTime = time
                hasKeyFrame = true
            }
            if time > start, hasKeyFrame { break }
            time = time.addingSaturating(Int64(duration))
        }
        firstCompositionTime = Self.firstCompositionTime(samples, from: range.lowerBound)
        let hidden = start.subtractingSaturating(decodeTime.addingSaturating(firstCompositionTime))
        // Part of a frame cannot be hidden: it is shown completely, and everything else starts that much later.
        guard hidden >= max(1, Int64(samples.durations[range.lowerBound])) else { return }
        let milliseconds = MediaTime(value: hidden, timescale: track.track.timescale).converted(to: .milliseconds).value
        throw TitlePackagingError(
            .cutBetweenKeyFrames, "an edit list hides \(milliseconds) ms before the first frame")
    }

    /// Drops whole audio frames before a cut, except one that the decoder needs to warm up. Priming is kept.
    private mutating func dropFramesBeforeTheStart() {
        guard track.edit.mediaTime > 0, let frame = samples.durations.first, frame > 0 else { return }
        let priming = track.edit.mediaTime
        guard priming > Self.maximumPrimingFrameCount * Int64(frame) else { return }
        let count = min(Int(clamping: priming / Int64(frame) - 1), range.count - 1)
        decodeTime = Int64(count) * Int64(frame)
        range = range.lowerBound + count..<range.upperBound
    }

    /// The composition time of the frame that is presented first, relative to the decode time of the first one.
    private static func firstCompositionTime(_ samples: SampleTable, from first: Int) -> Int64 {
        guard samples.hasCompositionOffsets else { return 0 }
        var decodeTime: Int64 = 0
        var earliest = Int64.max
        for sample in first..<min(samples.count, first + maximumReorderedSampleCount) {
            if sample > first, samples.isSync(sample) { break }
            earliest = min(earliest, decodeTime.addingSaturating(Int64(samples.compositionOffset(of: sample))))
            decodeTime = decodeTime.addingSaturating(Int64(samples.durations[sample]))
        }
        return earliest == .max ? 0 : earliest
    }

    // MARK: End

    /// Drops samples after the end that no other one refers to, because they are decoded last. With reordering, one to
    /// three frames after the end may remain, because frames before it need them.
    private mutating func dropSamplesBehindTheEnd() {
        guard let end = track.edit.endTime else { return }
        var time = samples.durations.total
        while range.count > 1 {
            let last = range.upperBound - 1
            let duration = Int64(samples.durations[last])
            time = time.subtractingSaturating(duration)
            let composition = time.addingSaturating(Int64(samples.compositionOffset(of: last)))
            // Audio is kept to the last sample.
            let tolerance = track.track.mediaType == .video ? tolerance(duration) : 0
            guard composition >= end.subtractingSaturating(tolerance) else { return }
            range = range.lowerBound..<last
        }
    }
}
