import MediaCore

/// Finds the end of slice segment headers of HEVC (ITU-T H.265 §7.3.6.1), which depends on fields of parameter sets
/// that packaging does not need otherwise.
struct HEVCSliceHeaderParser: Sendable {
    private var sequences: [UInt32: Sequence] = [:]
    private var pictures: [UInt32: Picture] = [:]

    /// The fields of a sequence parameter set (§7.3.2.2) on which slice headers depend.
    private struct Sequence {
        var hasSeparateColourPlanes = false
        var hasChroma = true
        var addressBitCount = 0
        var pictureOrderCountBitCount = 4
        var usesSampleAdaptiveOffset = false
        var referenceSets: [HEVCReferencePictureSet] = []
        /// Whether the current picture may refer to each of the long-term pictures; `nil` if there are none.
        var longTermPictures: [Bool]?
        var hasTemporalMotionVectors = false
    }

    /// The fields of a picture parameter set (§7.3.2.3) on which slice headers depend.
    private struct Picture {
        var sequence: UInt32 = 0
        var hasDependentSlices = false
        var hasOutputFlag = false
        var extraBitCount = 0
        var hasArithmeticCodingInitialization = false
        var defaultReferenceCounts = (1, 1)
        var hasChromaOffsets = false
        var hasWeightedPrediction = false
        var hasWeightedBiprediction = false
        var hasEntryPoints = false
        var filtersAcrossSlices = false
        var canOverrideDeblocking = false
        var isDeblockingDisabled = false
        var hasListModification = false
        var hasHeaderExtension = false
        var hasChromaOffsetLists = false
    }

    private static let maximumReferenceCount = 16
    /// Limit of the parameter sets that are kept: there are 16 and 64 numbers (§7.4.3).
    private static let maximumIdentifiers: (sequence: Int, picture: Int) = (15, 63)
    /// Columns and rows of tiles at level 6.2 (§A.4.1), with room.
    private static let maximumTileCount = 64
    /// Entry points: one for each row of the smallest coding tree blocks of the highest picture, or for each tile.
    private static let maximumEntryPointCount = 4_096
    private static let maximumExtensionByteCount = 256
    /// general_profile_idc from which on slice headers have fields of screen content coding.
    private static let firstScreenContentProfile: UInt8 = 9

    /// Remembers a parameter set; ignores all other NAL units.
    ///
    /// - Throws: ``CodecError`` if it cannot be read.
    mutating func learn(_ unit: [UInt8]) throws(CodecError) {
        guard unit.count > 2 else { return }
        do {
            var reader = NALUnitReader(unit, headerByteCount: 2)
            switch HEVCNALUnitType.type(headerByte: unit[0]) {
            case HEVCNALUnitType.sequenceParameterSet: try learnSequence(&reader)
            case HEVCNALUnitType.pictureParameterSet: try learnPicture(&reader)
            default: break
            }
        } catch let error as CodecError {
            throw error
        } catch {
            throw CodecError(.truncated, in: SliceDataFinder.structure, "a parameter set ends too early")
        }
    }

