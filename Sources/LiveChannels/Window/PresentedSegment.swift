import MediaCore
import Packaging

/// A segment with media, wherever it lies, as manifests describe it.
struct PresentedSegment: Sendable {
    var header: LiveSegmentHeader
    /// The time at which its first frame is presented.
    var start: MediaTime
    /// Seconds; an estimate for a segment that is being made.
    var duration: Double
    var isIndependent: Bool
}

extension RenditionWindow {
    /// The segments that the playlist lists, oldest first, without gaps and without those of a stand-in: a period has
    /// the renditions that there are.
    ///
    /// - Parameter expectedDuration: the duration in seconds that the segment that is being made will probably have;
    ///   `nil` leaves it out.
    func presented(expectedDuration: Double?) -> [PresentedSegment] {
        var segments = archived.segments.compactMap { segment in
            segment.isGap
                ? nil
                : segment.presentationStart.map {
                    PresentedSegment(
                        header: segment.header, start: $0, duration: segment.duration,
                        isIndependent: segment.isIndependent)
                }
        }
        segments += listed.compactMap { segment in
            segment.presentationStart.map {
                PresentedSegment(
                    header: segment.header, start: $0, duration: segment.duration.seconds,
                    isIndependent: segment.isIndependent)
            }
        }
        if let expectedDuration, let openSegment, let first = openSegment.parts.first {
            segments.append(
                PresentedSegment(
                    header: openSegment.header, start: first.presentationStart,
                    duration: max(expectedDuration, openSegment.duration),
                    isIndependent: openSegment.parts.isIndependent))
        }
        let newest = newestOwnMediaSequence ?? -1
        while let last = segments.last, last.header.mediaSequence > newest { segments.removeLast() }
        return segments
    }
}
