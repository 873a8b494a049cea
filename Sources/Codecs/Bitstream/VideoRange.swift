/// The dynamic range of a video, in the values of the VIDEO-RANGE attribute (rfc8216bis §4.4.6.2).
package enum VideoRange: String, Sendable, Hashable {
    case standard = "SDR"
    case hybridLogGamma = "HLG"
    case perceptualQuantizer = "PQ"

    /// - Parameter transferCharacteristics: a value of ITU-T H.273 §8.2, which the VUI of H.264 and HEVC and AV1's
    ///   color_config share; 2 means unspecified.
    package init(transferCharacteristics: UInt32) {
        switch transferCharacteristics {
        case 16: self = .perceptualQuantizer
        case 18: self = .hybridLogGamma
        default: self = .standard
        }
    }
}