    private mutating func learnSequence(_ reader: inout NALUnitReader) throws {
        var sequence = Sequence()
        try reader.bits.skipBits(4)
        let subLayers = Int(try reader.bits.readBits(3))
        _ = try reader.bits.readBit()
        guard subLayers <= 6 else { throw Self.invalid("sub-layer", subLayers) }
        let profile = try HEVCProfileTierLevel(parsing: &reader.bits, maximumSubLayersMinus1: subLayers).profileIDC
        guard profile < Self.firstScreenContentProfile else {
            throw CodecError(
                .unsupported, in: SliceDataFinder.structure, "HEVC of profile \(profile) cannot be encrypted")
        }
        let identifier = try reader.readCount(Self.maximumIdentifiers.sequence, "sps_seq_parameter_set_id")
        let chroma = try reader.readCount(3, "chroma_format_idc")
        if chroma == 3 { sequence.hasSeparateColourPlanes = try reader.bits.readBit() }
        sequence.hasChroma = chroma != 0 && !sequence.hasSeparateColourPlanes
        let limit = HEVCSequenceParameterSet.maximumPictureDimension
        let width = try reader.readCount(limit, "pic_width_in_luma_samples")
        let height = try reader.readCount(limit, "pic_height_in_luma_samples")
        if try reader.bits.readBit() { for _ in 0..<4 { _ = try reader.bits.readUnsignedExpGolomb() } }
        for _ in 0..<2 { _ = try reader.bits.readUnsignedExpGolomb() }  // bit depths
        sequence.pictureOrderCountBitCount = try reader.readCount(12, "log2_max_pic_order_cnt_lsb_minus4") + 4
        for _ in (try reader.bits.readBit() ? 0 : subLayers)...subLayers {
            for _ in 0..<3 { _ = try reader.bits.readUnsignedExpGolomb() }
        }
        let smallest = try reader.readCount(3, "log2_min_luma_coding_block_size_minus3") + 3
        let blockSize = smallest + (try reader.readCount(3, "log2_diff_max_min_luma_coding_block_size"))
        let blockCount = Self.blocks(width, log2: blockSize) * Self.blocks(height, log2: blockSize)
        sequence.addressBitCount = Self.bitCount(for: blockCount)
        for _ in 0..<4 { _ = try reader.bits.readUnsignedExpGolomb() }  // transform blocks
        if try reader.bits.readBit(), try reader.bits.readBit() {
            try HEVCVideoUsabilityInformation.skipScalingListData(&reader.bits)
        }
        _ = try reader.bits.readBit()  // amp_enabled_flag
        sequence.usesSampleAdaptiveOffset = try reader.bits.readBit()
        if try reader.bits.readBit() {
            try reader.bits.skipBits(8)
            for _ in 0..<2 { _ = try reader.bits.readUnsignedExpGolomb() }
            _ = try reader.bits.readBit()
        }
        for _ in 0..<(try reader.readCount(HEVCReferencePictureSet.maximumCount, "num_short_term_ref_pic_sets")) {
            sequence.referenceSets.append(
                try HEVCReferencePictureSet(parsing: &reader, after: sequence.referenceSets, isInSlice: false))
        }
        if try reader.bits.readBit() {
            sequence.longTermPictures = try (0..<(try reader.readCount(32, "num_long_term_ref_pics_sps"))).map { _ in
                try reader.bits.skipBits(sequence.pictureOrderCountBitCount)
                return try reader.bits.readBit()
            }
        }
        sequence.hasTemporalMotionVectors = try reader.bits.readBit()
        sequences[UInt32(identifier)] = sequence
    }

