package import ISOBMFF
package import MediaCore
package import NIOCore

/// A Partial Segment (draft-pantos-hls-rfc8216bis §4.4.4.9): one CMAF chunk, in memory, shared by all clients that
/// fetch it.
package struct PartialSegment: Sendable {
    /// Decode time of the first sample.
    package var decodeTime: MediaTime
    /// The sum of the samples' durations.
    package var duration: MediaTime
    /// True if decoding can start at the first sample.
    package var isIndependent: Bool
    /// True if frames of the part are complete only with frames before the segment (an open group of pictures).
    package var refersBack = false
    /// The number of samples in ``media``.
    package var sampleCount: Int
    /// The `moof` box and the header of `mdat`, preceded by events (`emsg`).
    package var header: ByteBuffer
    /// The bytes of the samples, which were copied here once.
    package var media: ByteBuffer
    /// Descriptions of the samples, for code that needs single samples.
    package var samples: [FragmentSample] = []
    /// True if another part of the same segment certainly follows, so that it may be hinted at.
    package var isFollowed = false

    /// The time at which the first sample is presented.
    package var presentationStart: MediaTime {
        let offset = samples.first.map { Int64($0.compositionOffset) } ?? 0
        return MediaTime(value: decodeTime.value.addingSaturating(offset), timescale: decodeTime.timescale)
    }

    /// The size of the part as delivered, in bytes.
    package var byteCount: Int { header.readableBytes + media.readableBytes }
}
