import MediaCore

/// The fields of an H.264 sequence parameter set (ITU-T H.264 §7.3.2.1.1 and annex E) that packaging needs.
package struct H264SequenceParameterSet: Sendable, Hashable {
    package var profileIDC: UInt8
    /// The constraint flags as `avcC` and RFC 6381 store them, constraint_set0_flag in the highest bit.
    package var constraintFlags: UInt8
    package var levelIDC: UInt8
    package var chromaFormatIDC: UInt8 = 1
    package var bitDepthLuma: UInt8 = 8
    package var bitDepthChroma: UInt8 = 8
    /// Width in pixels, after cropping.
    package var width: Int
    /// Height in pixels, after cropping.
    package var height: Int
    /// Width to height of one pixel; 1:1 if the stream does not say.
    package var sampleAspectRatio = SampleAspectRatio.square
    /// Frames per second from the VUI's timing information; `nil` if it is absent or implausible.
    package var frameRate: Double?
    /// Colour from the VUI; `nil` if it is absent.
    package var color: ColorDescription?
    /// Maximum number of pictures that precede a picture in decoding order and follow it in output order. Zero means
    /// that decode and presentation times are equal.
    package var maximumReorderFrameCount: Int

    /// Size limit for width and height, in pixels: more than any level allows.
    package static let maximumPictureDimension = 16_384
    /// Size limit in bytes, which bounds the work on hostile input. Real sequence parameter sets take a few dozen
    /// bytes.
    package static let maximumByteCount = 4_096

    static let structure = "H.264 sequence parameter set"

    /// - Parameter nalUnit: the NAL unit, header byte and emulation prevention bytes included.
    package init(parsing nalUnit: [UInt8]) throws(CodecError) {
        guard nalUnit.count <= Self.maximumByteCount else {
            throw CodecError(.invalid, in: Self.structure, "is \(nalUnit.count) bytes long")
        }
        guard let header = nalUnit.first, H264NALUnitType(headerByte: header) == .sequenceParameterSet else {
            throw CodecError(.invalid, in: Self.structure, "the NAL unit is of another type")
        }
        do {
            var reader = BitReader(rawByteSequencePayload(of: nalUnit, headerByteCount: 1))
            self = try Self.parse(&reader)
        } catch let error as CodecError {
            throw error
        } catch {
            throw CodecError(.truncated, in: Self.structure, "ends too early")
        }
    }

    private init(profileIDC: UInt8, constraintFlags: UInt8, levelIDC: UInt8) {
        self.profileIDC = profileIDC
        self.constraintFlags = constraintFlags
        self.levelIDC = levelIDC
        width = 0
        height = 0
        maximumReorderFrameCount = 0
    }

    /// Profiles whose parameter sets carry the chroma format and bit depths (ITU-T H.264 §7.3.2.1.1).
    static let highProfiles: Set<UInt8> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

    private static func parse(_ reader: inout BitReader) throws -> H264SequenceParameterSet {
        var sps = try parseBeforeVideoUsabilityInformation(&reader)
        if try reader.readBit() { sps.parseVideoUsabilityInformation(&reader) }
        return sps
    }

    /// Reads the fields before vui_parameters_present_flag.
    static func parseBeforeVideoUsabilityInformation(
        _ reader: inout BitReader
    ) throws -> H264SequenceParameterSet {
        var sps = H264SequenceParameterSet(
            profileIDC: UInt8(try reader.readBits(8)),
            constraintFlags: UInt8(try reader.readBits(8)),
            levelIDC: UInt8(try reader.readBits(8))
        )
        _ = try reader.readUnsignedExpGolomb()  // seq_parameter_set_id
        if highProfiles.contains(sps.profileIDC) { try sps.parseHighProfileFields(&reader) }
        _ = try reader.readUnsignedExpGolomb()  // log2_max_frame_num_minus4
        try skipPictureOrderCount(&reader)
        let maximumReferenceFrameCount = Int(min(try reader.readUnsignedExpGolomb(), 16))
        _ = try reader.readBit()  // gaps_in_frame_num_value_allowed_flag
        try sps.parsePictureSize(&reader)
        // Without a VUI, annex E infers the worst case, unless the profile does not allow reordering.
        sps.maximumReorderFrameCount = sps.profileAllowsReordering ? maximumReferenceFrameCount : 0
        return sps
    }

    /// Whether the profile allows reordering. Baseline has no B slices; constraint_set3 marks the intra-only profiles
    /// (ITU-T H.264 §A.2).
    private var profileAllowsReordering: Bool {
        profileIDC != 66 && !(constraintFlags & 0x10 != 0 && [44, 86, 100, 110, 122, 244].contains(profileIDC))
    }

    private mutating func parseHighProfileFields(_ reader: inout BitReader) throws {
        let fields = try Self.readChromaAndDepths(&reader)
        (chromaFormatIDC, bitDepthLuma, bitDepthChroma) = (fields.format, fields.bitDepthLuma, fields.bitDepthChroma)
    }

    /// Reads the fields that only `highProfiles` have.
    static func readChromaAndDepths(
        _ reader: inout BitReader
    ) throws -> (format: UInt8, hasSeparatePlanes: Bool, bitDepthLuma: UInt8, bitDepthChroma: UInt8) {
        let chroma = try reader.readUnsignedExpGolomb()
        guard chroma <= 3 else {
            throw CodecError(.invalid, in: structure, "chroma_format_idc \(chroma) does not exist")
        }
        let hasSeparatePlanes = chroma == 3 ? try reader.readBit() : false
        let (luma, second) = (try reader.readUnsignedExpGolomb(), try reader.readUnsignedExpGolomb())
        guard luma <= 6, second <= 6 else {
            throw CodecError(.invalid, in: structure, "a bit depth above 14 does not exist")
        }
        _ = try reader.readBit()  // qpprime_y_zero_transform_bypass_flag
        if try reader.readBit() {
            for index in 0..<(chroma == 3 ? 12 : 8) where try reader.readBit() {
                try skipScalingList(&reader, count: index < 6 ? 16 : 64)
            }
        }
        return (UInt8(chroma), hasSeparatePlanes, UInt8(8 + luma), UInt8(8 + second))
    }

    private static func skipScalingList(_ reader: inout BitReader, count: Int) throws {
        var (last, next): (Int32, Int32) = (8, 8)
        for _ in 0..<count {
            if next != 0 {
                next = (last &+ (try reader.readSignedExpGolomb()) &+ 256) % 256
            }
            last = next == 0 ? last : next
        }
    }

    private static func skipPictureOrderCount(_ reader: inout BitReader) throws {
        switch try reader.readUnsignedExpGolomb() {
        case 0:
            _ = try reader.readUnsignedExpGolomb()  // log2_max_pic_order_cnt_lsb_minus4
        case 1:
            _ = try reader.readBit()
            _ = try reader.readSignedExpGolomb()
            _ = try reader.readSignedExpGolomb()
            let cycle = try reader.readUnsignedExpGolomb()
            guard cycle <= 255 else {
                throw CodecError(.invalid, in: structure, "has a picture order count cycle of \(cycle) frames")
            }
            for _ in 0..<cycle { _ = try reader.readSignedExpGolomb() }
        case 2: break
        case let type: throw CodecError(.invalid, in: structure, "pic_order_cnt_type \(type) does not exist")
        }
    }

    private mutating func parsePictureSize(_ reader: inout BitReader) throws {
        let widthInMacroblocks = Int(try reader.readUnsignedExpGolomb()).addingSaturating(1)
        let heightInMapUnits = Int(try reader.readUnsignedExpGolomb()).addingSaturating(1)
        let framesOnly = try reader.readBit()
        if !framesOnly { _ = try reader.readBit() }  // mb_adaptive_frame_field_flag
        _ = try reader.readBit()  // direct_8x8_inference_flag
        let limit = Self.maximumPictureDimension / 16
        guard widthInMacroblocks <= limit, heightInMapUnits <= limit else {
            throw CodecError(
                .unsupported, in: Self.structure,
                "has a picture larger than \(Self.maximumPictureDimension) pixels")
        }
        width = widthInMacroblocks * 16
        height = heightInMapUnits * 16 * (framesOnly ? 1 : 2)
        guard try reader.readBit() else { return }
        let left = Int(try reader.readUnsignedExpGolomb())
        let right = Int(try reader.readUnsignedExpGolomb())
        let top = Int(try reader.readUnsignedExpGolomb())
        let bottom = Int(try reader.readUnsignedExpGolomb())
        let horizontalUnit = chromaFormatIDC == 1 || chromaFormatIDC == 2 ? 2 : 1
        let verticalUnit = (chromaFormatIDC == 1 ? 2 : 1) * (framesOnly ? 1 : 2)
        let (croppedWidth, croppedHeight) = (
            width - (left + right) * horizontalUnit, height - (top + bottom) * verticalUnit
        )
        guard croppedWidth > 0, croppedHeight > 0 else {
            throw CodecError(.invalid, in: Self.structure, "crops the whole picture away")
        }
        (width, height) = (croppedWidth, croppedHeight)
    }

    /// Reads the VUI if it can be read, and otherwise treats it as absent. Some cameras send a damaged VUI after a
    /// valid picture size.
    private mutating func parseVideoUsabilityInformation(_ reader: inout BitReader) {
        guard let vui = try? H264VideoUsabilityInformation(parsing: &reader) else { return }
        sampleAspectRatio = vui.sampleAspectRatio ?? .square
        frameRate = vui.frameRate
        color = vui.color
        if let depth = vui.maximumReorderFrameCount, profileAllowsReordering {
            maximumReorderFrameCount = min(depth, 16)
        }
    }
}

extension Int {
    fileprivate func addingSaturating(_ other: Int) -> Int { Int(Int64(self).addingSaturating(Int64(other))) }
}
