import MediaCore

/// The fields of a frame header of AV1 on which the length of the header depends, and its parameters for coding (AV1
/// bitstream specification §5.9.12 to §5.9.30), which are read only to find their end.
struct AV1Frame {
    var type = AV1FrameHeaderParser.FrameType.key
    var isShown = true
    var isShowable = false
    var isErrorResilient = true
    /// force_integer_mv.
    var hasIntegerVectors = false
    /// allow_high_precision_mv.
    var hasPreciseVectors = false
    /// allow_intrabc.
    var copiesBlocks = false
    /// frame_size_override_flag.
    var hasOwnSize = false
    var orderHint = 0
    /// UpscaledWidth and FrameHeight, in pixels.
    var size = (width: 0, height: 0)
    /// FrameWidth, in pixels.
    var codedWidth = 0
    /// ref_frame_idx.
    var references: [Int] = Array(repeating: 0, count: AV1FrameHeaderParser.referenceCounts.used)
    var segmentation = AV1Segmentation.none

    /// Whether superresolution makes the picture wider after it has been decoded.
    var isSuperResolved: Bool { codedWidth != size.width }

    private var isLossless = false

    /// Reads from quantization_params to the end of the header.
    ///
    /// - Parameters:
    ///   - reader: reads the frame header.
    ///   - sequence: the sequence header.
    ///   - hasPrimaryReference: whether ``segmentation`` is that of a frame from which it may be taken over.
    ///   - referenceHints: the order hints of the references.
    mutating func readParameters(
        _ reader: inout AV1FrameReader, _ sequence: AV1SequenceHeader, hasPrimaryReference: Bool, referenceHints: [Int]
    ) throws {
        let tools = sequence.tools
        try readQuantizers(&reader, sequence.color, hasPrimaryReference: hasPrimaryReference)
        if !isLossless, !copiesBlocks {
            try readLoopFilter(&reader, sequence.color)
            if tools.hasDirectionalEnhancement { try readDirectionalEnhancement(&reader, sequence.color) }
        }
        if !(isLossless && !isSuperResolved), !copiesBlocks, tools.hasRestoration {
            try readRestoration(&reader, sequence)
        }
        if !isLossless { _ = try reader.bits.readBit() }  // tx_mode_select
        if !type.isIntra {
            let hasTwoReferences = try reader.bits.readBit()
            let choice = AV1ReferenceChoice(hints: [], current: orderHint, tools: tools)
            if hasTwoReferences, tools.orderHintBitCount > 0, choice.allowsSkipMode(referenceHints) {
                _ = try reader.bits.readBit()  // skip_mode_present
            }
            if !isErrorResilient, tools.hasWarpedMotion { _ = try reader.bits.readBit() }
        }
        _ = try reader.bits.readBit()  // reduced_tx_set
        if !type.isIntra { try readGlobalMotion(&reader) }
        if tools.hasFilmGrain, isShown || isShowable { try readFilmGrain(&reader, sequence.color) }
    }

    /// quantization_params, segmentation_params, delta_q_params and delta_lf_params (§5.9.12, §5.9.14, §5.9.17,
    /// §5.9.18).
    private mutating func readQuantizers(
        _ reader: inout AV1FrameReader, _ color: AV1ColorConfiguration, hasPrimaryReference: Bool
    ) throws {
        let quantizer = Int(try reader.bits.readBits(8))
        var differences = [try reader.readQuantizerDifference()]
        if !color.isMonochrome {
            let planesDiffer = color.hasSeparateChromaQuantizers ? try reader.bits.readBit() : false
            for _ in 0..<(planesDiffer ? 4 : 2) { differences.append(try reader.readQuantizerDifference()) }
        }
        if try reader.bits.readBit() {  // using_qmatrix
            try reader.bits.skipBits(color.hasSeparateChromaQuantizers ? 12 : 8)
        }
        segmentation = try AV1Segmentation(
            parsing: &reader, previous: hasPrimaryReference ? segmentation : nil)
        if quantizer > 0, try reader.bits.readBit() {
            try reader.bits.skipBits(2)  // delta_q_res
            if !copiesBlocks, try reader.bits.readBit() { try reader.bits.skipBits(3) }
        }
        isLossless =
            differences.allSatisfy { $0 == 0 } && segmentation.quantizers(frame: quantizer).allSatisfy { $0 == 0 }
    }

