/// The four bytes before each frame of MPEG audio (ISO/IEC 11172-3 §2.4.1.3, 13818-3 §2.4.1.3). MPEG-2.5, which no
/// standard defines, is parsed as decoders commonly do.
package struct MPEGAudioFrameHeader: Sendable, Hashable {
    /// Version of the standard, in the values of the header's version field.
    package enum Version: UInt8, Sendable {
        case mpeg2Point5 = 0
        case mpeg2 = 2
        case mpeg1 = 3
    }

    package private(set) var version: Version
    /// MPEG audio layer, 1 to 3.
    package private(set) var layer: Int
    /// Whether a two-byte checksum follows the header.
    package private(set) var hasChecksum: Bool
    /// Bits per second.
    package private(set) var bitRate: Int
    /// Sampling rate in hertz.
    package private(set) var sampleRate: Int
    /// Whether the frame has one more slot than its bit rate asks for: one byte, in layer I four.
    package private(set) var isPadded: Bool
    package private(set) var channelCount: Int

    /// Size of the header in bytes.
    package static let byteCount = 4
    static let structure = "MPEG audio frame header"

    /// Bit rates in kbit/s for bitrate_index 1 to 14: MPEG-1 layers I, II and III, then MPEG-2 layer I, then MPEG-2
    /// layers II and III.
    private static let bitRates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// - Parameter word: the four bytes, most significant first.
    /// - Throws: ``CodecError`` if the word is not a frame header, or if its bit rate is free-format.
    package init(parsing word: UInt32) throws(CodecError) {
        guard word >> 21 == 0x7FF else { throw CodecError(.invalid, in: Self.structure, "has no sync word") }
        guard let version = Version(rawValue: UInt8(word >> 19 & 3)), word >> 17 & 3 != 0 else {
            throw CodecError(.invalid, in: Self.structure, "has a reserved version or layer")
        }
        self.version = version
        layer = 4 - Int(word >> 17 & 3)
        hasChecksum = word >> 16 & 1 == 0
        let rates = Self.bitRates[version == .mpeg1 ? layer - 1 : layer == 1 ? 3 : 4]
        let rateIndex = Int(word >> 12 & 15)
        guard (1...14).contains(rateIndex) else {
            throw CodecError(.unsupported, in: Self.structure, "has a free-format or forbidden bit rate")
        }
        bitRate = rates[rateIndex - 1] * 1_000
        let frequencyIndex = Int(word >> 10 & 3)
        guard frequencyIndex < 3 else {
            throw CodecError(.invalid, in: Self.structure, "has a reserved sampling frequency")
        }
        sampleRate = [44_100, 48_000, 32_000][frequencyIndex] >> (version == .mpeg1 ? 0 : version == .mpeg2 ? 1 : 2)
        isPadded = word >> 9 & 1 == 1
        channelCount = word >> 6 & 3 == 3 ? 1 : 2
    }

    /// Samples per channel in the frame.
    package var samplesPerFrame: Int {
        switch layer {
        case 1: 384
        case 2: 1_152
        default: version == .mpeg1 ? 1_152 : 576
        }
    }

    /// Size of the frame in bytes, header included.
    package var frameByteCount: Int {
        layer == 1
            ? (12 * bitRate / sampleRate + (isPadded ? 1 : 0)) * 4
            : samplesPerFrame / 8 * bitRate / sampleRate + (isPadded ? 1 : 0)
    }
}
