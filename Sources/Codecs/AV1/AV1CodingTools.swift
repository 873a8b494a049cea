import MediaCore

/// The fields of a sequence header (AV1 bitstream specification §5.5.1) on which only frame headers depend.
struct AV1CodingTools: Sendable, Hashable {
    /// Sizes in bits of the width and height of a frame that has its own.
    struct SizeBitCounts: Sendable, Hashable {
        var width: Int
        var height: Int
    }

    /// Sizes in bits of an identifier of a frame, and of the difference between two.
    struct IdentifierBitCounts: Sendable, Hashable {
        var frame: Int
        var difference: Int
    }

    /// A tool that each frame uses, that none uses, or that each frame decides on.
    enum Choice: Sendable, Hashable {
        case always(Bool)
        case byFrame
    }

    let sizeBitCounts: SizeBitCounts
    let decoderModel: AV1DecoderModel?
    /// Sizes in bits of an identifier of a frame, and of the difference between two; `nil` if frames have none.
    private(set) var identifierBitCounts: IdentifierBitCounts?
    private(set) var hasLargeSuperblocks: Bool
    private(set) var hasWarpedMotion = false
    private(set) var hasReferenceMotionVectors = false
    /// Size in bits of an order hint; 0 if frames have none.
    private(set) var orderHintBitCount = 0
    private(set) var screenContent = Choice.byFrame
    private(set) var integerMotionVectors = Choice.byFrame
    let hasSuperResolution: Bool
    let hasDirectionalEnhancement: Bool
    let hasRestoration: Bool
    var hasFilmGrain = false

    /// Reads the coding tools, from frame_id_numbers_present_flag to enable_restoration.
    init(
        parsing reader: inout BitReader, isReduced: Bool, sizeBitCounts: SizeBitCounts, decoderModel: AV1DecoderModel?
    ) throws {
        (self.sizeBitCounts, self.decoderModel) = (sizeBitCounts, decoderModel)
        if !isReduced, try reader.readBit() {
            let difference = Int(try reader.readBits(4)) + 2
            identifierBitCounts = IdentifierBitCounts(
                frame: difference + Int(try reader.readBits(3)) + 1, difference: difference)
        }
        hasLargeSuperblocks = try reader.readBit()
        try reader.skipBits(2)  // enable_filter_intra, enable_intra_edge_filter
        if !isReduced {
            try reader.skipBits(2)  // enable_interintra_compound, enable_masked_compound
            hasWarpedMotion = try reader.readBit()
            _ = try reader.readBit()  // enable_dual_filter
            let hasOrderHint = try reader.readBit()
            if hasOrderHint {
                _ = try reader.readBit()  // enable_jnt_comp
                hasReferenceMotionVectors = try reader.readBit()
            }
            screenContent = try reader.readBit() ? .byFrame : .always(try reader.readBit())
            if screenContent != .always(false) {
                integerMotionVectors = try reader.readBit() ? .byFrame : .always(try reader.readBit())
            }
            if hasOrderHint { orderHintBitCount = Int(try reader.readBits(3)) + 1 }
        }
        hasSuperResolution = try reader.readBit()
        hasDirectionalEnhancement = try reader.readBit()
        hasRestoration = try reader.readBit()
    }

    /// get_relative_dist (§7.9.1): the distance of two order hints, which wrap around.
    func distance(from second: Int, to first: Int) -> Int {
        guard orderHintBitCount > 0 else { return 0 }
        let sign = 1 << (orderHintBitCount - 1)
        let difference = first - second
        return (difference & (sign - 1)) - (difference & sign)
    }
}
