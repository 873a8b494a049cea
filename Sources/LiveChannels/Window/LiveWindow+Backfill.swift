import Codecs
import MediaCore
import Packaging

/// Fills an audio rendition that is new, or that had only gaps, with silence for the older segments of the video: a
/// player that joins now begins there, with the audio of that time.
///
/// Video is not filled: a still image for the earlier time would make GStreamer's playbin3 wait for as long as the
/// channel's timeline has lasted, and all players begin where the video does.
extension LiveWindow {
    /// Fills a rendition. Call it before the first part or segment that the publisher sends for it is added.
    ///
    /// - Parameter header: the header of the segment to which the part belongs.
    mutating func backfill(
        _ mediaType: MediaType, before header: LiveSegmentHeader, first part: PartialSegment?
    ) {
        // With a time shift, the archive would lack the segments that memory lists.
        guard archivedSeconds == 0, let part, mediaType == .audio, !standIns.contains(mediaType),
            let rendition = rendition(named: mediaType.rawValue[...]),
            rendition.openSegment == nil, !rendition.listsMedia,
            let other = renditions.first(where: { $0.mediaType != mediaType && $0.listsMedia })
        else { return }
        let timescale = part.decodeTime.timescale
        let filler = FillerSample(silenceFor: rendition.configuration, timescale: timescale)
        guard let filler else { return }
        let older = other.listed.filter { $0.mediaSequence < header.mediaSequence }
        let segments = filler.segments(alongside: older, before: header, timescale: timescale)
        guard let first = segments.first?.mediaSequence else { return }
        let earlier = older.prefix { $0.mediaSequence < first }
        backfill(
            mediaType, segments,
            discontinuitySequence: other.discontinuitySequenceInMemory + earlier.count(where: \.isDiscontinuous))
    }
}
