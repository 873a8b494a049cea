import ISOBMFF
import MediaCore

/// How a track's own clock becomes the title's: its edit list, its reordering and its priming, resolved to what
/// fragments can say.
///
/// All renditions of a title share one timeline that starts at zero and on which every picture and sound has the
/// place that the file's edit lists give it.
struct RenditionTimeline: Sendable {
    /// Leading samples that are never presented and are left out.
    var skippedSampleCount = 0
    /// `tfdt` of the first sample, in the track's timescale.
    var firstDecodeTime: Int64 = 0
    /// Added to all composition offsets, where the file has negative ones (see ``firstPresentedMediaTime``).
    var compositionShift: Int64 = 0
    /// For the initialization section's edit list: an audio encoder's priming, or how far reordering puts the first
    /// picture behind its decode time. (CMAF would have the latter as negative composition offsets; ffmpeg and all
    /// that build on it then show video that much too late beside audio.)
    var firstPresentedMediaTime: Int64 = 0

    /// As a fragment has it.
    func compositionOffset(of sample: Int, in samples: SampleTable) -> Int32 {
        Int32(clamping: Int64(samples.compositionOffset(of: sample)) + compositionShift)
    }

    /// Encoders prime with one to three frames (Apple's: 2,112 samples); more is a cut, not priming.
    static let maximumPrimingFrameCount: Int64 = 3
}

/// Resolves the timelines of a title's tracks together, because a shift of one is a shift of all.
struct TimelineResolver {
    private(set) var timelines: [RenditionTimeline] = []

    init(tracks: [MovieTrack]) {
        let starts = tracks.map(Self.presentationStart)
        let shift = Self.shift(of: tracks, starts: starts)
        for (track, start) in zip(tracks, starts) {
            let offset = shift.converted(to: track.track.timescale).value
            let empty = track.edit.emptyDuration.converted(to: track.track.timescale).value
            switch track.track.mediaType {
            case .video:
                let compositionShift = -Int64(min(0, track.samples.compositionOffsets.min() ?? 0))
                timelines.append(
                    RenditionTimeline(
                        firstDecodeTime: max(0, start.value.addingSaturating(offset)),
                        compositionShift: compositionShift,
                        firstPresentedMediaTime: max(0, Self.firstCompositionTime(track.samples) + compositionShift)))
            case .audio:
                timelines.append(Self.audioTimeline(track, start: max(0, empty.addingSaturating(offset))))
            }
        }
    }

    /// What is added to all tracks' times.
    private static func shift(of tracks: [MovieTrack], starts: [MediaTime]) -> MediaTime {
        let zero = MediaTime.zero(.microseconds)
        // Video cannot lose the pictures before a cut that later ones refer to. They stay, visible, and everything
        // else moves behind them.
        let hidden = zip(tracks, starts).filter { $0.0.track.mediaType == .video }.map { zero - $0.1 }.max() ?? zero
        guard hidden <= zero else { return hidden }
        // A recording's clock may have run for days before its first fragment.
        let earliest =
            zip(tracks, starts).map { $0.track.mediaType == .video ? $1 : $0.edit.emptyDuration }.min() ?? zero
        return earliest > zero ? zero - earliest : zero
    }

    /// Where the track's first picture belongs, in the track's timescale; negative where an edit list cuts it off.
    private static func presentationStart(_ track: MovieTrack) -> MediaTime {
        let empty = track.edit.emptyDuration.converted(to: track.track.timescale)
        let first = track.track.mediaType == .video ? firstCompositionTime(track.samples) : 0
        return MediaTime(
            value: empty.value.addingSaturating(first).subtractingSaturating(track.edit.mediaTime),
            timescale: track.track.timescale)
    }

    /// The earliest composition time of the first group of pictures.
    private static func firstCompositionTime(_ samples: SampleTable) -> Int64 {
        guard samples.hasCompositionOffsets else { return 0 }
        var decodeTime: Int64 = 0
        var earliest = Int64.max
        for sample in 0..<min(samples.count, maximumReorderedSampleCount) {
            if sample > 0, samples.isSync(sample) { break }
            earliest = min(earliest, decodeTime + Int64(samples.compositionOffset(of: sample)))
            decodeTime += Int64(samples.durations[sample])
        }
        return earliest == .max ? 0 : earliest
    }

    /// The picture that is presented first is among the first few that are decoded: both codecs bound reordering by
    /// a decoded picture buffer of 16.
    private static let maximumReorderedSampleCount = 32

    private static func audioTimeline(_ track: MovieTrack, start: Int64) -> RenditionTimeline {
        var timeline = RenditionTimeline(firstDecodeTime: start)
        guard track.edit.mediaTime > 0, let frame = track.samples.durations.first, frame > 0 else { return timeline }
        let priming = track.edit.mediaTime
        guard priming > RenditionTimeline.maximumPrimingFrameCount * Int64(frame) else {
            timeline.firstPresentedMediaTime = priming
            return timeline
        }
        // A cut: whole frames go, but for one that the decoder needs to warm up.
        timeline.skippedSampleCount = min(Int(priming / Int64(frame)) - 1, max(0, track.samples.count - 1))
        timeline.firstPresentedMediaTime = priming - Int64(timeline.skippedSampleCount) * Int64(frame)
        return timeline
    }
}
