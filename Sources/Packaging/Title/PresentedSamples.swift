import ISOBMFF
import MediaCore

/// Which of a track's samples its edit list leaves (ISO/IEC 14496-12 §8.6.6).
struct PresentedSamples {
    private(set) var range: Range<Int>
    /// Of the first one, on the track's own clock.
    private(set) var decodeTime: Int64 = 0
    /// The earliest composition time of the first group of pictures, from ``decodeTime`` on; zero for audio.
    private(set) var firstCompositionTime: Int64 = 0

    private let track: MovieTrack
    private var samples: SampleTable { track.samples }

    /// Encoders prime with one to three frames (Apple's: 2,112 samples); more is a cut, not priming.
    private static let maximumPrimingFrameCount: Int64 = 3
    /// The picture that is presented first is among the first few that are decoded: both codecs bound reordering by
    /// a decoded picture buffer of 16.
    private static let maximumReorderedSampleCount = 32

    /// - Throws: ``TitlePackagingError`` where a cut hides pictures that decoding those behind it needs.
    init(of track: MovieTrack) throws(TitlePackagingError) {
        self.track = track
        range = 0..<track.samples.count
        guard !range.isEmpty else { return }
        dropSamplesBehindTheEnd()
        switch track.track.mediaType {
        case .video:
            firstCompositionTime = Self.firstCompositionTime(samples, from: 0)
            try dropPicturesBeforeTheStart()
        case .audio: dropFramesBeforeTheStart()
        }
    }

    /// What writers round to: a tick of the movie's clock, as long as that is much less than a picture.
    private func tolerance(_ duration: Int64) -> Int64 {
        let tick = MediaTime(value: 1, timescale: track.edit.emptyDuration.timescale)
        return min(duration / 4, tick.converted(to: track.track.timescale).value)
    }

    // MARK: Start

    /// Whole groups of pictures that are never seen.
    private mutating func dropPicturesBeforeTheStart() throws(TitlePackagingError) {
        let start = track.edit.mediaTime
        guard let duration = samples.durations.first,
            start > firstCompositionTime.addingSaturating(tolerance(Int64(duration)))
        else { return }
        var time: Int64 = 0
        for (sample, duration) in samples.durations.enumerated() where range.contains(sample) {
            let composition = time.addingSaturating(Int64(samples.compositionOffset(of: sample)))
            if samples.isSync(sample), composition.subtractingSaturating(tolerance(Int64(duration))) <= start {
                range = sample..<range.upperBound
                decodeTime = time
            }
            if time > start { break }
            time = time.addingSaturating(Int64(duration))
        }
        firstCompositionTime = Self.firstCompositionTime(samples, from: range.lowerBound)
        let hidden = start.subtractingSaturating(decodeTime.addingSaturating(firstCompositionTime))
        // Part of a frame cannot be hidden: it is shown whole, and everything else begins that much later.
        guard hidden >= max(1, Int64(samples.durations[range.lowerBound])) else { return }
        let milliseconds = MediaTime(value: hidden, timescale: track.track.timescale).converted(to: .milliseconds).value
        throw TitlePackagingError(
            .cutBetweenKeyFrames, "an edit list hides \(milliseconds) ms in front of the first picture")
    }

    /// Of a cut: whole frames, but for one that the decoder needs to warm up. What priming there is stays.
    private mutating func dropFramesBeforeTheStart() {
        guard track.edit.mediaTime > 0, let frame = samples.durations.first, frame > 0 else { return }
        let priming = track.edit.mediaTime
        guard priming > Self.maximumPrimingFrameCount * Int64(frame) else { return }
        let count = min(Int(clamping: priming / Int64(frame) - 1), range.count - 1)
        decodeTime = Int64(count) * Int64(frame)
        range = range.lowerBound + count..<range.upperBound
    }

    /// The picture that is presented first, from the decode time of the first one on.
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

    /// Those that nothing refers to because they are decoded last. Of reordered pictures one to three may stay that
    /// belong behind the end: those in front of them need them.
    private mutating func dropSamplesBehindTheEnd() {
        guard let end = track.edit.endTime else { return }
        var time = samples.durations.total
        while range.count > 1 {
            let last = range.upperBound - 1
            let duration = Int64(samples.durations[last])
            time = time.subtractingSaturating(duration)
            let composition = time.addingSaturating(Int64(samples.compositionOffset(of: last)))
            // Sound is kept to the last sample.
            let tolerance = track.track.mediaType == .video ? tolerance(duration) : 0
            guard composition >= end.subtractingSaturating(tolerance) else { return }
            range = range.lowerBound..<last
        }
    }
}
