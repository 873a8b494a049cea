import MediaCore

/// Finds the end of frame headers of AV1 (AV1 bitstream specification §5.9.2), which depends on the sequence header and
/// on the frames that are kept for reference. Only fields on which the length of a header depends are kept.
struct AV1FrameHeaderParser: Sendable {
    /// The values of frame_type (§6.8.2).
    enum FrameType: UInt32, Sendable {
        case key, inter, intraOnly, switching

        var isIntra: Bool { self == .key || self == .intraOnly }
    }

    /// A frame that later ones may refer to.
    struct Reference: Sendable {
        var type: FrameType
        var orderHint: Int
        /// Width before superresolution reduces it, and height, in pixels.
        var size: (width: Int, height: Int)
        var segmentation: AV1Segmentation
    }

    /// The header of a frame whose tiles follow.
    struct Header: Sendable {
        var byteCount: Int
        var tiles: AV1TileLayout
    }

    /// NUM_REF_FRAMES and REFS_PER_FRAME (§3).
    static let referenceCounts = (kept: 8, used: 7)
    private static let allReferences: UInt32 = 0xFF
    /// PRIMARY_REF_NONE (§3).
    private static let noPrimaryReference = 7

    private(set) var sequence: AV1SequenceHeader
    private var references: [Reference?] = Array(repeating: nil, count: referenceCounts.kept)

    init(_ sequence: AV1SequenceHeader) { self.sequence = sequence }

    /// Takes over the sequence header of a frame. It counts for the headers that follow.
    mutating func learn(_ sequence: AV1SequenceHeader) { self.sequence = sequence }

    static func invalid(_ reason: String) -> CodecError { CodecError(.invalid, in: "AV1 frame header", reason) }

    /// Reads a frame header.
    ///
    /// - Parameters:
    ///   - bytes: the beginning of an OBU's payload.
    ///   - layer: the layers of the OBU.
    /// - Returns: `nil` if the header shows a frame that is there already, so that no tiles follow.
    mutating func header(_ bytes: [UInt8], layer: AV1Layer) throws(CodecError) -> Header? {
        do {
            var reader = AV1FrameReader(bytes)
            guard let tiles = try read(&reader, layer) else { return nil }
            return Header(byteCount: (reader.bits.bitPosition + 7) / 8, tiles: tiles)
        } catch let error as CodecError {
            throw error
        } catch {
            throw CodecError(.truncated, in: SliceDataFinder.structure, "a frame header ends too early")
        }
    }

    /// Reads uncompressed_header.
    private mutating func read(_ reader: inout AV1FrameReader, _ layer: AV1Layer) throws -> AV1TileLayout? {
        let tools = sequence.tools
        var frame = AV1Frame()
        if !sequence.isReduced {
            guard try !reader.bits.readBit() else {
                try showExistingFrame(&reader)
                return nil
            }
            try Self.readType(&frame, &reader, tools)
        }
        if frame.type == .key, frame.isShown { references = references.map { _ in nil } }
        let keepsProbabilities = try reader.bits.readBit()  // disable_cdf_update
        let usesScreenContentTools = try reader.choice(tools.screenContent)
        if usesScreenContentTools { frame.hasIntegerVectors = try reader.choice(tools.integerMotionVectors) }
        if frame.type.isIntra { frame.hasIntegerVectors = true }
        try reader.bits.skipBits(tools.identifierBitCounts?.frame ?? 0)
        frame.hasOwnSize =
            if frame.type == .switching { true } else { sequence.isReduced ? false : try reader.bits.readBit() }
        frame.orderHint = Int(try reader.bits.readBits(tools.orderHintBitCount))
        let primary =
            frame.type.isIntra || frame.isErrorResilient
            ? Self.noPrimaryReference : Int(try reader.bits.readBits(3))
        if let model = tools.decoderModel, try reader.bits.readBit() {
            try reader.bits.skipBits(model.removalTimeCount(of: layer) * model.removalTimeBitCount)
        }
        let replacesAll = frame.type == .switching || frame.type == .key && frame.isShown
        let replaced = replacesAll ? Self.allReferences : try reader.bits.readBits(8)
        if !frame.type.isIntra || replaced != Self.allReferences {
            if frame.isErrorResilient, tools.orderHintBitCount > 0 { try readOrderHints(&reader) }
        }
        if frame.type.isIntra {
            try readSizes(&frame, &reader)
            if usesScreenContentTools, !frame.isSuperResolved { frame.copiesBlocks = try reader.bits.readBit() }
        } else {
            try readReferences(&frame, &reader)
        }
        if !sequence.isReduced, !keepsProbabilities { _ = try reader.bits.readBit() }  // disable_frame_end_update_cdf
        let tiles = try AV1TileLayout(
            parsing: &reader, width: frame.codedWidth, height: frame.size.height,
            hasLargeSuperblocks: tools.hasLargeSuperblocks)
        if primary != Self.noPrimaryReference {
            frame.segmentation = try reference(frame.references[primary]).segmentation
        }
        try frame.readParameters(
            &reader, sequence, hasPrimaryReference: primary != Self.noPrimaryReference,
            referenceHints: frame.references.map { references[$0]?.orderHint ?? 0 })
        let kept = Reference(
            type: frame.type, orderHint: frame.orderHint, size: frame.size, segmentation: frame.segmentation)
        for index in references.indices where replaced >> UInt32(index) & 1 == 1 { references[index] = kept }
        return tiles
    }

