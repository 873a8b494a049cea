package import MediaCore

/// A codec with its parameters: all that an initialization section needs beside the track.
package enum CodecConfiguration: Sendable, Hashable {
    case h264(H264Configuration)
    case hevc(HEVCConfiguration)
    case aac(AACConfiguration)

    package var mediaType: MediaType {
        switch self {
        case .h264, .hevc: .video
        case .aac: .audio
        }
    }

    /// For people.
    package var name: String {
        switch self {
        case .h264: "H.264"
        case .hevc: "HEVC"
        case .aac: "AAC"
        }
    }

    /// One entry of a CODECS attribute.
    package var rfc6381: String {
        switch self {
        case .h264(let configuration): configuration.rfc6381
        case .hevc(let configuration): configuration.rfc6381
        case .aac(let configuration): configuration.rfc6381
        }
    }

    /// Pixels, after cropping; `nil` for audio.
    package var videoSize: (width: Int, height: Int)? {
        switch self {
        case .h264(let configuration):
            (configuration.sequenceParameterSet.width, configuration.sequenceParameterSet.height)
        case .hevc(let configuration):
            (configuration.sequenceParameterSet.width, configuration.sequenceParameterSet.height)
        case .aac: nil
        }
    }

    /// What the parameter sets promise; `nil` for audio and where they are silent.
    package var nominalFrameRate: Double? {
        switch self {
        case .h264(let configuration): configuration.sequenceParameterSet.frameRate
        case .hevc(let configuration): configuration.sequenceParameterSet.frameRate
        case .aac: nil
        }
    }

    /// Shape of one pixel; square for audio.
    package var sampleAspectRatio: SampleAspectRatio {
        switch self {
        case .h264(let configuration): configuration.sequenceParameterSet.sampleAspectRatio
        case .hevc(let configuration): configuration.sequenceParameterSet.sampleAspectRatio
        case .aac: .square
        }
    }

    /// Samples a second; `nil` for video.
    package var audioSampleRate: Int? {
        if case .aac(let configuration) = self { configuration.sampleRate } else { nil }
    }

    /// `nil` for video.
    package var audioChannelCount: Int? {
        if case .aac(let configuration) = self { configuration.channelCount } else { nil }
    }

    /// Samples of the codec's clock in one frame of audio; `nil` for video.
    package var audioSamplesPerFrame: Int? {
        if case .aac(let configuration) = self { configuration.samplesPerFrame } else { nil }
    }
}
