import MediaCore

/// The fields of a sequence header OBU (AV1 bitstream specification §5.5) that packaging needs.
package struct AV1SequenceHeader: Sendable, Hashable {
    /// seq_profile: 0 (Main), 1 (High) or 2 (Professional).
    package private(set) var profile: UInt8
    /// seq_level_idx[0]; 8 is level 4.0.
    package private(set) var levelIndex: UInt8 = 0
    package private(set) var isHighTier = false
    /// reduced_still_picture_header: if set, frame headers omit the fields that a single picture does not need.
    package private(set) var isReduced: Bool
    /// Width in pixels.
    package private(set) var width: Int
    /// Height in pixels.
    package private(set) var height: Int
    package private(set) var color: AV1ColorConfiguration
    /// Frames per second from the timing information; `nil` if it is absent or implausible.
    package private(set) var frameRate: Double?
    /// The fields on which only frame headers depend.
    private(set) var tools: AV1CodingTools

    /// Size limit for width and height, in pixels.
    package static let maximumPictureDimension = 16_384
    /// Size limit in bytes. Real sequence headers take a few dozen; 32 operating points with decoder models take
    /// about 300.
    package static let maximumByteCount = 1_024
    static let structure = "AV1 sequence header"

    /// - Parameter payload: the payload of the OBU, without OBU header and size.
    package init(parsingPayload payload: [UInt8]) throws(CodecError) {
        guard payload.count <= Self.maximumByteCount else {
            throw CodecError(.invalid, in: Self.structure, "is \(payload.count) bytes long")
        }
        do {
            var reader = BitReader(payload)
            self = try Self(parsing: &reader)
        } catch let error as CodecError {
            throw error
        } catch {
            throw CodecError(.truncated, in: Self.structure, "ends too early")
        }
    }

    private init(parsing reader: inout BitReader) throws {
        profile = UInt8(try reader.readBits(3))
        guard profile <= 2 else {
            throw CodecError(.unsupported, in: Self.structure, "seq_profile \(profile) is reserved")
        }
        _ = try reader.readBit()  // still_picture
        isReduced = try reader.readBit()
        var level: (index: UInt8, isHighTier: Bool) = (0, false)
        var decoderModel: AV1DecoderModel?
        if isReduced {
            level.index = UInt8(try reader.readBits(5))
        } else {
            (frameRate, decoderModel) = try Self.readTiming(&reader)
            level = try Self.readOperatingPoints(&reader, &decoderModel)
        }
        (levelIndex, isHighTier) = level
        let sizeBitCounts = AV1CodingTools.SizeBitCounts(
            width: Int(try reader.readBits(4)) + 1, height: Int(try reader.readBits(4)) + 1)
        width = Int(try reader.readBits(sizeBitCounts.width)) + 1
        height = Int(try reader.readBits(sizeBitCounts.height)) + 1
        guard width <= Self.maximumPictureDimension, height <= Self.maximumPictureDimension else {
            throw CodecError(.unsupported, in: Self.structure, "has a picture of \(width) by \(height) pixels")
        }
        tools = try AV1CodingTools(
            parsing: &reader, isReduced: isReduced, sizeBitCounts: sizeBitCounts, decoderModel: decoderModel)
        color = try AV1ColorConfiguration(parsing: &reader, profile: profile)
        tools.hasFilmGrain = try reader.readBit()
    }

    /// Reads timing_info and decoder_model_info (AV1 bitstream specification §5.5.3, §5.5.4).
    private static func readTiming(
        _ reader: inout BitReader
    ) throws -> (frameRate: Double?, decoderModel: AV1DecoderModel?) {
        guard try reader.readBit() else { return (nil, nil) }
        let unitsInTick = try reader.readBits(32)
        let timescale = try reader.readBits(32)
        var ticksPerPicture: UInt32?
        let hasEqualIntervals = try reader.readBit()
        // uvlc() is the same code as Exp-Golomb in the ITU-T standards.
        if hasEqualIntervals { ticksPerPicture = try reader.readUnsignedExpGolomb() }
        var frameRate: Double?
        if let ticksPerPicture, unitsInTick > 0, timescale > 0 {
            let rate = Double(timescale) / (Double(unitsInTick) * (Double(ticksPerPicture) + 1))
            frameRate = rate > 0 && rate <= H264VideoUsabilityInformation.maximumPlausibleFrameRate ? rate : nil
        }
        guard try reader.readBit() else { return (frameRate, nil) }
        var model = AV1DecoderModel(bufferDelayBitCount: Int(try reader.readBits(5)) + 1)
        try reader.skipBits(32)
        model.removalTimeBitCount = Int(try reader.readBits(5)) + 1
        let presentationTimeBitCount = Int(try reader.readBits(5)) + 1
        if !hasEqualIntervals { model.presentationTimeBitCount = presentationTimeBitCount }
        return (frameRate, model)
    }

    /// - Returns: level and tier of the first operating point, which are the ones that `av1C` repeats.
    private static func readOperatingPoints(
        _ reader: inout BitReader, _ model: inout AV1DecoderModel?
    ) throws -> (index: UInt8, isHighTier: Bool) {
        var first: (index: UInt8, isHighTier: Bool)?
        let hasDisplayDelay = try reader.readBit()
        for _ in 0...(try reader.readBits(5)) {
            let layers = UInt16(try reader.readBits(12))
            let index = UInt8(try reader.readBits(5))
            let isHighTier = index > 7 ? try reader.readBit() : false
            first = first ?? (index, isHighTier)
            if let delayBitCount = model?.bufferDelayBitCount, try reader.readBit() {
                try reader.skipBits(2 * delayBitCount + 1)
                model?.operatingPoints.append(layers)
            }
            if hasDisplayDelay, try reader.readBit() { try reader.skipBits(4) }
        }
        return first ?? (0, false)
    }
}