    private mutating func learnPicture(_ reader: inout NALUnitReader) throws {
        var picture = Picture()
        let identifier = try reader.readCount(Self.maximumIdentifiers.picture, "pps_pic_parameter_set_id")
        picture.sequence = try reader.bits.readUnsignedExpGolomb()
        picture.hasDependentSlices = try reader.bits.readBit()
        picture.hasOutputFlag = try reader.bits.readBit()
        picture.extraBitCount = Int(try reader.bits.readBits(3))
        _ = try reader.bits.readBit()  // sign_data_hiding_enabled_flag
        picture.hasArithmeticCodingInitialization = try reader.bits.readBit()
        picture.defaultReferenceCounts = (
            try reader.readCount(Self.maximumReferenceCount - 1, "num_ref_idx_l0_default_active_minus1") + 1,
            try reader.readCount(Self.maximumReferenceCount - 1, "num_ref_idx_l1_default_active_minus1") + 1
        )
        _ = try reader.bits.readSignedExpGolomb()  // init_qp_minus26
        _ = try reader.bits.readBit()  // constrained_intra_pred_flag
        let skipsTransform = try reader.bits.readBit()
        if try reader.bits.readBit() { _ = try reader.bits.readUnsignedExpGolomb() }
        for _ in 0..<2 { _ = try reader.bits.readSignedExpGolomb() }  // chroma offsets
        picture.hasChromaOffsets = try reader.bits.readBit()
        picture.hasWeightedPrediction = try reader.bits.readBit()
        picture.hasWeightedBiprediction = try reader.bits.readBit()
        _ = try reader.bits.readBit()  // transquant_bypass_enabled_flag
        let hasTiles = try reader.bits.readBit()
        let isSynchronized = try reader.bits.readBit()
        picture.hasEntryPoints = hasTiles || isSynchronized
        if hasTiles { try Self.skipTiles(&reader) }
        picture.filtersAcrossSlices = try reader.bits.readBit()
        if try reader.bits.readBit() {
            picture.canOverrideDeblocking = try reader.bits.readBit()
            picture.isDeblockingDisabled = try reader.bits.readBit()
            if !picture.isDeblockingDisabled { for _ in 0..<2 { _ = try reader.bits.readSignedExpGolomb() } }
        }
        if try reader.bits.readBit() { try HEVCVideoUsabilityInformation.skipScalingListData(&reader.bits) }
        picture.hasListModification = try reader.bits.readBit()
        _ = try reader.bits.readUnsignedExpGolomb()  // log2_parallel_merge_level_minus2
        picture.hasHeaderExtension = try reader.bits.readBit()
        if try reader.bits.readBit() {
            let hasRangeExtension = try reader.bits.readBit()
            guard try reader.bits.readBits(3) == 0 else {
                throw CodecError(
                    .unsupported, in: SliceDataFinder.structure, "layers and screen content cannot be encrypted")
            }
            try reader.bits.skipBits(4)
            if hasRangeExtension {
                if skipsTransform { _ = try reader.bits.readUnsignedExpGolomb() }
                _ = try reader.bits.readBit()  // cross_component_prediction_enabled_flag
                picture.hasChromaOffsetLists = try reader.bits.readBit()
            }
        }
        pictures[UInt32(identifier)] = picture
    }

    private static func skipTiles(_ reader: inout NALUnitReader) throws {
        let columns = try reader.readCount(maximumTileCount, "num_tile_columns_minus1")
        let rows = try reader.readCount(maximumTileCount, "num_tile_rows_minus1")
        if try !reader.bits.readBit() {
            for _ in 0..<(columns + rows) { _ = try reader.bits.readUnsignedExpGolomb() }
        }
        _ = try reader.bits.readBit()  // loop_filter_across_tiles_enabled_flag
    }

    // MARK: Slices

    /// The number of bytes of a NAL unit up to the first byte of slice data; `nil` if it is not a slice.
    ///
    /// - Parameter unit: the beginning of the NAL unit. Parameter sets are remembered.
    mutating func headerByteCount(of unit: [UInt8]) throws(CodecError) -> Int? {
        guard unit.count >= 2 else { return nil }
        let type = HEVCNALUnitType.type(headerByte: unit[0])
        guard type < 32 else {
            if HEVCNALUnitType.parameterSets.contains(type), Self.isBaseLayer(unit) { try learn(unit) }
            return nil
        }
        guard Self.isBaseLayer(unit) else {
            throw CodecError(
                .unsupported, in: SliceDataFinder.structure, "HEVC with several layers cannot be encrypted")
        }
        do {
            var reader = NALUnitReader(unit, headerByteCount: 2)
            try skipSliceHeader(&reader, type: type)
            return reader.readByteCount
        } catch let error as CodecError {
            throw error
        } catch {
            throw CodecError(.truncated, in: SliceDataFinder.structure, "a slice header ends too early")
        }
    }

    /// Whether nuh_layer_id is zero.
    private static func isBaseLayer(_ unit: [UInt8]) -> Bool { unit[0] & 1 == 0 && unit[1] & 0xF8 == 0 }

    /// The values of slice_type (table 7-7).
    private enum SliceType: Int { case b, p, i }

