/// A codec that publishers send and HLS players do not support. It is decoded and re-encoded as AAC or H.264.
package enum ForeignCodec: Sendable, Hashable {
    /// G.711 µ-law. A unit is any number of whole samples, one byte each, with interleaved channels.
    case pcmMuLaw(sampleRate: Int, channelCount: Int)
    /// G.711 A-law. A unit is any number of whole samples, one byte each, with interleaved channels.
    case pcmALaw(sampleRate: Int, channelCount: Int)
    /// G.722 at 64 kbit/s: 16,000 samples per second, two per byte.
    case g722
    /// L16: 16-bit big-endian samples with interleaved channels (RFC 3551 §4.5.11).
    case linearPCM(sampleRate: Int, channelCount: Int)
    /// AMR narrowband. A unit is one frame in storage format, which begins with its header octet (RFC 4867 §5.3).
    case adaptiveMultiRate
    /// MPEG-1 or MPEG-2 audio. A unit is one whole frame, which begins with its header.
    case mpegAudio(sampleRate: Int, channelCount: Int)
    /// H.263. A unit is one picture, which begins with its start code.
    case h263
    /// VP8. A unit is one frame in the form that a decoder takes (RFC 6386 §9).
    case vp8
    /// VP9. A unit is one superframe.
    case vp9
    /// Opus, which HLS carries, for players that know nothing but AAC. A unit is one packet.
    case opus(channelCount: Int)

    package var isVideo: Bool {
        switch self {
        case .h263, .vp8, .vp9: true
        case .pcmMuLaw, .pcmALaw, .g722, .linearPCM, .adaptiveMultiRate, .mpegAudio, .opus: false
        }
    }

    /// Human-readable name of the codec.
    package var name: String {
        switch self {
        case .pcmMuLaw: "G.711 µ-law"
        case .pcmALaw: "G.711 A-law"
        case .g722: "G.722"
        case .linearPCM: "L16"
        case .adaptiveMultiRate: "AMR"
        case .mpegAudio: "MPEG audio"
        case .h263: "H.263"
        case .vp8: "VP8"
        case .vp9: "VP9"
        case .opus: "Opus"
        }
    }
}
