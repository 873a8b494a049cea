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
/// With a time shift, the rendition's playlist begins with those of the others as well: with gaps for what is not in
/// memory any more. The new segments are not written to the archive but stay in memory as long as they are listed;
/// after a restart there are gaps in their place.
extension LiveWindow {
    /// Fills a rendition. Call it before the first part or segment that the publisher sends for it is added.
    ///
    /// - Parameters:
    ///   - header: the header of the segment to which the part belongs.
    ///   - isAskedFor: whether players have lately requested the rendition's playlist. They know its gaps, which do not
    ///     change for them.
    mutating func backfill(
        _ id: RenditionID, before header: LiveSegmentHeader, first part: PartialSegment?, isAskedFor: Bool
    ) {
        guard let part, !standIns.contains(id),
            let rendition = rendition(named: id.name[...]),
            rendition.openSegment == nil,
            !rendition.listsMedia || mayReplaceGaps(of: rendition, isAskedFor: isAskedFor)
        else { return }
        var segments: [LiveSegment] = []
        var discontinuitySequence = rendition.discontinuitySequence
        if let other = renditions.first(where: { $0.id != id && $0.listsMedia }),
            let filler = filler(for: rendition, first: part)
        {
            let older = other.listed.filter { $0.mediaSequence < header.mediaSequence }
            segments = filler.segments(alongside: older, before: header, timescale: part.decodeTime.timescale)
            let earlier = older.prefix { $0.mediaSequence < segments.first?.mediaSequence ?? .min }
            discontinuitySequence =
                other.discontinuitySequenceInMemory + earlier.count(where: \.isDiscontinuous)
        }
        let first = segments.first?.mediaSequence ?? header.mediaSequence
        if archivedSeconds > 0, rendition.listed.isEmpty, let past = past(before: first, of: rendition) {
            backfill(id, segments, after: past.gaps, discontinuitySequence: past.discontinuitySequence)
        } else if !segments.isEmpty {
            backfill(id, segments, after: [], discontinuitySequence: discontinuitySequence)
        }
    }

    /// Gaps for what the rendition that reaches back furthest has before a segment.
    ///
    /// - Parameters:
    ///   - mediaSequence: the media sequence number of the segment.
    ///   - rendition: the rendition for which they are made.
    /// - Returns: the gaps, oldest first, with the number of discontinuities before them; `nil` if they would not lead
    ///   up to the segment, or if there are none.
    private func past(
        before mediaSequence: Int, of rendition: RenditionWindow
    ) -> (gaps: [ArchivedSegment], discontinuitySequence: Int)? {
        let others = renditions.filter { $0.id != rendition.id && $0.newestMediaSequence != nil }
        guard let other = others.min(by: { $0.firstMediaSequence < $1.firstMediaSequence }) else { return nil }
        var gaps: [ArchivedSegment] = []
        for segment in other.archived.segments where segment.header.mediaSequence < mediaSequence {
            gaps.append(ArchivedSegment(gap: segment.header, duration: segment.duration, rendition: rendition.name))
        }
        for segment in other.listed where segment.mediaSequence < mediaSequence {
            gaps.append(
                ArchivedSegment(
                    gap: segment.header, duration: segment.duration.seconds, rendition: rendition.name))
        }
        guard gaps.last?.header.mediaSequence == mediaSequence - 1 else { return nil }
        return (gaps, other.discontinuitySequence)
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