    private func skipSliceHeader(_ reader: inout NALUnitReader, type: UInt8) throws {
        let isFirst = try reader.bits.readBit()
        if HEVCNALUnitType.randomAccessPoints.contains(type) { _ = try reader.bits.readBit() }
        let identifier = try reader.bits.readUnsignedExpGolomb()
        guard let picture = pictures[identifier], let sequence = sequences[picture.sequence] else {
            throw Self.invalid("pps_pic_parameter_set_id", Int(identifier))
        }
        var isDependent = false
        if !isFirst {
            if picture.hasDependentSlices { isDependent = try reader.bits.readBit() }
            try reader.bits.skipBits(sequence.addressBitCount)
        }
        if !isDependent { try skipIndependentPart(&reader, type: type, picture, sequence) }
        if picture.hasEntryPoints {
            let count = try reader.readCount(Self.maximumEntryPointCount, "num_entry_point_offsets")
            if count > 0 {
                let bitCount = try reader.readCount(31, "offset_len_minus1") + 1
                try reader.bits.skipBits(count * bitCount)
            }
        }
        if picture.hasHeaderExtension {
            let byteCount = try reader.readCount(
                Self.maximumExtensionByteCount, "slice_segment_header_extension_length")
            try reader.bits.skipBits(byteCount * 8)
        }
        // byte_alignment() has at least one bit.
        _ = try reader.bits.readBit()
    }

    /// The fields that a dependent slice takes from the one before it.
    private func skipIndependentPart(
        _ reader: inout NALUnitReader, type: UInt8, _ picture: Picture, _ sequence: Sequence
    ) throws {
        try reader.bits.skipBits(picture.extraBitCount)
        guard let slice = SliceType(rawValue: try reader.readCount(2, "slice_type")) else { return }
        if picture.hasOutputFlag { _ = try reader.bits.readBit() }
        if sequence.hasSeparateColourPlanes { try reader.bits.skipBits(2) }
        let references =
            HEVCNALUnitType.instantaneousRefreshes.contains(type)
            ? (count: 0, hasTemporalMotionVectors: false) : try skipReferences(&reader, sequence)
        var isSmoothed = false
        if sequence.usesSampleAdaptiveOffset {
            isSmoothed = try reader.bits.readBit()
            if sequence.hasChroma { isSmoothed = try reader.bits.readBit() || isSmoothed }
        }
        if slice != .i { try skipPrediction(&reader, slice, picture, sequence, references) }
        _ = try reader.bits.readSignedExpGolomb()  // slice_qp_delta
        if picture.hasChromaOffsets { for _ in 0..<2 { _ = try reader.bits.readSignedExpGolomb() } }
        if picture.hasChromaOffsetLists { _ = try reader.bits.readBit() }
        var isDeblockingDisabled = picture.isDeblockingDisabled
        if picture.canOverrideDeblocking, try reader.bits.readBit() {
            isDeblockingDisabled = try reader.bits.readBit()
            if !isDeblockingDisabled { for _ in 0..<2 { _ = try reader.bits.readSignedExpGolomb() } }
        }
        if picture.filtersAcrossSlices, isSmoothed || !isDeblockingDisabled { _ = try reader.bits.readBit() }
    }

