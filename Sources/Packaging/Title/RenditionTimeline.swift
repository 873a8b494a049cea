import ISOBMFF
import MediaCore

/// The mapping of a track's own clock to the title's: its edit list, reordering and priming, reduced to what fragments
/// can express.
///
/// All renditions of a title share one timeline that starts at zero and on which all video and audio has the place that
/// the file's edit lists give it.
struct RenditionTimeline: Sendable {
    /// The samples that are packaged; those before and after them are never presented.
    var samples: Range<Int>
    /// The `tfdt` of the first sample, in the track's timescale.
    var firstDecodeTime: Int64 = 0
    /// The shift added to all composition offsets if the file has negative ones (see ``firstPresentedMediaTime``).
    var compositionShift: Int64 = 0
    /// The media time of the initialization section's edit list: an audio encoder's priming, or the reordering delay of
    /// the first video frame. (CMAF would express the latter with negative composition offsets; ffmpeg and everything
    /// built on it then present video that much too late relative to audio.)
    var firstPresentedMediaTime: Int64 = 0

    /// The composition offset of a sample in a fragment.
    func compositionOffset(of sample: Int, in samples: SampleTable) -> Int32 {
        Int32(clamping: Int64(samples.compositionOffset(of: sample)) + compositionShift)
    }
}

/// Resolves the timelines of a title's tracks together, because a shift of one shifts all.
struct TimelineResolver {
    private(set) var timelines: [RenditionTimeline] = []

    /// Resolves the timelines.
    ///
    /// - Throws: ``TitlePackagingError`` if an edit list hides frames that others need.
    init(tracks: [MovieTrack]) throws(TitlePackagingError) {
        var kept: [PresentedSamples] = []
        for track in tracks { kept.append(try PresentedSamples(of: track)) }
        let starts = zip(tracks, kept).map(Self.presentationStart)
        let shift = Self.shift(of: tracks, starts: starts)
        for ((track, start), kept) in zip(zip(tracks, starts), kept) {
            let offset = shift.converted(to: track.track.timescale).value
            let empty = track.edit.emptyDuration.converted(to: track.track.timescale).value
            switch track.track.mediaType {
            case .video:
                let compositionShift = -Int64(min(0, track.samples.compositionOffsets.min() ?? 0))
                timelines.append(
                    RenditionTimeline(
                        samples: kept.range, firstDecodeTime: max(0, start.value.addingSaturating(offset)),
                        compositionShift: compositionShift,
                        firstPresentedMediaTime: max(0, kept.firstCompositionTime + compositionShift)))
            case .audio:
                timelines.append(
                    RenditionTimeline(
                        samples: kept.range, firstDecodeTime: max(0, empty.addingSaturating(offset)),
                        firstPresentedMediaTime: max(0, track.edit.mediaTime.subtractingSaturating(kept.decodeTime))))
            }
        }
    }

    /// The shift of all tracks' times.
    private static func shift(of tracks: [MovieTrack], starts: [MediaTime]) -> MediaTime {
        let zero = MediaTime.zero(.microseconds)
        // A cut within the first frame leaves it complete, and moves everything else after it.
        let hidden = zip(tracks, starts).filter { $0.0.track.mediaType == .video }.map { zero - $0.1 }.max() ?? zero
        guard hidden <= zero else { return hidden }
        // A recording's clock may have run for days before its first fragment.
        let earliest =
            zip(tracks, starts).map { $0.track.mediaType == .video ? $1 : $0.edit.emptyDuration }.min() ?? zero
        return earliest > zero ? zero - earliest : zero
    }

    /// The presentation time of the track's first sample, in the track's timescale; negative if an edit list cuts into
    /// it.
    private static func presentationStart(_ track: MovieTrack, _ kept: PresentedSamples) -> MediaTime {
        let empty = track.edit.emptyDuration.converted(to: track.track.timescale)
        let first =
            track.track.mediaType == .video ? kept.decodeTime.addingSaturating(kept.firstCompositionTime) : 0
        return MediaTime(
            value: empty.value.addingSaturating(first).subtractingSaturating(track.edit.mediaTime),
            timescale: track.track.timescale)
    }
}
