package import Codecs

extension CodecConfiguration {
    /// True if HLS carries the codec in MPEG-TS: H.264, AAC in ADTS, AC-3, E-AC-3 and MP3 (HLS Authoring Specification
    /// 1.2 and 2.1); also HEVC, for set-top boxes, although Apple's devices accept it in fMP4 only.
    package var isCarriedInTransportStreams: Bool {
        switch self {
        case .h264, .hevc, .dolby, .mp3: true
        // ADTS (ISO/IEC 14496-3 §1.A.3.2) has no other object types, and no frames of 960 samples.
        case .aac(let aac): [2, 5, 29].contains(aac.objectType) && aac.samplesPerFrame == 1_024 && aac.channelCount > 0
        case .opus, .flac, .alac, .av1: false
        }
    }
}