    /// The fields about the pictures to which the slice may refer.
    ///
    /// - Returns: the number of those pictures, and slice_temporal_mvp_enabled_flag.
    private func skipReferences(
        _ reader: inout NALUnitReader, _ sequence: Sequence
    ) throws -> (count: Int, hasTemporalMotionVectors: Bool) {
        try reader.bits.skipBits(sequence.pictureOrderCountBitCount)
        var count = 0
        if try reader.bits.readBit() {
            let index = Int(try reader.bits.readBits(Self.bitCount(for: sequence.referenceSets.count)))
            guard index < sequence.referenceSets.count else { throw Self.invalid("short_term_ref_pic_set_idx", index) }
            count = sequence.referenceSets[index].usedCount
        } else {
            count =
                try HEVCReferencePictureSet(parsing: &reader, after: sequence.referenceSets, isInSlice: true).usedCount
        }
        if let longTerm = sequence.longTermPictures {
            let known = longTerm.isEmpty ? 0 : try reader.readCount(33, "num_long_term_sps")
            let own = try reader.readCount(33, "num_long_term_pics")
            for position in 0..<(known + own) {
                let isUsed: Bool
                if position < known {
                    let index = Int(try reader.bits.readBits(Self.bitCount(for: longTerm.count)))
                    guard index < longTerm.count else { throw Self.invalid("lt_idx_sps", index) }
                    isUsed = longTerm[index]
                } else {
                    try reader.bits.skipBits(sequence.pictureOrderCountBitCount)
                    isUsed = try reader.bits.readBit()
                }
                if isUsed { count += 1 }
                if try reader.bits.readBit() { _ = try reader.bits.readUnsignedExpGolomb() }
            }
        }
        return (count, sequence.hasTemporalMotionVectors ? try reader.bits.readBit() : false)
    }

    /// The fields of slices that are predicted from other pictures.
    private func skipPrediction(
        _ reader: inout NALUnitReader, _ slice: SliceType, _ picture: Picture, _ sequence: Sequence,
        _ references: (count: Int, hasTemporalMotionVectors: Bool)
    ) throws {
        var counts = picture.defaultReferenceCounts
        if try reader.bits.readBit() {
            counts.0 = try reader.readCount(Self.maximumReferenceCount - 1, "num_ref_idx_l0_active_minus1") + 1
            if slice == .b {
                counts.1 = try reader.readCount(Self.maximumReferenceCount - 1, "num_ref_idx_l1_active_minus1") + 1
            }
        }
        let lists = slice == .b ? [counts.0, counts.1] : [counts.0]
        if picture.hasListModification, references.count > 1 {
            for count in lists where try reader.bits.readBit() {
                try reader.bits.skipBits(count * Self.bitCount(for: references.count))
            }
        }
        if slice == .b { _ = try reader.bits.readBit() }  // mvd_l1_zero_flag
        if picture.hasArithmeticCodingInitialization { _ = try reader.bits.readBit() }
        if references.hasTemporalMotionVectors {
            let isFromFirst = slice == .b ? try reader.bits.readBit() : true
            if (isFromFirst ? counts.0 : counts.1) > 1 { _ = try reader.bits.readUnsignedExpGolomb() }
        }
        if slice == .p ? picture.hasWeightedPrediction : picture.hasWeightedBiprediction {
            try Self.skipWeights(&reader.bits, lists, hasChroma: sequence.hasChroma)
        }
        _ = try reader.bits.readUnsignedExpGolomb()  // five_minus_max_num_merge_cand
    }

    /// pred_weight_table (§7.3.6.3).
    private static func skipWeights(_ bits: inout BitReader, _ lists: [Int], hasChroma: Bool) throws {
        _ = try bits.readUnsignedExpGolomb()
        if hasChroma { _ = try bits.readSignedExpGolomb() }
        for count in lists {
            let luma = try (0..<count).map { _ in try bits.readBit() }
            let chroma = hasChroma ? try (0..<count).map { _ in try bits.readBit() } : []
            for index in 0..<count {
                if luma[index] { for _ in 0..<2 { _ = try bits.readSignedExpGolomb() } }
                if hasChroma, chroma[index] { for _ in 0..<4 { _ = try bits.readSignedExpGolomb() } }
            }
        }
    }

    /// Number of blocks that cover a side of a picture.
    private static func blocks(_ size: Int, log2: Int) -> Int { (size + (1 << log2) - 1) >> log2 }

    /// Ceil(Log2(count)): the number of bits of an index.
    private static func bitCount(for count: Int) -> Int {
        count > 1 ? Int.bitWidth - (count - 1).leadingZeroBitCount : 0
    }

    private static func invalid(_ name: String, _ value: Int) -> CodecError {
        CodecError(.invalid, in: SliceDataFinder.structure, "there is no \(name) \(value)")
    }
}
