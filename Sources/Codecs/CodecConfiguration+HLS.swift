/// How bright a picture can be and how its values are to be read: VIDEO-RANGE (bis §4.4.6.2).
package enum VideoRange: String, Sendable, Hashable {
    case standard = "SDR"
    case hybridLogGamma = "HLG"
    case perceptualQuantizer = "PQ"

    /// - Parameter transferCharacteristics: ITU-T H.273 §8.2, which the VUI of H.264 and HEVC and AV1's color_config
    ///   share; 2 where nothing is said.
    package init(transferCharacteristics: UInt32) {
        switch transferCharacteristics {
        case 16: self = .perceptualQuantizer
        case 18: self = .hybridLogGamma
        default: self = .standard
        }
    }
}

extension CodecConfiguration {
    /// The attribute's value; `nil` for SDR, which is what its absence means.
    package var videoRangeAttribute: String? { videoRange == .standard ? nil : videoRange.rawValue }

    /// ``VideoRange/standard`` for audio and where the stream says nothing.
    package var videoRange: VideoRange {
        switch self {
        case .h264(let configuration): configuration.sequenceParameterSet.videoRange
        case .hevc(let configuration): configuration.sequenceParameterSet.videoRange
        case .av1(let configuration): configuration.sequenceHeader.color.videoRange
        case .aac, .opus, .dolby, .mp3, .flac, .alac: .standard
        }
    }

    /// Why players of HLS cannot be expected to decode it though its codec is one of theirs: profiles beyond H.264's
    /// High, HEVC's Main 10 and AV1's Main, which hardware lacks (HLS Authoring Specification 1.3, 1.5, 1.8), and AAC
    /// other than LC, HE and xHE (2.1). `nil` where nothing speaks against it.
    package var obstacleToStreaming: String? {
        switch self {
        case .h264(let configuration):
            let sps = configuration.sequenceParameterSet
            guard sps.bitDepthLuma == 8, sps.bitDepthChroma == 8, sps.chromaFormatIDC <= 1,
                [66, 77, 100].contains(sps.profileIDC)
            else { return "H.264 of profile \(sps.profileIDC) is beyond High, which is what players decode" }
            return nil
        case .hevc(let configuration):
            let sps = configuration.sequenceParameterSet
            guard sps.bitDepthLuma <= 10, sps.bitDepthChroma <= 10, sps.chromaFormatIDC == 1 else {
                return
                    "HEVC of profile \(sps.profileTierLevel.profileIDC) is beyond Main 10, which is what players decode"
            }
            return nil
        case .av1(let configuration):
            let profile = configuration.sequenceHeader.profile
            return profile == 0 ? nil : "AV1 of profile \(profile) is beyond Main, which is what players decode"
        case .aac(let configuration):
            return [2, 5, 29, 42].contains(configuration.objectType)
                ? nil
                : "AAC of object type \(configuration.objectType) is neither LC nor HE, which is what players decode"
        case .opus, .dolby, .mp3, .flac, .alac: return nil
        }
    }
}
