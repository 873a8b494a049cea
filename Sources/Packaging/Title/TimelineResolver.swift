import ISOBMFF
import MediaCore

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
