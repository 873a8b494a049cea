extension CodecConfiguration {
    /// Value of the VIDEO-RANGE attribute; `nil` if the stream does not describe its colour, because the attribute's
    /// absence means SDR.
    package var videoRangeAttribute: String? { color?.videoRange.rawValue }

    /// The video's dynamic range; ``VideoRange/standard`` for audio, and if the stream does not specify it.
    package var videoRange: VideoRange { color?.videoRange ?? .standard }

    /// The video's colour; `nil` for audio, and if the stream does not describe it.
    package var color: ColorDescription? {
        switch self {
        case .h264(let configuration): configuration.sequenceParameterSet.color
        case .hevc(let configuration): configuration.sequenceParameterSet.color
        case .av1(let configuration): configuration.sequenceHeader.color.description
        case .aac, .opus, .dolby, .mp3, .flac, .alac: nil
        }
    }

    /// A human-readable reason why HLS players cannot be expected to decode the stream although they support its
    /// codec; `nil` if there is none. Profiles beyond H.264 High, HEVC Main 10 and AV1 Main are not decoded by
    /// hardware (HLS Authoring Specification 1.3, 1.5, 1.8), and of AAC, players decode LC, HE and xHE (2.1).
    package var obstacleToStreaming: String? {
        switch self {
        case .h264(let configuration):
            let sps = configuration.sequenceParameterSet
            guard sps.bitDepthLuma == 8, sps.bitDepthChroma == 8, sps.chromaFormatIDC <= 1,
                [66, 77, 100].contains(sps.profileIDC)
            else { return "H.264 of profile \(sps.profileIDC) is beyond High, the highest that players decode" }
            return nil
        case .hevc(let configuration):
            let sps = configuration.sequenceParameterSet
            guard sps.bitDepthLuma <= 10, sps.bitDepthChroma <= 10, sps.chromaFormatIDC == 1 else {
                return
                    "HEVC of profile \(sps.profileTierLevel.profileIDC) is beyond Main 10, the highest that players decode"
            }
            return nil
        case .av1(let configuration):
            let profile = configuration.sequenceHeader.profile
            return profile == 0 ? nil : "AV1 of profile \(profile) is beyond Main, the highest that players decode"
        case .aac(let configuration):
            return [2, 5, 29, 42].contains(configuration.objectType)
                ? nil
                : "AAC of object type \(configuration.objectType) is not supported by players, which decode LC and HE"
        case .opus, .dolby, .mp3, .flac, .alac: return nil
        }
    }
}
