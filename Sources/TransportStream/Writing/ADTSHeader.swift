import Codecs
import NIOCore

/// The header of a frame of AAC in ADTS (ISO/IEC 14496-3 §1.A.2.2).
struct ADTSHeader: Sendable, Hashable {
    private static let byteCount = 7
    /// Frames say their length in 13 bits.
    private static let maximumByteCount = 0x1FFF
    private static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    private let bytes: [UInt8]

    /// - Returns: `nil` for parameters or a length that the header cannot say.
    init?(_ configuration: AACConfiguration, _ frameByteCount: Int) {
        let length = frameByteCount + Self.byteCount
        guard length <= Self.maximumByteCount, let rate = Self.sampleRates.firstIndex(of: configuration.sampleRate)
        else { return nil }
        // HE-AAC is written as its core, in which decoders find the rest.
        let profile = (1...4).contains(configuration.objectType) ? configuration.objectType - 1 : 1
        let channels = UInt8(clamping: configuration.channelCount == 8 ? 7 : configuration.channelCount)
        guard channels <= 7 else { return nil }
        bytes = [
            0xFF, 0xF1, profile << 6 | UInt8(rate) << 2 | channels >> 2,
            (channels & 3) << 6 | UInt8(length >> 11), UInt8(truncatingIfNeeded: length >> 3),
            UInt8(truncatingIfNeeded: length << 5) | 0x1F, 0xFC,
        ]
    }

    func bytes(of frame: ByteBuffer) -> ByteBuffer {
        var content = ByteBuffer(bytes: bytes)
        content.writeImmutableBuffer(frame)
        return content
    }
}
