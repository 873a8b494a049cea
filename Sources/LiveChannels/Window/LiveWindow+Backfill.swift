import Codecs
import MediaCore
import Packaging

/// Fills a rendition that is new, or that had gaps last, for the time of the other rendition's older segments: audio
/// with silence, video with its first key frame. A player that joins now begins there, with the other rendition of that
/// time.
///
/// Without that, a player that joins begins with audio for which there is no video yet. GStreamer's `playbin3` then
/// passes a gap on before the first frame, and shows nothing for as long as the channel's timeline has lasted.
///
/// The archive does not get these segments: players that look back further find the rendition from its own first
/// segment on.
extension LiveWindow {
    /// Fills a rendition. Call it before the first part or segment that the publisher sends for it is added.
    ///
    /// - Parameters:
    ///   - header: the header of the segment to which the part belongs.
    ///   - isAskedFor: whether players have lately requested the rendition's playlist. They know its gaps, which do not
    ///     change for them.
    mutating func backfill(
        _ mediaType: MediaType, before header: LiveSegmentHeader, first part: PartialSegment?, isAskedFor: Bool
    ) {
        guard let part, !standIns.contains(mediaType),
            let rendition = rendition(named: mediaType.rawValue[...]),
            rendition.openSegment == nil,
            !rendition.listsMedia || mayReplaceGaps(of: rendition, isAskedFor: isAskedFor),
            let other = renditions.first(where: { $0.mediaType != mediaType && $0.listsMedia }),
            let filler = filler(for: rendition, first: part)
        else { return }
        let older = other.listed.filter { $0.mediaSequence < header.mediaSequence }
        let segments = filler.segments(alongside: older, before: header, timescale: part.decodeTime.timescale)
        guard let first = segments.first?.mediaSequence else { return }
        let earlier = older.prefix { $0.mediaSequence < first }
        backfill(
            mediaType, segments,
            discontinuitySequence: other.discontinuitySequenceInMemory + earlier.count(where: \.isDiscontinuous))
    }

    /// Returns true if nobody knows the gaps with which the rendition ends. With a time shift they stay: the segments
    /// in their place would become gaps again when memory no longer holds them.
    private func mayReplaceGaps(of rendition: RenditionWindow, isAskedFor: Bool) -> Bool {
        archivedSeconds == 0 && !isAskedFor && rendition.listed.last?.isGap == true
    }

    private func filler(for rendition: RenditionWindow, first part: PartialSegment) -> FillerSample? {
        let timescale = part.decodeTime.timescale
        switch rendition.mediaType {
        case .audio: return FillerSample(silenceFor: rendition.configuration, timescale: timescale)
        case .video:
            guard let keyFrame = part.keyFrame else { return nil }
            let duration = MediaTime(seconds: configuration.partDuration, timescale: timescale)
            return FillerSample(
                keyFrame: keyFrame,
                configuration: FillerSample.configuration(rendition.configuration, frameDuration: duration),
                duration: duration)
        }
    }
}
