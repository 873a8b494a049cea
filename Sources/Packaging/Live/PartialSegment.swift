package import ISOBMFF
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
    /// `moof` and the header of `mdat`; events, `emsg`, come before them.
    package var header: ByteBuffer
    /// The samples: where each picture's bytes were copied to, once.
    package var media: ByteBuffer
    /// What the header says of each, for those who need single samples.
    package var samples: [FragmentSample] = []
    /// Another part of the same segment comes after it for certain, so that it may be hinted at.
    package var isFollowed = false

    package var byteCount: Int { header.readableBytes + media.readableBytes }
}

/// What is known of a live segment as soon as it begins.
package struct LiveSegmentHeading: Sendable, Hashable {
    package var mediaSequence: Int
    /// Of the first sample: milliseconds since 1970.
    package var programDateTime: Int64
    /// Codec parameters, timeline or publisher changed before it.
    package var isDiscontinuous: Bool
    /// Which of the epoch's initialization sections it needs.
    package var initializationNumber: Int
    /// The publishing epoch, part of every URL.
    package var epoch: String

    package init(
        mediaSequence: Int, programDateTime: Int64, isDiscontinuous: Bool, initializationNumber: Int, epoch: String
    ) {
        self.mediaSequence = mediaSequence
        self.programDateTime = programDateTime
        self.isDiscontinuous = isDiscontinuous
        self.initializationNumber = initializationNumber
        self.epoch = epoch
    }
}

/// A segment of a live rendition: its parts one behind the other.
package struct LiveSegment: Sendable {
    package var heading: LiveSegmentHeading
    /// Empty for a gap.
    package var parts: [PartialSegment]
    package var duration: MediaTime
    /// The parts keep to the bounds of Partial Segments and have been announced; otherwise only the whole segment is
    /// for players. See ``PartBounds``.
    package var listsParts: Bool
    /// Made when the rendition appeared, for the time before: nothing of it came from a publisher.
    package var isBackfilled = false

    package init(heading: LiveSegmentHeading, parts: [PartialSegment], duration: MediaTime, listsParts: Bool = true) {
        self.heading = heading
        self.parts = parts
        self.duration = duration
        self.listsParts = listsParts
    }

    /// The segment's header alone: a gap of the same time.
    package var withoutMedia: LiveSegment {
        LiveSegment(heading: heading, parts: [], duration: duration, listsParts: false)
    }

    package var mediaSequence: Int { heading.mediaSequence }
    package var programDateTime: Int64 { heading.programDateTime }
    package var isDiscontinuous: Bool { heading.isDiscontinuous }
    package var initializationNumber: Int { heading.initializationNumber }
    package var epoch: String { heading.epoch }

    /// The rendition has no media for this time (EXT-X-GAP).
    package var isGap: Bool { parts.isEmpty }
    package var isIndependent: Bool { parts.first?.isIndependent ?? true }
    /// From the segment's start to the end of its first picture (hls-rules 6.10: with its `moof`); `nil` where that is
    /// no key frame.
    package var keyFrameByteCount: Int? {
        guard let first = parts.first, first.isIndependent, let sample = first.samples.first else { return nil }
        return first.header.readableBytes + Int(sample.byteCount)
    }
    package var byteCount: Int { parts.reduce(0) { $0 + $1.byteCount } }
    /// As it is delivered, in pieces.
    package var bytes: [ByteBuffer] { parts.flatMap { [$0.header, $0.media] } }
}
