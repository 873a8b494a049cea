package import MediaCore

/// A codec with its parameters: everything that an initialization section needs besides the track.
package enum CodecConfiguration: Sendable, Hashable {
    case h264(H264Configuration)
    case hevc(HEVCConfiguration)
    case aac(AACConfiguration)
    case opus(OpusConfiguration)
    case dolby(DolbyAudioConfiguration)
    case mp3(MPEGAudioConfiguration)
    case flac(FLACConfiguration)
    case alac(ALACConfiguration)
    case av1(AV1Configuration)

    /// Whether the codec carries video or audio.
    package var mediaType: MediaType {
        switch self {
        case .h264, .hevc, .av1: .video
        case .aac, .opus, .dolby, .mp3, .flac, .alac: .audio
        }
    }

    /// Human-readable name of the codec.
    package var name: String {
        switch self {
        case .h264: "H.264"
        case .hevc: "HEVC"
        case .aac: "AAC"
        case .opus: "Opus"
        case .dolby(let configuration): configuration.coding == .ac3 ? "AC-3" : "E-AC-3"
        case .mp3: "MP3"
        case .flac: "FLAC"
        case .alac: "ALAC"
        case .av1: "AV1"
        }
    }

    package var isAV1: Bool { if case .av1 = self { true } else { false } }

    /// The codec's entry in a CODECS attribute (RFC 6381).
    package var rfc6381: String {
        switch self {
        case .h264(let configuration): configuration.rfc6381
        case .hevc(let configuration): configuration.rfc6381
        case .aac(let configuration): configuration.rfc6381
        case .opus(let configuration): configuration.rfc6381
        case .dolby(let configuration): configuration.rfc6381
        case .mp3(let configuration): configuration.rfc6381
        case .flac(let configuration): configuration.rfc6381
        case .alac(let configuration): configuration.rfc6381
        case .av1(let configuration): configuration.rfc6381
        }
    }

    /// Parameter sets as NAL units, in the order in which decoders need them; empty for codecs without parameter
    /// sets.
    package var parameterSets: [[UInt8]] {
        switch self {
        case .h264(let configuration): configuration.sequenceParameterSets + configuration.pictureParameterSets
        case .hevc(let configuration):
            configuration.videoParameterSets + configuration.sequenceParameterSets + configuration.pictureParameterSets
        case .aac, .opus, .av1, .dolby, .mp3, .flac, .alac: []
        }
    }

    /// Width and height in pixels, after cropping; `nil` for audio.
    package var videoSize: (width: Int, height: Int)? {
        switch self {
        case .h264(let configuration):
            (configuration.sequenceParameterSet.width, configuration.sequenceParameterSet.height)
        case .hevc(let configuration):
            (configuration.sequenceParameterSet.width, configuration.sequenceParameterSet.height)
        case .av1(let configuration): (configuration.sequenceHeader.width, configuration.sequenceHeader.height)
        case .aac, .opus, .dolby, .mp3, .flac, .alac: nil
        }
    }

    /// Frames per second according to the parameter sets; `nil` for audio, and if the parameter sets do not say.
    package var nominalFrameRate: Double? {
        switch self {
        case .h264(let configuration): configuration.sequenceParameterSet.frameRate
        case .hevc(let configuration): configuration.sequenceParameterSet.frameRate
        case .av1(let configuration): configuration.sequenceHeader.frameRate
        case .aac, .opus, .dolby, .mp3, .flac, .alac: nil
        }
    }

    /// Shape of one pixel; square for audio, and if the codec's configuration does not say.
    package var sampleAspectRatio: SampleAspectRatio {
        switch self {
        case .h264(let configuration): configuration.sequenceParameterSet.sampleAspectRatio
        case .hevc(let configuration): configuration.sequenceParameterSet.sampleAspectRatio
        case .aac, .opus, .dolby, .mp3, .flac, .alac, .av1: .square
        }
    }

    /// Maximum number of frames that precede a frame in decoding order and follow it in output order.
    package var maximumReorderFrameCount: Int {
        switch self {
        case .h264(let configuration): configuration.sequenceParameterSet.maximumReorderFrameCount
        case .hevc(let configuration): configuration.sequenceParameterSet.maximumReorderFrameCount
        // An AV1 temporal unit shows one frame, and temporal units are in the order of presentation.
        case .aac, .opus, .dolby, .mp3, .flac, .alac, .av1: 0
        }
    }

    /// Audio samples per second; `nil` for video.
    package var audioSampleRate: Int? {
        switch self {
        case .aac(let configuration): configuration.sampleRate
        case .opus: OpusConfiguration.clockRate
        case .dolby(let configuration): configuration.sampleRate
        case .mp3(let configuration): configuration.sampleRate
        case .flac(let configuration): configuration.sampleRate
        case .alac(let configuration): configuration.sampleRate
        case .h264, .hevc, .av1: nil
        }
    }

    /// Number of audio channels; `nil` for video. See the configurations for what zero means.
    package var audioChannelCount: Int? {
        switch self {
        case .aac(let configuration): configuration.channelCount
        case .opus(let configuration): configuration.channelCount
        case .dolby(let configuration): configuration.channelCount
        case .mp3(let configuration): configuration.channelCount
        case .flac(let configuration): configuration.channelCount
        case .alac(let configuration): configuration.channelCount
        case .h264, .hevc, .av1: nil
        }
    }

    /// Number of samples, on the codec's clock, that a frame of audio usually holds; `nil` for video.
    package var audioSamplesPerFrame: Int? {
        switch self {
        case .aac(let configuration): configuration.samplesPerFrame
        case .opus: OpusConfiguration.usualSamplesPerFrame
        case .dolby: DolbyAudioConfiguration.samplesPerFrame
        case .mp3(let configuration): configuration.samplesPerFrame
        case .flac(let configuration): configuration.samplesPerFrame
        case .alac(let configuration): configuration.samplesPerFrame
        case .h264, .hevc, .av1: nil
        }
    }
}
