import Codecs
import MediaCore
import Packaging

/// Audio that the window did not have, or that was nothing but gaps, gets silence for the older segments of the video: a
/// player that joins now begins there, with whatever audio belongs to it.
///
/// Video gets nothing: a still image for the time before would make GStreamer's playbin3 wait for as long as the channel's
/// timeline has lasted, and all players begin where the video does.
extension LiveWindow {
    /// Before the first part, or segment, that the publisher sends for it.
    ///
    /// - Parameter heading: of the segment that the part belongs to.
    mutating func backfill(
        _ mediaType: MediaType, before heading: LiveSegmentHeading, first part: PartialSegment?
    ) {
        // The archive would lack what memory lists.
        guard archivedSeconds == 0, let part, mediaType == .audio, !standIns.contains(mediaType),
            let rendition = rendition(named: mediaType.rawValue[...]),
            rendition.openSegment == nil, !rendition.listsMedia,
            let other = renditions.first(where: { $0.mediaType != mediaType && $0.listsMedia })
        else { return }
        let timescale = part.decodeTime.timescale
        let filler = FillerSample(silenceFor: rendition.configuration, timescale: timescale)
        guard let filler else { return }
        let older = other.listed.filter { $0.mediaSequence < heading.mediaSequence }
        let segments = filler.segments(alongside: older, before: heading, timescale: timescale)
        guard let first = segments.first?.mediaSequence else { return }
        let earlier = older.prefix { $0.mediaSequence < first }
        backfill(
            mediaType, segments,
            discontinuitySequence: other.discontinuitySequenceInMemory + earlier.count(where: \.isDiscontinuous))
    }
}
