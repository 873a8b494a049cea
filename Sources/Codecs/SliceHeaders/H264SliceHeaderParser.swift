import MediaCore

/// Finds the end of slice headers of H.264 (ITU-T H.264 §7.3.3), which depends on fields of parameter sets that
/// packaging does not need otherwise.
struct H264SliceHeaderParser: Sendable {
    private var sequences: [UInt32: Sequence] = [:]
    private var pictures: [UInt32: Picture] = [:]

    /// The fields of a sequence parameter set (§7.3.2.1.1) on which slice headers depend.
    private struct Sequence {
        var hasSeparateColourPlanes = false
        var hasChroma = true
        var frameNumberBitCount = 4
        var pictureOrderCountType: UInt32 = 0
        var pictureOrderCountBitCount = 4
        var isDeltaAlwaysZero = false
        var hasFramesOnly = true
    }

    /// The fields of a picture parameter set (§7.3.2.2) on which slice headers depend.
    private struct Picture {
        var sequence: UInt32
        var usesArithmeticCoding: Bool
        var hasBottomFieldOrder: Bool
        var defaultReferenceCounts: (Int, Int)
        var hasWeightedPrediction: Bool
        var weightedBipredictionIDC: UInt32
        var controlsDeblocking: Bool
        var hasRedundantPictureCount: Bool
    }

    /// The largest number of reference fields (§7.4.3).
    private static let maximumReferenceCount = 32
    /// Limit of the parameter sets that are kept: there are 32 and 256 numbers (§7.4.2).
    private static let maximumIdentifiers: (sequence: UInt32, picture: UInt32) = (31, 255)

