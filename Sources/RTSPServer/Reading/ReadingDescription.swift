import Codecs
import Foundation
import MediaCore
import RTPTransport
import SessionDescription

/// What DESCRIBE answers with.
struct ReadingDescription {
    struct DescribedTrack {
        var trackIndex: Int
        var format: RTPPayloadFormat
        var payloadType: UInt8
        /// Of its timestamps.
        var clock: Timescale
        /// RFC 5646.
        var language: String?
    }

    /// Of the session, for people; made fit for a line.
    var name: String
    /// A number that another content has not.
    var identifier: UInt64
    /// RFC 2326 §C.1.5: `npt=now-` for what is live.
    var range: String
    var isIPv6: Bool
    var tracks: [DescribedTrack]

    /// More would be no title; titles come from files of strangers.
    static let maximumNameByteCount = 200

    /// RFC 2326 §C.1.1, relative to the session's URL. The spelling that players have seen most.
    static func control(ofTrack index: Int) -> String { "trackID=\(index)" }

    /// §C.1.7: no address, for SETUP negotiates it.
    var session: SDPSession {
        let address = isIPv6 ? "IN IP6 ::" : "IN IP4 0.0.0.0"
        return SDPSession(
            origin: "- \(identifier) 1 \(isIPv6 ? "IN IP6 ::1" : "IN IP4 127.0.0.1")", name: Self.line(name),
            connection: address,
            attributes: [
                SDPAttribute("tool", "Antena"), SDPAttribute("control", "*"), SDPAttribute("range", range),
            ],
            media: tracks.map(Self.media))
    }

    private static func line(_ text: String) -> String {
        let printable = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        var line = ""
        for scalar in printable {
            guard line.utf8.count + 4 <= maximumNameByteCount else { break }
            line.unicodeScalars.append(scalar)
        }
        return line
    }

    private static func media(_ track: DescribedTrack) -> SDPMediaDescription {
        let map = track.format.rtpMap(payloadType: track.payloadType, clock: track.clock)
        var attributes = [SDPAttribute("rtpmap", map.rendered)]
        let parameters = track.format.parameters
        if !parameters.isEmpty {
            let rendered = SDPFormatParameters(payloadType: track.payloadType, parameters: parameters).rendered
            attributes.append(SDPAttribute("fmtp", rendered))
        }
        if let language = track.language, language != "und" { attributes.append(SDPAttribute("lang", line(language))) }
        attributes.append(SDPAttribute("control", control(ofTrack: track.trackIndex)))
        return SDPMediaDescription(
            mediaType: track.format.mediaType.rawValue, formats: ["\(track.payloadType)"], attributes: attributes)
    }
}

extension RTPPayloadFormat {
    /// RFC 3551 §6 where the codec has a number of its own, else a dynamic one: players map either.
    func payloadType(trackIndex: Int) -> UInt8 {
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

    fileprivate func rtpMap(payloadType: UInt8, clock: Timescale) -> SDPRTPMap {
        let (name, channelCount): (String, Int?) =
            switch self {
            case .h264: ("H264", nil)
            case .hevc: ("H265", nil)
            case .av1: ("AV1", nil)
            case .aac(let configuration):
                ("MPEG4-GENERIC", configuration.channelCount > 0 ? configuration.channelCount : nil)
            // RFC 7587 §7: always two, whatever is coded.
            case .opus: ("opus", 2)
            case .foreign(let codec): codec.encodingName
            }
        return SDPRTPMap(
            payloadType: payloadType, encodingName: name, clockRate: clock.ticksPerSecond, channelCount: channelCount)
    }

    fileprivate var parameters: [String: String] {
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

    /// RFC 6184 §8.1.
    private static func parameters(_ configuration: H264Configuration) -> [String: String] {
        let sps = configuration.sequenceParameterSet
        return [
            "packetization-mode": "1",
            "profile-level-id": hexadecimal([sps.profileIDC, sps.constraintFlags, sps.levelIDC]).uppercased(),
            "sprop-parameter-sets": base64(
                configuration.sequenceParameterSets + configuration.pictureParameterSets),
        ]
    }

    /// RFC 7798 §7.1.
    private static func parameters(_ configuration: HEVCConfiguration) -> [String: String] {
        [
            "sprop-vps": base64(configuration.videoParameterSets),
            "sprop-sps": base64(configuration.sequenceParameterSets),
            "sprop-pps": base64(configuration.pictureParameterSets),
        ]
    }

    /// RTP Payload Format For AV1 §7.2.1.
    private static func parameters(_ configuration: AV1Configuration) -> [String: String] {
        let header = configuration.sequenceHeader
        return [
            "profile": "\(header.profile)", "level-idx": "\(header.levelIndex)", "tier": header.isHighTier ? "1" : "0",
        ]
    }

    /// RFC 3640 §4.1, AAC-hbr. The profile is a mere hint; 1 is what everybody writes.
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
    /// As `rtpmap` has them, with the channels where there are more than one can guess.
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
        }
    }
}