    /// loop_filter_params (§5.9.11).
    private func readLoopFilter(_ reader: inout AV1FrameReader, _ color: AV1ColorConfiguration) throws {
        let levels = try reader.bits.readBits(12)
        if !color.isMonochrome, levels > 0 { try reader.bits.skipBits(12) }
        try reader.bits.skipBits(3)  // loop_filter_sharpness
        guard try reader.bits.readBit(), try reader.bits.readBit() else { return }
        // Differences for eight references and two modes.
        for _ in 0..<10 where try reader.bits.readBit() { try reader.bits.skipBits(7) }
    }

    /// cdef_params (§5.9.19).
    private func readDirectionalEnhancement(_ reader: inout AV1FrameReader, _ color: AV1ColorConfiguration) throws {
        try reader.bits.skipBits(2)  // cdef_damping_minus_3
        let count = 1 << Int(try reader.bits.readBits(2))
        try reader.bits.skipBits(count * (color.isMonochrome ? 6 : 12))
    }

    /// lr_params (§5.9.20).
    private func readRestoration(_ reader: inout AV1FrameReader, _ sequence: AV1SequenceHeader) throws {
        let color = sequence.color
        var planes: [Bool] = []
        for _ in 0..<(color.isMonochrome ? 1 : 3) { planes.append(try reader.bits.readBits(2) != 0) }
        guard planes.contains(true) else { return }
        if try reader.bits.readBit(), !sequence.tools.hasLargeSuperblocks { _ = try reader.bits.readBit() }
        if color.isSubsampledHorizontally, color.isSubsampledVertically, planes.dropFirst().contains(true) {
            _ = try reader.bits.readBit()  // lr_uv_shift
        }
    }

    // MARK: Global motion

    /// global_motion_params (§5.9.24).
    private func readGlobalMotion(_ reader: inout AV1FrameReader) throws {
        for _ in 0..<AV1FrameHeaderParser.referenceCounts.used {
            guard try reader.bits.readBit() else { continue }
            let isRotation = try reader.bits.readBit()
            let isTranslation = isRotation ? false : try reader.bits.readBit()
            // A rotation has two parameters besides those of a translation, any other change four.
            for _ in 0..<(isTranslation ? 0 : isRotation ? 2 : 4) { try Self.skipMotion(&reader, bitCount: 12) }
            let bitCount = isTranslation ? (hasPreciseVectors ? 9 : 8) : 12
            for _ in 0..<2 { try Self.skipMotion(&reader, bitCount: bitCount) }
        }
    }

    /// read_global_param (§5.9.25): a number of a magnitude below `1 << bitCount`, or of exactly that.
    private static func skipMotion(_ reader: inout AV1FrameReader, bitCount: Int) throws {
        try reader.skipSubexponential(below: 2 << bitCount + 1)
    }

    // MARK: Film grain

    /// film_grain_params (§5.9.30).
    private func readFilmGrain(_ reader: inout AV1FrameReader, _ color: AV1ColorConfiguration) throws {
        guard try reader.bits.readBit() else { return }
        try reader.bits.skipBits(16)  // grain_seed
        if type == .inter, try !reader.bits.readBit() { return try reader.bits.skipBits(3) }
        let lumaPointCount = try Self.skipPoints(&reader)
        let followsLuma = color.isMonochrome ? false : try reader.bits.readBit()
        let isQuartered = color.isSubsampledHorizontally && color.isSubsampledVertically
        let hasPoints = !color.isMonochrome && !followsLuma && !(isQuartered && lumaPointCount == 0)
        let chromaPointCounts = hasPoints ? [try Self.skipPoints(&reader), try Self.skipPoints(&reader)] : [0, 0]
        try reader.bits.skipBits(2)  // grain_scaling_minus_8
        let lag = Int(try reader.bits.readBits(2))
        let coefficientCount = 2 * lag * (lag + 1)
        if lumaPointCount > 0 { try reader.bits.skipBits(8 * coefficientCount) }
        for count in chromaPointCounts where followsLuma || count > 0 {
            try reader.bits.skipBits(8 * (coefficientCount + (lumaPointCount > 0 ? 1 : 0)))
        }
        try reader.bits.skipBits(4)  // ar_coeff_shift_minus_6, grain_scale_shift
        for count in chromaPointCounts where count > 0 { try reader.bits.skipBits(25) }
        try reader.bits.skipBits(2)  // overlap_flag, clip_to_restricted_range
    }

    /// Skips the points of a plane.
    ///
    /// - Returns: their number.
    private static func skipPoints(_ reader: inout AV1FrameReader) throws -> Int {
        let count = Int(try reader.bits.readBits(4))
        try reader.bits.skipBits(16 * count)
        return count
    }
}
