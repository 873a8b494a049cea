import Codecs
import Foundation
import RTPTransport
import SessionDescription

extension PublishedTrackFormat {
    static let supportedVideo = "H.264, HEVC, AV1, VP8, VP9 or H.263"

    /// The payload format of a video codec.
    ///
    /// - Parameter name: encoding name in lower case.
    /// - Returns: `nil` for a codec that is not supported.
    static func videoPayload(
        _ name: String, _ parameters: SDPFormatParameters
    ) throws -> RTPTrackFormat.Payload? {
        switch name {
        case "h264": h264(parameters)
        case "h265", "hevc": hevc(parameters)
        case "av1": .av1
        case "vp8": .vp8
        case "vp9": .vp9
        case "h263-1998", "h263-2000": .h263(.rfc4629)
        case "h263": .h263(.rfc2190)
        default: nil
        }
    }

    /// Format parameters of RFC 6184 §8.1.
    private static func h264(_ parameters: SDPFormatParameters) -> RTPTrackFormat.Payload {
        var sequenceSets: [[UInt8]] = []
        var pictureSets: [[UInt8]] = []
        for set in parameterSets(parameters["sprop-parameter-sets"]) {
            switch set.first.flatMap(H264NALUnitType.init(headerByte:)) {
            case .sequenceParameterSet: sequenceSets.append(set)
            case .pictureParameterSet: pictureSets.append(set)
            default: break
            }
        }
        // Missing or damaged sets do not cause a refusal, because most encoders repeat them in band (MediaMTX #5745).
        let configuration = try? H264Configuration(
            sequenceParameterSets: sequenceSets, pictureParameterSets: pictureSets)
        var interleaving: NALUnitInterleaving?
        if parameters.integer("packetization-mode") == 2 {
            interleaving = NALUnitInterleaving(
                depth: parameters.integer("sprop-interleaving-depth") ?? 0,
                maximumDifference: parameters.integer("sprop-max-don-diff"))
        }
        return .h264(configuration, interleaving: interleaving)
    }

    /// Format parameters of RFC 7798 §7.1.
    private static func hevc(_ parameters: SDPFormatParameters) -> RTPTrackFormat.Payload {
        let configuration = try? HEVCConfiguration(
            videoParameterSets: parameterSets(parameters["sprop-vps"]),
            sequenceParameterSets: parameterSets(parameters["sprop-sps"]),
            pictureParameterSets: parameterSets(parameters["sprop-pps"]))
        var interleaving: NALUnitInterleaving?
        if let difference = parameters.integer("sprop-max-don-diff"), difference > 0 {
            interleaving = NALUnitInterleaving(
                depth: parameters.integer("sprop-depack-buf-nalus") ?? 0, maximumDifference: difference)
        }
        return .hevc(configuration, interleaving: interleaving)
    }

    /// Decodes comma-separated base64; entries that are not base64 are omitted.
    private static func parameterSets(_ text: String?) -> [[UInt8]] {
        (text ?? "").split(separator: ",").prefix(maximumParameterSetCount)
            .compactMap { Data(base64Encoded: String($0)).map(Array.init) }.filter { !$0.isEmpty }
    }

    /// Limit on announced parameter sets; encoders announce two or three.
    private static let maximumParameterSetCount = 64
}
