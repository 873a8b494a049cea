import MediaCore

/// The fields of color_config in a sequence header (AV1 bitstream specification §5.5.2) that `av1C` repeats.
package struct AV1ColorConfiguration: Sendable, Hashable {
    /// Bits per sample: 8, 10 or 12.
    package private(set) var bitDepth: UInt8
    package private(set) var isMonochrome: Bool
    package private(set) var isSubsampledHorizontally: Bool
    package private(set) var isSubsampledVertically: Bool
    /// chroma_sample_position: 0 (unknown) unless chroma is subsampled in both directions.
    package private(set) var chromaSamplePosition: UInt8 = 0
    package private(set) var videoRange = VideoRange.standard

    /// Colour primaries, transfer and matrix of a stream that does not describe them (AV1 bitstream specification
    /// §6.4.2).
    private static let unspecified: (UInt32, UInt32, UInt32) = (2, 2, 2)
    /// BT.709 primaries, sRGB transfer, identity matrix: RGB, which is never subsampled.
    private static let rgb: (UInt32, UInt32, UInt32) = (1, 13, 0)

    init(parsing reader: inout BitReader, profile: UInt8) throws {
        let isHighBitDepth = try reader.readBit()
        let isTwelveBit = profile == 2 && isHighBitDepth ? try reader.readBit() : false
        bitDepth = isTwelveBit ? 12 : isHighBitDepth ? 10 : 8
        isMonochrome = profile == 1 ? false : try reader.readBit()
        var color = Self.unspecified
        if try reader.readBit() {
            color = (try reader.readBits(8), try reader.readBits(8), try reader.readBits(8))
        }
        videoRange = VideoRange(transferCharacteristics: color.1)
        (isSubsampledHorizontally, isSubsampledVertically) = (true, true)
        if isMonochrome {
            _ = try reader.readBit()  // color_range
            return
        }
        if color == Self.rgb {
            (isSubsampledHorizontally, isSubsampledVertically) = (false, false)
            return
        }
        _ = try reader.readBit()  // color_range
        switch profile {
        case 0: break
        case 1: (isSubsampledHorizontally, isSubsampledVertically) = (false, false)
        default:
            isSubsampledHorizontally = isTwelveBit ? try reader.readBit() : true
            isSubsampledVertically = isTwelveBit && isSubsampledHorizontally ? try reader.readBit() : false
        }
        if isSubsampledHorizontally && isSubsampledVertically { chromaSamplePosition = UInt8(try reader.readBits(2)) }
    }
}
