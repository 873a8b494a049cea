/// A frame of audio that sounds like nothing, made without an encoder.
package struct SilentFrame: Sendable, Hashable {
    package var bytes: [UInt8]
    /// Samples on the codec's own clock; see ``CodecConfiguration/audioSampleRate``.
    package var sampleCount: Int
}

extension CodecConfiguration {
    /// Silence that a decoder of this configuration takes; `nil` for video, and for codecs and channel layouts that
    /// publishers of live channels do not send.
    package var silentFrame: SilentFrame? {
        switch self {
        case .aac(let configuration): configuration.silentFrame
        case .opus(let configuration): configuration.silentFrame
        case .h264, .hevc, .av1, .dolby, .mp3, .flac, .alac: nil
        }
    }
}

extension OpusConfiguration {
    /// 20 ms of CELT, full band, in one frame (RFC 6716 §3.1: configuration 31, code 0), whose silence flag is set
    /// (§4.3). `nil` for several streams in one packet.
    fileprivate var silentFrame: SilentFrame? {
        guard channelMapping == nil else { return nil }
        let stereo: UInt8 = channelCount == 2 ? 0b100 : 0
        return SilentFrame(bytes: [31 << 3 | stereo, 0xFF, 0xFE], sampleCount: Self.usualSamplesPerFrame)
    }
}

extension AACConfiguration {
    /// A raw_data_block (ISO/IEC 14496-3 §4.4.2.1) whose elements have no scale factor bands, and so no spectrum. The
    /// core coder's; SBR and PS make nothing of nothing. `nil` for the error resilient and low-delay coders, which are
    /// written otherwise, and for channels that are described in the stream.
    fileprivate var silentFrame: SilentFrame? {
        guard [1, 2, 3, 4, 5, 29].contains(objectType), let elements = Self.elements[channelCount] else { return nil }
        var bits = BitString()
        var counts: [SyntacticElement: UInt32] = [:]
        for element in elements {
            bits.append(element.rawValue, count: 3)
            bits.append(counts[element, default: 0], count: 4)
            counts[element, default: 0] += 1
            element == .channelPair ? bits.appendSilentPair() : bits.appendSilentChannel()
        }
        bits.append(SyntacticElement.end.rawValue, count: 3)
        return SilentFrame(bytes: bits.bytes, sampleCount: samplesPerFrame)
    }

    /// Table 4.85.
    private enum SyntacticElement: UInt32 {
        case singleChannel = 0
        case channelPair = 1
        case lowFrequency = 3
        case end = 7
    }

    /// By number of channels: those of channel configurations 1 to 6 (table 1.19).
    private static let elements: [Int: [SyntacticElement]] = [
        1: [.singleChannel],
        2: [.channelPair],
        3: [.singleChannel, .channelPair],
        4: [.singleChannel, .channelPair, .singleChannel],
        5: [.singleChannel, .channelPair, .channelPair],
        6: [.singleChannel, .channelPair, .channelPair, .lowFrequency],
    ]
}

/// Bits, most significant first, filled up with zeros to whole bytes.
private struct BitString {
    private(set) var bytes: [UInt8] = []
    private var bitCount = 0

    mutating func append(_ value: UInt32, count: Int) {
        for position in stride(from: count - 1, through: 0, by: -1) {
            if bitCount % 8 == 0 { bytes.append(0) }
            let bit = UInt8(truncatingIfNeeded: value >> UInt32(position)) & 1
            bytes[bytes.count - 1] |= bit << UInt8(7 - bitCount % 8)
            bitCount += 1
        }
    }

    /// ics_info() of one long window with max_sfb 0: reserved, window_sequence, window_shape, max_sfb,
    /// predictor_data_present (§4.4.2.1, table 4.6).
    private mutating func appendChannelInformation() { append(0, count: 1 + 2 + 1 + 6 + 1) }

    /// global_gain, which stands in front of ics_info.
    private mutating func appendGain() { append(0, count: 8) }

    /// pulse_data_present, tns_data_present, gain_control_data_present.
    private mutating func appendNoTools() { append(0, count: 3) }

    mutating func appendSilentChannel() {
        appendGain()
        appendChannelInformation()
        appendNoTools()
    }

    /// With a common window, and without mid/side coding.
    mutating func appendSilentPair() {
        append(1, count: 1)
        appendChannelInformation()
        append(0, count: 2)
        for _ in 0..<2 {
            appendGain()
            appendNoTools()
        }
    }
}
