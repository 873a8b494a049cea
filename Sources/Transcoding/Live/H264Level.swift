/// The lowest level of H.264 that a quality may need (ITU-T H.264 table A-1). It is chosen by the preset, and not by the
/// encoder, which would take another one for each bit rate, and with it other parameter sets.
enum H264Level {
    /// Levels with their limits: macroblocks a second, macroblocks of a picture, bits a second in High profile.
    private static let limits: [(level: Int32, rate: Int, size: Int, bitRate: Int)] = [
        (21, 19_800, 792, 5_000_000), (30, 40_500, 1_620, 12_500_000), (31, 108_000, 3_600, 17_500_000),
        (32, 216_000, 5_120, 25_000_000), (40, 245_760, 8_192, 25_000_000), (42, 522_240, 8_704, 62_500_000),
        (51, 983_040, 36_864, 300_000_000), (52, 2_073_600, 36_864, 300_000_000),
    ]

    /// - Parameters:
    ///   - width: the width of the pictures in pixels; `height` is their height.
    ///   - frameRate: frames per second.
    ///   - bitRate: the highest rate in bits per second.
    /// - Returns: ten times the number of the level.
    static func lowest(width: Int, height: Int, frameRate: Double, bitRate: Int) -> Int32 {
        let size = ((width + 15) / 16) * ((height + 15) / 16)
        let rate = Double(size) * frameRate
        return limits.first { size <= $0.size && rate <= Double($0.rate) && bitRate <= $0.bitRate }?.level ?? 52
    }
}
