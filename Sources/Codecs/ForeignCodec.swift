/// A codec that publishers send and HLS players do not take: it is decoded, and encoded afresh as AAC or H.264.
package enum ForeignCodec: Sendable, Hashable {
    /// G.711 µ-law: a unit is any number of whole samples, one byte each, channels interleaved.
    case pcmMuLaw(sampleRate: Int, channelCount: Int)
    /// G.711 A-law, likewise.
    case pcmALaw(sampleRate: Int, channelCount: Int)
    /// G.722 at 64 kbit/s: 16,000 samples a second, two to a byte.
    case g722
    /// L16: 16-bit big-endian samples, channels interleaved (RFC 3551 §4.5.11).
    case linearPCM(sampleRate: Int, channelCount: Int)
    /// AMR narrow band: a unit is one frame in storage format, its header octet first (RFC 4867 §5.3).
    case adaptiveMultiRate
    /// A unit is one whole frame of MPEG-1 or MPEG-2 audio, its header first.
    case mpegAudio(sampleRate: Int, channelCount: Int)
    /// A unit is one picture, its start code first.
    case h263
    /// A unit is one frame as the decoder takes it (RFC 6386 §9).
    case vp8
    /// A unit is one superframe.
    case vp9

    package var isVideo: Bool {
        switch self {
        case .h263, .vp8, .vp9: true
        case .pcmMuLaw, .pcmALaw, .g722, .linearPCM, .adaptiveMultiRate, .mpegAudio: false
        }
    }

    /// For people.
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
        }
    }
}