    /// Reads the rest of the header that shows a frame decoded before. A key frame replaces all others then (§7.21).
    private mutating func showExistingFrame(_ reader: inout AV1FrameReader) throws {
        let shown = try reference(Int(try reader.bits.readBits(3)))
        if shown.type == .key { references = references.map { _ in shown } }
    }

    /// Reads from frame_type to error_resilient_mode.
    private static func readType(
        _ frame: inout AV1Frame, _ reader: inout AV1FrameReader, _ tools: AV1CodingTools
    ) throws {
        frame.type = FrameType(rawValue: try reader.bits.readBits(2)) ?? .key
        frame.isShown = try reader.bits.readBit()
        if frame.isShown {
            try reader.bits.skipBits(tools.decoderModel?.presentationTimeBitCount ?? 0)
            frame.isShowable = frame.type != .key
        } else {
            frame.isShowable = try reader.bits.readBit()
        }
        let isAlwaysResilient = frame.type == .switching || frame.type == .key && frame.isShown
        frame.isErrorResilient = isAlwaysResilient ? true : try reader.bits.readBit()
    }

    private func reference(_ index: Int) throws(CodecError) -> Reference {
        guard let reference = references[index] else { throw Self.invalid("refers to a frame that is not there") }
        return reference
    }

    /// Reads ref_order_hint. A frame with another hint than the one that is kept has been lost, and a decoder puts a
    /// grey one in its place (§7.20).
    private mutating func readOrderHints(_ reader: inout AV1FrameReader) throws {
        for index in references.indices {
            let hint = Int(try reader.bits.readBits(sequence.tools.orderHintBitCount))
            guard references[index]?.orderHint != hint else { continue }
            references[index] = Reference(
                type: .inter, orderHint: hint, size: (sequence.width, sequence.height), segmentation: .none)
        }
    }

    // MARK: Sizes

    /// frame_size and render_size (§5.9.5, §5.9.6).
    private func readSizes(_ frame: inout AV1Frame, _ reader: inout AV1FrameReader) throws {
        let tools = sequence.tools
        if frame.hasOwnSize {
            frame.size.width = Int(try reader.bits.readBits(tools.sizeBitCounts.width)) + 1
            frame.size.height = Int(try reader.bits.readBits(tools.sizeBitCounts.height)) + 1
        } else {
            frame.size = (sequence.width, sequence.height)
        }
        try readSuperResolution(&frame, &reader)
        if try reader.bits.readBit() { try reader.bits.skipBits(32) }
    }

    /// superres_params (§5.9.8).
    private func readSuperResolution(_ frame: inout AV1Frame, _ reader: inout AV1FrameReader) throws {
        frame.codedWidth = frame.size.width
        guard sequence.tools.hasSuperResolution, try reader.bits.readBit() else { return }
        let denominator = Int(try reader.bits.readBits(3)) + 9
        frame.codedWidth = (frame.size.width * 8 + denominator / 2) / denominator
    }

    // MARK: References

    /// Reads the part of the header that only frames with references have.
    private func readReferences(_ frame: inout AV1Frame, _ reader: inout AV1FrameReader) throws {
        let tools = sequence.tools
        let derives = tools.orderHintBitCount > 0 ? try reader.bits.readBit() : false
        if derives {
            let (last, golden) = (Int(try reader.bits.readBits(3)), Int(try reader.bits.readBits(3)))
            frame.references = AV1ReferenceChoice(
                hints: references.map { $0?.orderHint ?? 0 }, current: frame.orderHint, tools: tools
            ).references(last: last, golden: golden)
        }
        for index in 0..<Self.referenceCounts.used {
            if !derives { frame.references[index] = Int(try reader.bits.readBits(3)) }
            try reader.bits.skipBits(tools.identifierBitCounts?.difference ?? 0)
        }
        if frame.hasOwnSize, !frame.isErrorResilient {
            try readSizeOfReference(&frame, &reader)
        } else {
            try readSizes(&frame, &reader)
        }
        if !frame.hasIntegerVectors { frame.hasPreciseVectors = try reader.bits.readBit() }
        if try !reader.bits.readBit() { try reader.bits.skipBits(2) }  // interpolation_filter
        _ = try reader.bits.readBit()  // is_motion_mode_switchable
        if !frame.isErrorResilient, tools.hasReferenceMotionVectors { _ = try reader.bits.readBit() }
    }

    /// frame_size_with_refs (§5.9.7).
    private func readSizeOfReference(_ frame: inout AV1Frame, _ reader: inout AV1FrameReader) throws {
        for index in frame.references {
            guard try reader.bits.readBit() else { continue }
            frame.size = try reference(index).size
            return try readSuperResolution(&frame, &reader)
        }
        try readSizes(&frame, &reader)
    }
}
