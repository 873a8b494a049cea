import MediaCore

/// The fields of the VUI that packaging uses (ITU-T H.265 §E.2.1). The initializer skips the fields before the VUI.
struct HEVCVideoUsabilityInformation {
    var sampleAspectRatio: SampleAspectRatio?
    var frameRate: Double?
    /// `nil` if the stream does not describe its colour.
    var color: ColorDescription?

    /// - Parameter reader: positioned after the sub-layer ordering information.
    init(skippingTo reader: inout BitReader, pictureOrderCountBitCount: Int) throws {
        for _ in 0..<6 { _ = try reader.readUnsignedExpGolomb() }  // block and transform sizes, depths
        if try reader.readBit(), try reader.readBit() { try Self.skipScalingListData(&reader) }
        try reader.skipBits(2)  // amp_enabled_flag, sample_adaptive_offset_enabled_flag
        if try reader.readBit() {
            try reader.skipBits(8)  // pcm bit depths
            _ = try reader.readUnsignedExpGolomb()
            _ = try reader.readUnsignedExpGolomb()
            _ = try reader.readBit()
        }
        try Self.skipShortTermReferencePictureSets(&reader)
        if try reader.readBit() {
            let count = try reader.readUnsignedExpGolomb()
            guard count <= 32 else { throw CodecError(.invalid, in: "HEVC SPS", "has \(count) long-term pictures") }
            try reader.skipBits(Int(count) * (pictureOrderCountBitCount + 1))
        }
        try reader.skipBits(2)  // temporal mvp, strong intra smoothing
        if try reader.readBit() { try parse(&reader) }
    }

    private mutating func parse(_ reader: inout BitReader) throws {
        if try reader.readBit() {
            let idc = try reader.readBits(8)
            sampleAspectRatio =
                idc == 255
                ? SampleAspectRatio(checkingWidth: try reader.readBits(16), height: try reader.readBits(16))
                : SampleAspectRatio(aspectRatioIDC: idc)
        }
        if try reader.readBit() { _ = try reader.readBit() }
        if try reader.readBit() {
            try reader.skipBits(3)
            let isFullRange = try reader.readBit()
            if try reader.readBit() { color = try ColorDescription(parsing: &reader, isFullRange: isFullRange) }
        }
        if try reader.readBit() {
            _ = try reader.readUnsignedExpGolomb()
            _ = try reader.readUnsignedExpGolomb()
        }
        try reader.skipBits(3)  // neutral chroma, field_seq, frame_field_info
        if try reader.readBit() { for _ in 0..<4 { _ = try reader.readUnsignedExpGolomb() } }
        guard try reader.readBit() else { return }
        let unitsInTick = try reader.readBits(32)
        let timescale = try reader.readBits(32)
        guard unitsInTick > 0, timescale > 0 else { return }
        let rate = Double(timescale) / Double(unitsInTick)
        frameRate = rate <= H264VideoUsabilityInformation.maximumPlausibleFrameRate ? rate : nil
    }

    /// Skips scaling_list_data (ITU-T H.265 §7.3.4).
    static func skipScalingListData(_ reader: inout BitReader) throws {
        for sizeID in 0..<4 {
            for _ in 0..<(sizeID == 3 ? 2 : 6) {
                guard try reader.readBit() else {
                    _ = try reader.readUnsignedExpGolomb()
                    continue
                }
                if sizeID > 1 { _ = try reader.readSignedExpGolomb() }
                for _ in 0..<min(64, 1 << (4 + (sizeID << 1))) { _ = try reader.readSignedExpGolomb() }
            }
        }
    }

    /// Skips the short-term reference picture sets (ITU-T H.265 §7.3.7). The largest decoded picture buffer bounds
    /// the counts.
    private static func skipShortTermReferencePictureSets(_ reader: inout BitReader) throws {
        let setCount = try reader.readUnsignedExpGolomb()
        guard setCount <= 64 else { throw CodecError(.invalid, in: "HEVC SPS", "has \(setCount) reference sets") }
        var previousPictureCount = 0
        for index in 0..<setCount {
            if index > 0, try reader.readBit() {
                _ = try reader.readBit()
                _ = try reader.readUnsignedExpGolomb()
                var count = 0
                for _ in 0...previousPictureCount {
                    if try reader.readBit() {
                        count += 1
                    } else if try reader.readBit() {
                        count += 1
                    }
                }
                previousPictureCount = count
                continue
            }
            let negative = try reader.readUnsignedExpGolomb()
            let positive = try reader.readUnsignedExpGolomb()
            guard negative <= 16, positive <= 16 else {
                throw CodecError(.invalid, in: "HEVC SPS", "has a reference set of more than 16 pictures")
            }
            for _ in 0..<(negative + positive) {
                _ = try reader.readUnsignedExpGolomb()
                _ = try reader.readBit()
            }
            previousPictureCount = Int(negative + positive)
        }
    }
}
