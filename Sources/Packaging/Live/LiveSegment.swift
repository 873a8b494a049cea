import ISOBMFF
package import MediaCore
package import NIOCore

/// A segment of a live rendition: its parts, one after the other.
package struct LiveSegment: Sendable {
    package var header: LiveSegmentHeader
    /// The parts; empty for a gap.
    package var parts: [PartialSegment]
    /// The sum of the parts' durations; for a gap, the time without media.
    package var duration: MediaTime
    /// True if the parts keep to the bounds of Partial Segments and have been announced; otherwise players know only
    /// the whole segment. See `PartBounds`.
    package var listsParts: Bool
    /// True if the segment was made for the time before its rendition appeared, and contains no media of a publisher.
    package var isBackfilled = false

    package init(header: LiveSegmentHeader, parts: [PartialSegment], duration: MediaTime, listsParts: Bool = true) {
        self.header = header
        self.parts = parts
        self.duration = duration
        self.listsParts = listsParts
    }

    /// The segment without its media: a gap of the same duration.
    package var withoutMedia: LiveSegment {
        LiveSegment(header: header, parts: [], duration: duration, listsParts: false)
    }

    package var mediaSequence: Int { header.mediaSequence }
    /// The date of the first sample.
    package var programDateTime: WallClockTime { header.programDateTime }
    package var isDiscontinuous: Bool { header.isDiscontinuous }
    package var initializationNumber: Int { header.initializationNumber }
    package var epoch: String { header.epoch }

    /// True if the rendition has no media for this time (EXT-X-GAP).
    package var isGap: Bool { parts.isEmpty }
    /// True if all samples can be decoded without other segments (EXT-X-INDEPENDENT-SEGMENTS); true for a gap.
    package var isIndependent: Bool { parts.isIndependent }
    /// Bytes from the segment's start to the end of its first frame, including the `moof` box (HLS Authoring
    /// Specification 6.10); `nil` if the first frame is not a key frame.
    package var keyFrameByteCount: Int? {
        guard let first = parts.first, first.isIndependent, let sample = first.samples.first else { return nil }
        return first.header.readableBytes + Int(sample.byteCount)
    }
    /// The time at which its first frame is presented; `nil` for a gap.
    package var presentationStart: MediaTime? { parts.first?.presentationStart }
    /// The size of the segment as delivered, in bytes; 0 for a gap.
    package var byteCount: Int { parts.reduce(0) { $0 + $1.byteCount } }
    /// The bytes of the segment as they are delivered, in pieces.
    package var bytes: [ByteBuffer] { parts.flatMap { [$0.header, $0.media] } }
}

extension [PartialSegment] {
    /// True if all samples of a segment with these parts, so far, can be decoded without other segments.
    package var isIndependent: Bool { (first?.isIndependent ?? true) && !contains(where: \.refersBack) }
}
