import ISOBMFF
import MediaCore
import NIOCore

/// One fragment of a rendition, before its header is written: a segment, or an I-frame.
struct TitleFragment {
    var samples: [FragmentSample]
    /// The ranges of the samples in the file.
    var media: [FileRange]
    var sequenceNumber: UInt32
    /// Decode time of the first sample, in the track's timescale.
    var decodeTime: Int64

    /// Renders `moof` and the header of `mdat`.
    ///
    /// - Parameters:
    ///   - allocator: allocates the buffer.
    ///   - mediaByteCount: the bytes for which the buffer has room after the header.
    ///   - protection: the protected ranges of each sample; `nil` if the header does not say them.
    func header(
        allocator: ByteBufferAllocator = ByteBufferAllocator(), roomFor mediaByteCount: Int = 0,
        protection: [SampleProtection]? = nil
    ) -> ByteBuffer {
        var layout = FragmentLayout(samples)
        layout.protection = protection
        var buffer = allocator.buffer(capacity: layout.headerByteCount + mediaByteCount)
        layout.writeHeader(of: samples, sequenceNumber: sequenceNumber, decodeTime: decodeTime, into: &buffer)
        return buffer
    }
}
