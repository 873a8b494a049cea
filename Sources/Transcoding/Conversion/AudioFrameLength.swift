import CLibAV
import Codecs

/// Computes the number of samples in an audio packet, from the packet itself if the codec lets the number vary:
/// containers round durations, Matroska to milliseconds.
struct AudioFrameLength {
    private let codec: AVCodecID
    private let sampleRate: Int64
    /// The number of samples in a packet that does not say otherwise.
    private let usual: Int64

    init(_ parameters: AVCodecParameters) {
        codec = parameters.codec_id
        sampleRate = Int64(max(1, parameters.sample_rate))
        let fixed: [UInt32: Int64] = [
            AV_CODEC_ID_AC3.rawValue: 1_536, AV_CODEC_ID_MP3.rawValue: parameters.sample_rate < 32_000 ? 576 : 1_152,
        ]
        usual = fixed[codec.rawValue] ?? (parameters.frame_size > 0 ? Int64(parameters.frame_size) : 1_024)
    }

    /// Returns the number of samples in a packet.
    ///
    /// - Parameters:
    ///   - packet: Complete frames of the codec.
    ///   - duration: The duration from the container in samples; zero if it has none.
    func sampleCount(of packet: UnsafeBufferPointer<UInt8>, duration: Int64) -> Int64 {
        switch codec {
        case AV_CODEC_ID_OPUS:
            packet.first.flatMap {
                OpusConfiguration.sampleCount(first: $0, second: packet.count > 1 ? packet[1] : nil)
            }.map(Int64.init) ?? usual
        case AV_CODEC_ID_FLAC: flac(packet) ?? usual
        case AV_CODEC_ID_EAC3: enhancedAC3(packet) ?? usual
        // Only the last frame is shorter; the container may say so.
        case AV_CODEC_ID_ALAC where duration > 0: min(duration, usual)
        default: usual
        }
    }

    /// The length of a FLAC frame (RFC 9639 §9.1); `nil` if it is damaged.
    private func flac(_ packet: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard packet.count > 6, packet[0] == 0xFF, packet[1] & 0xFC == 0xF8 else { return nil }
        let code = Int(packet[2] >> 4)
        switch code {
        case 1: return 192
        case 2...5: return 576 << Int64(code - 2)
        case 8...15: return 256 << Int64(code - 8)
        case 6, 7:
            // The field follows the coded number, whose first byte tells its length.
            let numberByteCount = max(1, (~packet[4]).leadingZeroBitCount)
            let offset = 4 + numberByteCount
            guard packet.count > offset + 1 else { return nil }
            return code == 6 ? Int64(packet[offset]) + 1 : Int64(packet[offset]) << 8 | Int64(packet[offset + 1]) + 1
        default: return nil
        }
    }

    /// The length of the first E-AC-3 syncframe, which dependent ones share (ETSI TS 102 366 §E.1.2); `nil` if it is
    /// damaged.
    private func enhancedAC3(_ packet: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard packet.count > 5, packet[0] == 0x0B, packet[1] == 0x77 else { return nil }
        // The value 3 is a reduced sampling rate, with six blocks.
        guard packet[4] >> 6 != 3 else { return 1_536 }
        return [256, 512, 768, 1_536][Int(packet[4] >> 4 & 3)]
    }
}