    /// Remembers a parameter set; ignores all other NAL units.
    ///
    /// - Throws: ``CodecError`` if it cannot be read.
    mutating func learn(_ unit: [UInt8]) throws(CodecError) {
        guard let header = unit.first else { return }
        do {
            var reader = NALUnitReader(unit, headerByteCount: 1)
            switch H264NALUnitType(headerByte: header) {
            case .sequenceParameterSet: try learnSequence(&reader)
            case .pictureParameterSet: try learnPicture(&reader)
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
        let profile = UInt8(try reader.bits.readBits(8))
        try reader.bits.skipBits(16)
        let identifier = try reader.bits.readUnsignedExpGolomb()
        guard identifier <= Self.maximumIdentifiers.sequence else {
            throw Self.invalid("seq_parameter_set_id", identifier)
        }
        if H264SequenceParameterSet.highProfiles.contains(profile) {
            let chroma = try H264SequenceParameterSet.readChromaAndDepths(&reader.bits)
            sequence.hasSeparateColourPlanes = chroma.hasSeparatePlanes
            sequence.hasChroma = chroma.format != 0 && !chroma.hasSeparatePlanes
        }
        sequence.frameNumberBitCount = try reader.readCount(12, "log2_max_frame_num_minus4") + 4
        sequence.pictureOrderCountType = try reader.bits.readUnsignedExpGolomb()
        switch sequence.pictureOrderCountType {
        case 0: sequence.pictureOrderCountBitCount = try reader.readCount(12, "log2_max_pic_order_cnt_lsb_minus4") + 4
        case 1:
            sequence.isDeltaAlwaysZero = try reader.bits.readBit()
            for _ in 0..<2 { _ = try reader.bits.readSignedExpGolomb() }
            let count = try reader.readCount(255, "num_ref_frames_in_pic_order_cnt_cycle")
            for _ in 0..<count { _ = try reader.bits.readSignedExpGolomb() }
        default: break
        }
        _ = try reader.bits.readUnsignedExpGolomb()  // max_num_ref_frames
        _ = try reader.bits.readBit()  // gaps_in_frame_num_value_allowed_flag
        for _ in 0..<2 { _ = try reader.bits.readUnsignedExpGolomb() }  // width and height
        sequence.hasFramesOnly = try reader.bits.readBit()
        sequences[identifier] = sequence
    }

    private mutating func learnPicture(_ reader: inout NALUnitReader) throws {
        let identifier = try reader.bits.readUnsignedExpGolomb()
        guard identifier <= Self.maximumIdentifiers.picture else {
            throw Self.invalid("pic_parameter_set_id", identifier)
        }
        let sequence = try reader.bits.readUnsignedExpGolomb()
        let usesArithmeticCoding = try reader.bits.readBit()
        let hasBottomFieldOrder = try reader.bits.readBit()
        guard try reader.bits.readUnsignedExpGolomb() == 0 else {
            throw CodecError(.unsupported, in: SliceDataFinder.structure, "slice groups cannot be encrypted")
        }
        let counts = (
            try reader.readCount(Self.maximumReferenceCount - 1, "num_ref_idx_l0_default_active_minus1") + 1,
            try reader.readCount(Self.maximumReferenceCount - 1, "num_ref_idx_l1_default_active_minus1") + 1
        )
        let hasWeightedPrediction = try reader.bits.readBit()
        let weightedBipredictionIDC = try reader.bits.readBits(2)
        for _ in 0..<3 { _ = try reader.bits.readSignedExpGolomb() }  // initial quantizers, chroma offset
        let controlsDeblocking = try reader.bits.readBit()
        _ = try reader.bits.readBit()  // constrained_intra_pred_flag
        pictures[identifier] = Picture(
            sequence: sequence, usesArithmeticCoding: usesArithmeticCoding, hasBottomFieldOrder: hasBottomFieldOrder,
            defaultReferenceCounts: counts, hasWeightedPrediction: hasWeightedPrediction,
            weightedBipredictionIDC: weightedBipredictionIDC, controlsDeblocking: controlsDeblocking,
            hasRedundantPictureCount: try reader.bits.readBit())
    }

    // MARK: Slices

    /// The number of bytes of a NAL unit up to the first whole byte of slice data; `nil` if it is not a slice.
    ///
    /// - Parameter unit: the beginning of the NAL unit. Parameter sets are remembered.
    mutating func headerByteCount(of unit: [UInt8]) throws(CodecError) -> Int? {
        guard let header = unit.first else { return nil }
        switch header & 0x1F {
        case 1, 5: break
        case 7, 8:
            try learn(unit)
            return nil
        // Data partitions, slices of alpha planes, and those of further layers and views.
        case 2...4, 19...21:
            throw CodecError(
                .unsupported, in: SliceDataFinder.structure, "NAL units of type \(header & 0x1F) cannot be encrypted")
        default: return nil
        }
        do {
            var reader = NALUnitReader(unit, headerByteCount: 1)
            try skipSliceHeader(&reader, isIDR: header & 0x1F == 5, isReference: header & 0x60 != 0)
            return reader.readByteCount
        } catch let error as CodecError {
            throw error
        } catch {
            throw CodecError(.truncated, in: SliceDataFinder.structure, "a slice header ends too early")
        }
    }

    /// The kinds of slices: the values of slice_type modulo 5 (table 7-6).
    private enum SliceType: UInt32 {
        case p, b, i, sp, si

        var isPredicted: Bool { self == .p || self == .sp }
        var isIntra: Bool { self == .i || self == .si }
    }

    private func skipSliceHeader(_ reader: inout NALUnitReader, isIDR: Bool, isReference: Bool) throws {
        _ = try reader.bits.readUnsignedExpGolomb()  // first_mb_in_slice
        guard let type = SliceType(rawValue: try reader.bits.readUnsignedExpGolomb() % 5) else { return }
        let identifier = try reader.bits.readUnsignedExpGolomb()
        guard let picture = pictures[identifier], let sequence = sequences[picture.sequence] else {
            throw Self.invalid("pic_parameter_set_id", identifier)
        }
        if sequence.hasSeparateColourPlanes { try reader.bits.skipBits(2) }
        try reader.bits.skipBits(sequence.frameNumberBitCount)
        var isField = false
        if !sequence.hasFramesOnly {
            isField = try reader.bits.readBit()
            if isField { _ = try reader.bits.readBit() }
        }
        if isIDR { _ = try reader.bits.readUnsignedExpGolomb() }
        let hasBottomFieldOrder = picture.hasBottomFieldOrder && !isField
        if sequence.pictureOrderCountType == 0 {
            try reader.bits.skipBits(sequence.pictureOrderCountBitCount)
            if hasBottomFieldOrder { _ = try reader.bits.readSignedExpGolomb() }
        } else if sequence.pictureOrderCountType == 1, !sequence.isDeltaAlwaysZero {
            _ = try reader.bits.readSignedExpGolomb()
            if hasBottomFieldOrder { _ = try reader.bits.readSignedExpGolomb() }
        }
        if picture.hasRedundantPictureCount { _ = try reader.bits.readUnsignedExpGolomb() }
        if type == .b { _ = try reader.bits.readBit() }  // direct_spatial_mv_pred_flag
        var counts = picture.defaultReferenceCounts
        if !type.isIntra {
            if try reader.bits.readBit() {
                counts.0 = try reader.readCount(Self.maximumReferenceCount - 1, "num_ref_idx_l0_active_minus1") + 1
                if type == .b {
                    counts.1 = try reader.readCount(Self.maximumReferenceCount - 1, "num_ref_idx_l1_active_minus1") + 1
                }
            }
            try Self.skipListModification(&reader.bits)
            if type == .b { try Self.skipListModification(&reader.bits) }
        }
        if picture.hasWeightedPrediction && type.isPredicted || picture.weightedBipredictionIDC == 1 && type == .b {
            try Self.skipWeights(
                &reader.bits, counts: type == .b ? [counts.0, counts.1] : [counts.0], hasChroma: sequence.hasChroma)
        }
        if isReference { try Self.skipMarking(&reader.bits, isIDR: isIDR) }
        if picture.usesArithmeticCoding, !type.isIntra { _ = try reader.bits.readUnsignedExpGolomb() }
        _ = try reader.bits.readSignedExpGolomb()  // slice_qp_delta
        if type == .sp { _ = try reader.bits.readBit() }
        if type == .sp || type == .si { _ = try reader.bits.readSignedExpGolomb() }
        if picture.controlsDeblocking, try reader.bits.readUnsignedExpGolomb() != 1 {
            for _ in 0..<2 { _ = try reader.bits.readSignedExpGolomb() }
        }
    }

    /// ref_pic_list_modification for one list (§7.3.3.1).
    private static func skipListModification(_ bits: inout BitReader) throws {
        guard try bits.readBit() else { return }
        while try bits.readUnsignedExpGolomb() != 3 { _ = try bits.readUnsignedExpGolomb() }
    }

    /// pred_weight_table (§7.3.3.2).
    private static func skipWeights(_ bits: inout BitReader, counts: [Int], hasChroma: Bool) throws {
        _ = try bits.readUnsignedExpGolomb()
        if hasChroma { _ = try bits.readUnsignedExpGolomb() }
        for count in counts {
            for _ in 0..<count {
                if try bits.readBit() { for _ in 0..<2 { _ = try bits.readSignedExpGolomb() } }
                if hasChroma, try bits.readBit() { for _ in 0..<4 { _ = try bits.readSignedExpGolomb() } }
            }
        }
    }

    /// dec_ref_pic_marking (§7.3.3.3).
    private static func skipMarking(_ bits: inout BitReader, isIDR: Bool) throws {
        if isIDR { return try bits.skipBits(2) }
        guard try bits.readBit() else { return }
        while true {
            let operation = try bits.readUnsignedExpGolomb()
            switch operation {
            case 0: return
            case 3: for _ in 0..<2 { _ = try bits.readUnsignedExpGolomb() }
            case 1, 2, 4, 6: _ = try bits.readUnsignedExpGolomb()
            default: break
            }
        }
    }

    private static func invalid(_ name: String, _ value: UInt32) -> CodecError {
        CodecError(.invalid, in: SliceDataFinder.structure, "there is no \(name) \(value)")
    }
}
