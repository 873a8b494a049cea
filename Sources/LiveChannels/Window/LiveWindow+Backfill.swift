import Codecs
import MediaCore
import Packaging

/// A rendition that the window did not have, or that was nothing but gaps, gets silence or a still image for the older
/// segments of the others: a player that joins now begins there, and whatever a playlist lists can be fetched.
extension LiveWindow {
    /// Before the first part, or segment, that the publisher sends for it.
    ///
    /// - Parameters:
    ///   - heading: of the segment that the part belongs to.
    ///   - partDuration: seconds.
    mutating func backfill(
        _ mediaType: MediaType, before heading: LiveSegmentHeading, first part: PartialSegment?, partDuration: Double
    ) {
        guard let part, !standIns.contains(mediaType), let rendition = rendition(named: mediaType.rawValue[...]),
            rendition.openSegment == nil, !rendition.listsMedia,
            let other = renditions.first(where: { $0.mediaType != mediaType && $0.listsMedia })
        else { return }
        let timescale = part.decodeTime.timescale
        let filler: FillerSample?
        switch mediaType {
        case .audio: filler = FillerSample(silenceFor: rendition.configuration, timescale: timescale)
        case .video:
            let duration = MediaTime(seconds: partDuration, timescale: timescale)
            filler = part.keyFrame.map {
                FillerSample(keyFrame: $0, configuration: rendition.configuration, duration: duration)
            }
        }
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
