import MediaCore

/// Finds the bytes of a frame that sample encryption covers (ISO/IEC 23001-7 §9.5.2): the slice data of H.264 and HEVC,
/// and the tiles of AV1. Lengths and headers of NAL units, slice headers and everything that is not a slice stay in the
/// clear, so that a player can read the structure of a frame before it is decrypted.
package struct SliceDataFinder: Sendable {
    private enum Codec: Sendable {
        case h264(H264SliceHeaderParser)
        case hevc(HEVCSliceHeaderParser)
        case av1(AV1TileFinder)
    }

    private var codec: Codec

    static let structure = "encrypted frame"
    /// Size of the length before each NAL unit. Files with other sizes are not opened.
    private static let lengthByteCount = 4
    /// Limit of the beginning of a NAL unit or an OBU that is searched for the end of its header. The offsets of the
    /// entry points of a large HEVC frame take some hundred bytes.
    static let maximumHeaderByteCount = 4_096

    /// Creates a finder for the frames of a track.
    ///
    /// - Throws: ``CodecError`` if the codec's frames cannot be encrypted, or the parameter sets cannot be read.
    package init(_ configuration: CodecConfiguration) throws(CodecError) {
        switch configuration {
        case .h264(let h264):
            var parser = H264SliceHeaderParser()
            for unit in h264.sequenceParameterSets + h264.pictureParameterSets { try parser.learn(unit) }
            codec = .h264(parser)
        case .hevc(let hevc):
            var parser = HEVCSliceHeaderParser()
            for unit in hevc.sequenceParameterSets + hevc.pictureParameterSets { try parser.learn(unit) }
            codec = .hevc(parser)
        case .av1(let av1): codec = .av1(AV1TileFinder(av1))
        case .aac, .opus, .dolby, .mp3, .flac, .alac:
            throw CodecError(.unsupported, in: Self.structure, "\(configuration.name) has no slices")
        }
    }

    /// Finds the slice data of a frame.
    ///
    /// - Parameter sample: the frame as stored in MP4: with the length of each NAL unit before it, or its OBUs.
    /// - Returns: the ranges, from the frame's first byte, in ascending order.
    /// - Throws: ``CodecError`` if a slice header cannot be read. Such a frame must not be sent, because nobody knows
    ///   what of it may be encrypted.
    package mutating func sliceData(in sample: UnsafeRawBufferPointer) throws(CodecError) -> [Range<Int>] {
        switch codec {
        case .av1(var finder):
            defer { codec = .av1(finder) }
            return try finder.tiles(in: sample)
        case .h264(var parser):
            defer { codec = .h264(parser) }
            return try Self.sliceData(in: sample) { unit throws(CodecError) in try parser.headerByteCount(of: unit) }
        case .hevc(var parser):
            defer { codec = .hevc(parser) }
            return try Self.sliceData(in: sample) { unit throws(CodecError) in try parser.headerByteCount(of: unit) }
        }
    }

    private static func sliceData(
        in sample: UnsafeRawBufferPointer, headerByteCount: ([UInt8]) throws(CodecError) -> Int?
    ) throws(CodecError) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var offset = 0
        while offset < sample.count {
            guard sample.count - offset > Self.lengthByteCount else {
                throw CodecError(.truncated, in: Self.structure, "ends within the length of a NAL unit")
            }
            let length = Int(sample.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian)
            let start = offset + Self.lengthByteCount
            guard length <= sample.count - start else {
                throw CodecError(
                    .truncated, in: Self.structure, "has a NAL unit of \(length) bytes that goes on after it")
            }
            offset = start + length
            guard length > 0 else { continue }
            let unit = Array(sample[start..<start + min(length, Self.maximumHeaderByteCount)])
            if let headerByteCount = try headerByteCount(unit), headerByteCount < length {
                ranges.append(start + headerByteCount..<offset)
            }
        }
        return ranges
    }
}
