import MediaCore

/// The fields of an HEVC sequence parameter set (ITU-T H.265 §7.3.2.2) that packaging needs.
package struct HEVCSequenceParameterSet: Sendable, Hashable {
    package private(set) var identifier: UInt32
    package private(set) var profileTierLevel: HEVCProfileTierLevel
    package private(set) var maximumSubLayersMinus1: Int
    package private(set) var isTemporalIDNested: Bool
    package private(set) var chromaFormatIDC: UInt8
    package private(set) var bitDepthLuma: UInt8
    package private(set) var bitDepthChroma: UInt8
    /// Width in pixels, inside the conformance window.
    package private(set) var width: Int
    /// Height in pixels, inside the conformance window.
    package private(set) var height: Int
    /// sps_max_num_reorder_pics of the highest sub-layer.
    package private(set) var maximumReorderFrameCount: Int
    /// The shape of a pixel; square if the stream does not say.
    package private(set) var sampleAspectRatio: SampleAspectRatio
    /// Frames per second from the VUI; `nil` if it is absent or implausible.
    package private(set) var frameRate: Double?
    /// Colour from the VUI; `nil` if it is absent.
    package private(set) var color: ColorDescription?

    /// Size limit for width and height, in pixels.
    package static let maximumPictureDimension = 16_384
    /// Size limit in bytes, which bounds the work on hostile input.
    package static let maximumByteCount = 4_096
    static let structure = "HEVC sequence parameter set"

    /// - Parameter nalUnit: the NAL unit, both header bytes and emulation prevention bytes included.
    package init(parsing nalUnit: [UInt8]) throws(CodecError) {
        guard nalUnit.count > 2, nalUnit.count <= Self.maximumByteCount else {
            throw CodecError(.invalid, in: Self.structure, "is \(nalUnit.count) bytes long")
        }
        guard HEVCNALUnitType.type(headerByte: nalUnit[0]) == HEVCNALUnitType.sequenceParameterSet else {
            throw CodecError(.invalid, in: Self.structure, "the NAL unit is of another type")
        }
        do {
            var reader = BitReader(rawByteSequencePayload(of: nalUnit, headerByteCount: 2))
            self = try Self(parsing: &reader)
        } catch let error as CodecError {
            throw error
        } catch {
            throw CodecError(.truncated, in: Self.structure, "ends too early")
        }
    }

    private init(parsing reader: inout BitReader) throws {
        try reader.skipBits(4)  // sps_video_parameter_set_id
        maximumSubLayersMinus1 = Int(try reader.readBits(3))
        guard maximumSubLayersMinus1 <= 6 else {
            throw CodecError(.invalid, in: Self.structure, "has 8 sub-layers, which do not exist")
        }
        isTemporalIDNested = try reader.readBit()
        profileTierLevel = try HEVCProfileTierLevel(
            parsing: &reader, maximumSubLayersMinus1: maximumSubLayersMinus1)
        identifier = try reader.readUnsignedExpGolomb()
        let chroma = try reader.readUnsignedExpGolomb()
        guard chroma <= 3 else {
            throw CodecError(.invalid, in: Self.structure, "chroma_format_idc \(chroma) does not exist")
        }
        chromaFormatIDC = UInt8(chroma)
        if chroma == 3 { _ = try reader.readBit() }
        (width, height) = try Self.parsePictureSize(&reader, chromaFormatIDC: chroma)
        let (luma, second) = (try reader.readUnsignedExpGolomb(), try reader.readUnsignedExpGolomb())
        guard luma <= 8, second <= 8 else {
            throw CodecError(.invalid, in: Self.structure, "a bit depth above 16 does not exist")
        }
        bitDepthLuma = UInt8(8 + luma)
        bitDepthChroma = UInt8(8 + second)
        let pictureOrderCountBitCount = Int(min(try reader.readUnsignedExpGolomb(), 12)) + 4
        let hasSubLayerOrdering = try reader.readBit()
        maximumReorderFrameCount = 0
        for _ in (hasSubLayerOrdering ? 0 : maximumSubLayersMinus1)...maximumSubLayersMinus1 {
            _ = try reader.readUnsignedExpGolomb()
            maximumReorderFrameCount = Int(min(try reader.readUnsignedExpGolomb(), 16))
            _ = try reader.readUnsignedExpGolomb()
        }
        sampleAspectRatio = .square
        frameRate = nil
        // Every required field has been read; the VUI that follows is optional.
        if let vui = try? HEVCVideoUsabilityInformation(
            skippingTo: &reader, pictureOrderCountBitCount: pictureOrderCountBitCount)
        {
            sampleAspectRatio = vui.sampleAspectRatio ?? .square
            frameRate = vui.frameRate
            color = vui.color
        }
    }

    private static func parsePictureSize(
        _ reader: inout BitReader, chromaFormatIDC: UInt32
    ) throws -> (width: Int, height: Int) {
        let width = Int(try reader.readUnsignedExpGolomb())
        let height = Int(try reader.readUnsignedExpGolomb())
        guard (1...maximumPictureDimension).contains(width), (1...maximumPictureDimension).contains(height) else {
            throw CodecError(.unsupported, in: structure, "has a picture of \(width) by \(height) pixels")
        }
        guard try reader.readBit() else { return (width, height) }
        let left = Int(try reader.readUnsignedExpGolomb())
        let right = Int(try reader.readUnsignedExpGolomb())
        let top = Int(try reader.readUnsignedExpGolomb())
        let bottom = Int(try reader.readUnsignedExpGolomb())
        let horizontalUnit = chromaFormatIDC == 1 || chromaFormatIDC == 2 ? 2 : 1
        let verticalUnit = chromaFormatIDC == 1 ? 2 : 1
        let cropped = (
            width: width - (left + right) * horizontalUnit, height: height - (top + bottom) * verticalUnit
        )
        guard cropped.width > 0, cropped.height > 0 else {
            throw CodecError(.invalid, in: structure, "crops the whole picture away")
        }
        return cropped
    }
}
