/// A frame of silent audio, made without an encoder.
package struct SilentFrame: Sendable, Hashable {
    package var bytes: [UInt8]
    /// Duration in samples on the codec's clock; see ``CodecConfiguration/audioSampleRate``.
    package var sampleCount: Int
}

extension CodecConfiguration {
    /// A frame that a decoder of this configuration decodes to silence; `nil` for video, and for codecs and channel
    /// layouts that publishers of live channels do not send.
    package var silentFrame: SilentFrame? {
        switch self {
        case .aac(let configuration): configuration.silentFrame
        case .opus(let configuration): configuration.silentFrame
        case .h264, .hevc, .av1, .dolby, .mp3, .flac, .alac: nil
        }
    }
}

extension OpusConfiguration {
    /// A 20 ms CELT frame at full bandwidth (RFC 6716 §3.1: configuration 31, code 0) with the silence flag set
    /// (§4.3). `nil` if a packet holds several streams.
    fileprivate var silentFrame: SilentFrame? {
        guard channelMapping == nil else { return nil }
        let stereo: UInt8 = channelCount == 2 ? 0b100 : 0
        return SilentFrame(bytes: [31 << 3 | stereo, 0xFF, 0xFE], sampleCount: Self.usualSamplesPerFrame)
    }
}

extension AACConfiguration {
    /// A raw_data_block (ISO/IEC 14496-3 §4.4.2.1) whose elements have no scale factor bands, and therefore no
    /// spectrum. It is written for the core coder; SBR and PS turn silence into silence. `nil` for the
    /// error-resilient and low-delay coders, whose syntax differs, and if the channels are described in the stream.
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

    /// Element identifiers (ISO/IEC 14496-3 table 4.85).
    private enum SyntacticElement: UInt32 {
        case singleChannel = 0
        case channelPair = 1
        case lowFrequency = 3
        case end = 7
    }

    /// Syntactic elements of channel configurations 1 to 6 (ISO/IEC 14496-3 table 1.19), keyed by the number of
    /// channels.
    private static let elements: [Int: [SyntacticElement]] = [
        1: [.singleChannel],
        2: [.channelPair],
        3: [.singleChannel, .channelPair],
        4: [.singleChannel, .channelPair, .singleChannel],
        5: [.singleChannel, .channelPair, .channelPair],
        6: [.singleChannel, .channelPair, .channelPair, .lowFrequency],
    ]
}

/// A bit string, most significant bit first, padded with zeros to whole bytes.
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

    /// Appends ics_info() with one long window and max_sfb 0. The fields are reserved, window_sequence, window_shape,
    /// max_sfb and predictor_data_present (ISO/IEC 14496-3 §4.4.2.1, table 4.6).
    private mutating func appendChannelInformation() { append(0, count: 1 + 2 + 1 + 6 + 1) }

    /// Appends global_gain, which precedes ics_info.
    private mutating func appendGain() { append(0, count: 8) }

    /// Appends pulse_data_present, tns_data_present and gain_control_data_present, all zero.
    private mutating func appendNoTools() { append(0, count: 3) }

    mutating func appendSilentChannel() {
        appendGain()
        appendChannelInformation()
        appendNoTools()
    }

    /// Appends a channel pair with a common window and without mid/side coding.
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
