package import MediaCore
package import NIOCore

/// A Partial Segment (draft-pantos-hls-rfc8216bis §4.4.4.9): one CMAF chunk, in memory, shared by all who fetch it.
package struct PartialSegment: Sendable {
    /// Of the first sample.
    package var decodeTime: MediaTime
    package var duration: MediaTime
    /// Starts with a sample at which decoding can start.
    package var isIndependent: Bool
    package var sampleCount: Int
    /// `moof` and the header of `mdat`.
    package var header: ByteBuffer
    /// The samples: where each picture's bytes were copied to, once.
    package var media: ByteBuffer

    package var byteCount: Int { header.readableBytes + media.readableBytes }
}

/// A segment of a live rendition: its parts one behind the other.
package struct LiveSegment: Sendable {
    package var mediaSequence: Int
    /// Empty for a gap.
    package var parts: [PartialSegment]
    package var duration: MediaTime
    /// Of the first sample: milliseconds since 1970.
    package var programDateTime: Int64
    /// Codec parameters, timeline or publisher changed before it.
    package var isDiscontinuous: Bool
    /// Which of the epoch's initialization sections it needs.
    package var initializationNumber: Int
    /// The publishing epoch, part of every URL.
    package var epoch: String

    package init(
        mediaSequence: Int, parts: [PartialSegment], duration: MediaTime, programDateTime: Int64,
        isDiscontinuous: Bool, initializationNumber: Int, epoch: String
    ) {
        self.mediaSequence = mediaSequence
        self.parts = parts
        self.duration = duration
        self.programDateTime = programDateTime
        self.isDiscontinuous = isDiscontinuous
        self.initializationNumber = initializationNumber
        self.epoch = epoch
    }

    /// The rendition has no media for this time (EXT-X-GAP).
    package var isGap: Bool { parts.isEmpty }
    package var isIndependent: Bool { parts.first?.isIndependent ?? true }
    package var byteCount: Int { parts.reduce(0) { $0 + $1.byteCount } }
}
