import MediaCore

/// The colour of a video as its parameter sets describe it, in the values of ITU-T H.273 §8, in which 2 means
/// unspecified.
package struct ColorDescription: Sendable, Hashable {
    package var primaries: UInt8
    package var transferCharacteristics: UInt8
    package var matrixCoefficients: UInt8
    /// Whether black and white are the lowest and the highest code values.
    package var isFullRange: Bool

    /// Reads colour primaries, transfer and matrix, eight bits each (ITU-T H.264 §E.1.1; HEVC and AV1 have the same).
    init(parsing reader: inout BitReader, isFullRange: Bool) throws {
        primaries = UInt8(truncatingIfNeeded: try reader.readBits(8))
        transferCharacteristics = UInt8(truncatingIfNeeded: try reader.readBits(8))
        matrixCoefficients = UInt8(truncatingIfNeeded: try reader.readBits(8))
        self.isFullRange = isFullRange
    }

    package var videoRange: VideoRange { VideoRange(transferCharacteristics: UInt32(transferCharacteristics)) }
}
