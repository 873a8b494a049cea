import Codecs
import Foundation
package import MediaCore
package import SessionDescription

extension RTPPayloadFormat {
    /// The static payload type of the codec (RFC 3551 §6) if it has one, otherwise a dynamic one.
    package func payloadType(trackIndex: Int) -> UInt8 {
        switch self {
        case .foreign(.pcmMuLaw(sampleRate: 8_000, channelCount: 1)): 0
        case .foreign(.pcmALaw(sampleRate: 8_000, channelCount: 1)): 8
        case .foreign(.g722): 9
        case .foreign(.linearPCM(sampleRate: 44_100, channelCount: 2)): 10
        case .foreign(.linearPCM(sampleRate: 44_100, channelCount: 1)): 11
        case .foreign(.mpegAudio): 14
        default: UInt8(clamping: 96 + min(trackIndex, 31))
        }
    }

    /// The `m=` section of a session description.
    ///
    /// - Parameters:
    ///   - payloadType: payload type of the packets.
    ///   - clock: clock of the packets' timestamps.
    ///   - language: RFC 5646 tag; `nil` if it is not known.
    ///   - control: control URL of the track.
    package func mediaDescription(
        payloadType: UInt8, clock: Timescale, language: String? = nil, control: String
    ) -> SDPMediaDescription {
        var attributes = [SDPAttribute("rtpmap", rtpMap(payloadType: payloadType, clock: clock).rendered)]
        if !parameters.isEmpty {
            let rendered = SDPFormatParameters(payloadType: payloadType, parameters: parameters).rendered
            attributes.append(SDPAttribute("fmtp", rendered))
        }
        if let language { attributes.append(SDPAttribute("lang", language)) }
        attributes.append(SDPAttribute("control", control))
        return SDPMediaDescription(mediaType: mediaType.rawValue, formats: ["\(payloadType)"], attributes: attributes)
    }

    private func rtpMap(payloadType: UInt8, clock: Timescale) -> SDPRTPMap {
        let (name, channelCount): (String, Int?) =
            switch self {
            case .h264: ("H264", nil)
            case .hevc: ("H265", nil)
            case .av1: ("AV1", nil)
            case .aac(let configuration):
                ("MPEG4-GENERIC", configuration.channelCount > 0 ? configuration.channelCount : nil)
            // Always two channels, whatever is coded (RFC 7587 §7).
            case .opus: ("opus", 2)
            case .foreign(let codec): codec.encodingName
            }
        return SDPRTPMap(
            payloadType: payloadType, encodingName: name, clockRate: clock.ticksPerSecond, channelCount: channelCount)
    }

    private var parameters: [String: String] {
        switch self {
        case .h264(let configuration): Self.parameters(configuration)
        case .hevc(let configuration): Self.parameters(configuration)
        case .av1(let configuration): Self.parameters(configuration)
        case .aac(let configuration): Self.parameters(configuration)
        case .opus(let channelCount): channelCount == 2 ? ["sprop-stereo": "1"] : [:]
        case .foreign(.adaptiveMultiRate): ["octet-align": "1"]
        case .foreign: [:]
        }
    }

    /// Format parameters of RFC 6184 §8.1.
    private static func parameters(_ configuration: H264Configuration) -> [String: String] {
        let sps = configuration.sequenceParameterSet
        return [
            "packetization-mode": "1",
            "profile-level-id": hexadecimal([sps.profileIDC, sps.constraintFlags, sps.levelIDC]).uppercased(),
            "sprop-parameter-sets": base64(
                configuration.sequenceParameterSets + configuration.pictureParameterSets),
        ]
    }

    /// Format parameters of RFC 7798 §7.1.
    private static func parameters(_ configuration: HEVCConfiguration) -> [String: String] {
        [
            "sprop-vps": base64(configuration.videoParameterSets),
            "sprop-sps": base64(configuration.sequenceParameterSets),
            "sprop-pps": base64(configuration.pictureParameterSets),
        ]
    }

    /// Format parameters of RTP Payload Format For AV1 §7.2.1.
    private static func parameters(_ configuration: AV1Configuration) -> [String: String] {
        let header = configuration.sequenceHeader
        return [
            "profile": "\(header.profile)", "level-idx": "\(header.levelIndex)", "tier": header.isHighTier ? "1" : "0",
        ]
    }

    /// Format parameters of RFC 3640 §4.1, AAC-hbr. The profile level is a mere hint; senders commonly write 1.
    private static func parameters(_ configuration: AACConfiguration) -> [String: String] {
        [
            "streamtype": "5", "profile-level-id": "1", "mode": "AAC-hbr", "sizelength": "13", "indexlength": "3",
            "indexdeltalength": "3", "config": hexadecimal(configuration.audioSpecificConfig),
        ]
    }

    private static func base64(_ sets: [[UInt8]]) -> String {
        sets.map { Data($0).base64EncodedString() }.joined(separator: ",")
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

extension ForeignCodec {
    /// Encoding name in `rtpmap`, and the number of channels; `nil` if the format does not state it.
    fileprivate var encodingName: (String, Int?) {
        switch self {
        case .pcmMuLaw(_, let channels): ("PCMU", channels)
        case .pcmALaw(_, let channels): ("PCMA", channels)
        case .g722: ("G722", 1)
        case .linearPCM(_, let channels): ("L16", channels)
        case .adaptiveMultiRate: ("AMR", 1)
        case .mpegAudio: ("MPA", nil)
        case .h263: ("H263-1998", nil)
        case .vp8: ("VP8", nil)
        case .vp9: ("VP9", nil)
        // RFC 7587 §7: always two, whatever is sent.
        case .opus: ("opus", 2)
        }
    }
}
