import MediaCore

/// The fields of the VUI that packaging uses (ITU-T H.264 §E.1.1).
struct H264VideoUsabilityInformation {
    var sampleAspectRatio: SampleAspectRatio?
    /// Frames per second; `nil` if absent or implausible.
    var frameRate: Double?
    /// `nil` if the stream does not describe its colour.
    var color: ColorDescription?
    /// The position of timing_info_present_flag and the fields that depend on it, in bits from the payload's start.
    private(set) var timingBits = 0..<0
    /// max_num_reorder_frames; `nil` if bitstream_restriction is absent.
    var maximumReorderFrameCount: Int?

    /// Highest frame rate that is believed, in frames per second; no real camera is faster.
    static let maximumPlausibleFrameRate = 1_000.0

    init(parsing reader: inout BitReader) throws {
        if try reader.readBit() {
            let idc = try reader.readBits(8)
            sampleAspectRatio =
                idc == 255
                ? SampleAspectRatio(checkingWidth: try reader.readBits(16), height: try reader.readBits(16))
                : SampleAspectRatio(aspectRatioIDC: idc)
        }
        if try reader.readBit() { _ = try reader.readBit() }  // overscan
        if try reader.readBit() {
            try reader.skipBits(3)  // video_format
            let isFullRange = try reader.readBit()
            if try reader.readBit() { color = try ColorDescription(parsing: &reader, isFullRange: isFullRange) }
        }
        if try reader.readBit() {
            _ = try reader.readUnsignedExpGolomb()
            _ = try reader.readUnsignedExpGolomb()
        }
        let timingStart = reader.bitPosition
        if try reader.readBit() { frameRate = try Self.parseFrameRate(&reader) }
        timingBits = timingStart..<reader.bitPosition
        let hasNALParameters = try reader.readBit()
        if hasNALParameters { try Self.skipHypotheticalReferenceDecoder(&reader) }
        let hasVCLParameters = try reader.readBit()
        if hasVCLParameters { try Self.skipHypotheticalReferenceDecoder(&reader) }
        if hasNALParameters || hasVCLParameters { _ = try reader.readBit() }
        _ = try reader.readBit()  // pic_struct_present_flag
        guard try reader.readBit() else { return }
        _ = try reader.readBit()  // motion_vectors_over_pic_boundaries_flag
        for _ in 0..<4 { _ = try reader.readUnsignedExpGolomb() }
        maximumReorderFrameCount = Int(min(try reader.readUnsignedExpGolomb(), 16))
    }

    /// Reads the frame rate. num_units_in_tick counts fields, hence the factor of two.
    private static func parseFrameRate(_ reader: inout BitReader) throws -> Double? {
        let unitsInTick = try reader.readBits(32)
        let timescale = try reader.readBits(32)
        _ = try reader.readBit()  // fixed_frame_rate_flag
        guard unitsInTick > 0, timescale > 0 else { return nil }
        let rate = Double(timescale) / (2 * Double(unitsInTick))
        return rate <= maximumPlausibleFrameRate ? rate : nil
    }

    private static func skipHypotheticalReferenceDecoder(_ reader: inout BitReader) throws {
        let count = try reader.readUnsignedExpGolomb()
        guard count < 32 else {
            throw CodecError(.invalid, in: "H.264 VUI", "cpb_cnt_minus1 is \(count)")
        }
        try reader.skipBits(8)
        for _ in 0...count {
            _ = try reader.readUnsignedExpGolomb()
            _ = try reader.readUnsignedExpGolomb()
            _ = try reader.readBit()
        }
        try reader.skipBits(20)
    }
}
