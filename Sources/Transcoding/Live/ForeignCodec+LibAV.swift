import CLibAV
package import Codecs
package import LibAV

extension ForeignCodec {
    /// libav's own decoder. It is chosen by name, because a build may have several for one codec, of which the first is
    /// not always the best.
    var decoderName: String {
        switch self {
        case .pcmMuLaw: "pcm_mulaw"
        case .pcmALaw: "pcm_alaw"
        case .g722: "g722"
        case .linearPCM: "pcm_s16be"
        case .adaptiveMultiRate: "amrnb"
        // Decodes layers I and II, too.
        case .mpegAudio: "mp3float"
        // Decodes H.263+, too.
        case .h263: "h263"
        case .vp8: "vp8"
        case .vp9: "vp9"
        case .opus: "opus"
        }
    }

    /// libav's encoder for the codec that takes the place of this one.
    var encoderName: String { isVideo ? "libx264" : "aac" }

    /// The sample rate and channel count, which the decoder must be told; `nil` for video.
    var audioShape: (sampleRate: Int, channelCount: Int)? {
        switch self {
        case .pcmMuLaw(let sampleRate, let channelCount), .pcmALaw(let sampleRate, let channelCount),
            .linearPCM(let sampleRate, let channelCount), .mpegAudio(let sampleRate, let channelCount):
            (sampleRate, channelCount)
        case .g722: (16_000, 1)
        case .adaptiveMultiRate: (8_000, 1)
        case .opus(let channelCount): (48_000, channelCount)
        case .h263, .vp8, .vp9: nil
        }
    }

    /// The accepted sample rates, from telephones to studios. One second at a lower rate would be upsampled to
    /// thousands of samples for each one received.
    static let sampleRates = 4_000...192_000
    /// The accepted channel counts.
    static let channelCounts = 1...8

    /// Throws ``LibAVError`` with code `codecUnsupported` if the sample rate or channel count is outside the accepted
    /// range.
    package func requirePlausibleShape() throws(LibAVError) {
        guard let shape = audioShape,
            !Self.sampleRates.contains(shape.sampleRate) || !Self.channelCounts.contains(shape.channelCount)
        else { return }
        throw LibAVError(
            .codecUnsupported, file: name,
            "\(shape.sampleRate) samples per second in \(shape.channelCount) channels cannot be transcoded")
    }

    /// Throws ``LibAVError`` with code `codecUnsupported` if the loaded libav lacks the decoder or encoder.
    func requireLibAVSupport() throws(LibAVError) {
        try requireCodec("decoder", decoderName, isPresent: libav.avcodec_find_decoder_by_name(decoderName) != nil)
        try requireCodec("encoder", encoderName, isPresent: libav.avcodec_find_encoder_by_name(encoderName) != nil)
    }

    /// Throws ``LibAVError`` with code `codecUnsupported` unless `isPresent`. Builds of libav differ in what they
    /// contain; Debian's has all that is needed here.
    func requireCodec(_ kind: String, _ codecName: String, isPresent: Bool) throws(LibAVError) {
        guard !isPresent else { return }
        throw LibAVError(
            .codecUnsupported, file: name,
            "transcoding needs the \(kind) \(codecName), which this libav lacks; Debian's package "
                + "libavcodec\(LIBAVCODEC_VERSION_MAJOR) has it")
    }
}
