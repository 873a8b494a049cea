import Codecs
import ISOBMFF
import MediaCore
package import NIOCore

/// A title whose samples are encrypted (`cbcs`, ISO/IEC 23001-7 §10.4). What is protected follows from the frames
/// themselves, so that a fragment is read as a whole before its header is written.
extension PackagedTitle {
    /// Encrypts ranges of a fragment's media.
    ///
    /// The parameters are the media, and the protected ranges, from the first readable byte, in ascending order.
    package typealias SampleEncryptor = @Sendable (inout ByteBuffer, [Range<Int>]) throws -> Void

    /// The reason why samples of the title cannot be encrypted; `nil` if they can.
    package var sampleEncryptionObstacle: String? {
        for rendition in videoRenditions {
            do throws(CodecError) { _ = try SliceDataFinder(rendition.configuration) } catch {
                return error.description
            }
        }
        return nil
    }

    /// Reads a segment and encrypts its samples; blocks.
    ///
    /// - Parameters:
    ///   - index: The segment's index; the result is `nil` if the rendition has no such segment.
    ///   - rendition: A rendition of this title.
    ///   - encrypt: Encrypts the protected ranges.
    /// - Throws: ``MediaFileError``, `CodecError` if the title has a frame that cannot be encrypted, and whatever
    ///   `encrypt` throws.
    package func protectedSegment(
        _ index: Int, of rendition: PackagedRendition, encrypt: SampleEncryptor
    ) throws -> ByteBuffer? {
        guard rendition.segments.indices.contains(index),
            rendition.segments[index].byteCount <= PackagedRendition.maximumSegmentByteCount
        else { return nil }
        return try protected(rendition.fragment(ofSegment: index), of: rendition, encrypt: encrypt)
    }

    /// Reads an I-frame and encrypts it; blocks. Parameters and errors are those of
    /// ``protectedSegment(_:of:encrypt:)``.
    package func protectedIFrame(
        _ index: Int, of video: PackagedRendition, encrypt: SampleEncryptor
    ) throws -> ByteBuffer? {
        let frames = iFrames(of: video)
        guard frames.indices.contains(index) else { return nil }
        return try protected(video.fragment(ofIFrame: frames[index], number: index), of: video, encrypt: encrypt)
    }

    private func protected(
        _ fragment: TitleFragment, of rendition: PackagedRendition, encrypt: SampleEncryptor
    ) throws -> ByteBuffer {
        var media = ByteBuffer()
        media.reserveCapacity(fragment.media.reduce(0) { $0 + $1.byteCount })
        _ = try file(of: rendition).appendRanges(fragment.media, to: &media, cachedOnly: false)
        let isVideo = rendition.track.mediaType == .video
        var finder = isVideo ? try SliceDataFinder(rendition.configuration) : nil
        var (ranges, protection, position): ([Range<Int>], [SampleProtection], Int) = ([], [], 0)
        for sample in fragment.samples {
            let byteCount = Int(sample.byteCount)
            defer { position += byteCount }
            guard finder != nil else {
                ranges.append(position..<position + byteCount)
                continue
            }
            let found = try media.withUnsafeReadableBytes { bytes in
                try finder?.sliceData(in: UnsafeRawBufferPointer(rebasing: bytes[position..<position + byteCount]))
            }
            // What is shorter than a block is not encrypted.
            let protected = (found ?? []).filter { $0.count >= TrackEncryption.blockByteCount }
            guard let entry = SampleProtection(protecting: protected, ofSampleOf: byteCount) else {
                throw CodecError(
                    .unsupported, in: "encrypted frame",
                    "has \(protected.count) slices; with cbcs it may have \(SampleProtection.maximumSubsampleCount)")
            }
            protection.append(entry)
            ranges += protected.map { $0.lowerBound + position..<$0.upperBound + position }
        }
        try encrypt(&media, ranges)
        var buffer = fragment.header(roomFor: media.readableBytes, protection: isVideo ? protection : nil)
        buffer.writeImmutableBuffer(media)
        return buffer
    }
}
