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
    /// separate_uv_delta_q: whether both planes of chroma have quantizers of their own.
    private(set) var hasSeparateChromaQuantizers = false
    /// The colour; `nil` if the stream does not describe it.
    package private(set) var description: ColorDescription?

    /// BT.709 primaries, sRGB transfer, identity matrix: RGB, which is never subsampled, and of full range (AV1
    /// bitstream specification §5.5.2).
    private static func isRGB(_ color: ColorDescription?) -> Bool {
        color.map { ($0.primaries, $0.transferCharacteristics, $0.matrixCoefficients) == (1, 13, 0) } ?? false
    }

    init(parsing reader: inout BitReader, profile: UInt8) throws {
        let isHighBitDepth = try reader.readBit()
        let isTwelveBit = profile == 2 && isHighBitDepth ? try reader.readBit() : false
        bitDepth = isTwelveBit ? 12 : isHighBitDepth ? 10 : 8
        isMonochrome = profile == 1 ? false : try reader.readBit()
        if try reader.readBit() { description = try ColorDescription(parsing: &reader, isFullRange: true) }
        (isSubsampledHorizontally, isSubsampledVertically) = (true, true)
        if isMonochrome {
            let isFullRange = try reader.readBit()
            description?.isFullRange = isFullRange
            return
        }
        if Self.isRGB(description) {
            (isSubsampledHorizontally, isSubsampledVertically) = (false, false)
            hasSeparateChromaQuantizers = try reader.readBit()
            return
        }
        let isFullRange = try reader.readBit()
        description?.isFullRange = isFullRange
        switch profile {
        case 0: break
        case 1: (isSubsampledHorizontally, isSubsampledVertically) = (false, false)
        default:
            isSubsampledHorizontally = isTwelveBit ? try reader.readBit() : true
            isSubsampledVertically = isTwelveBit && isSubsampledHorizontally ? try reader.readBit() : false
        }
        if isSubsampledHorizontally && isSubsampledVertically { chromaSamplePosition = UInt8(try reader.readBits(2)) }
        hasSeparateChromaQuantizers = try reader.readBit()
    }
}
