import Codecs
import Foundation
import MediaCore
import RTPTransport
import SessionDescription

/// How a media description maps to what can be received here.
enum PublishedTrackFormat: Equatable {
    case usable(RTPTrackFormat, MediaType)
    /// Neither audio nor video: set up as asked, then ignored. ONVIF cameras announce their metadata so.
    case ignored

    struct Unsupported: Error, CustomStringConvertible {
        var description: String
    }

    /// - Throws: ``Unsupported``, in words for the publisher.
    init(_ media: SDPMediaDescription) throws {
        guard let mediaType = MediaType(rawValue: media.mediaType) else {
            self = .ignored
            return
        }
        guard let map = media.rtpMap else {
            throw Unsupported(description: "the \(media.mediaType) track has no usable rtpmap")
        }
        let parameters = media.formatParameters
        switch (mediaType, map.encodingName.lowercased()) {
        case (.video, "h264"):
            self = .usable(try Self.h264(map, parameters), .video)
        case (.audio, "mpeg4-generic"):
            self = .usable(try Self.aac(map, parameters), .audio)
        default:
            throw Unsupported(
                description: "\(media.mediaType) codec \(map.encodingName) is not supported; send H.264 and AAC")
        }
    }

    /// RFC 6184 §8.1.
    private static func h264(_ map: SDPRTPMap, _ parameters: SDPFormatParameters) throws -> RTPTrackFormat {
        guard parameters.integer("packetization-mode") ?? 0 < 2 else {
            throw Unsupported(description: "H.264 packetization mode 2 (interleaved) is not supported; use mode 1")
        }
        var sequenceSets: [[UInt8]] = []
        var pictureSets: [[UInt8]] = []
        for text in (parameters["sprop-parameter-sets"] ?? "").split(separator: ",") {
            guard let data = Data(base64Encoded: String(text)), let header = data.first else { continue }
            switch H264NALUnitType(headerByte: header) {
            case .sequenceParameterSet: sequenceSets.append(Array(data))
            case .pictureParameterSet: pictureSets.append(Array(data))
            default: break
            }
        }
        // Missing or broken sets are no reason to refuse: most encoders repeat them in band (MediaMTX #5745).
        let configuration = try? H264Configuration(
            sequenceParameterSets: sequenceSets, pictureParameterSets: pictureSets)
        return RTPTrackFormat(
            payloadType: map.payloadType, clockRate: map.clockRate, payload: .h264(configuration))
    }

    /// RFC 3640 §4.1.
    private static func aac(_ map: SDPRTPMap, _ parameters: SDPFormatParameters) throws -> RTPTrackFormat {
        let mode = (parameters["mode"] ?? "AAC-hbr").lowercased()
        guard mode == "aac-hbr" || mode == "aac-lbr" else {
            throw Unsupported(description: "MPEG-4 audio mode \(mode) is not supported; use AAC-hbr")
        }
        var layout: AACDepacketizer.HeaderLayout = mode == "aac-hbr" ? .highBitRate : .lowBitRate
        layout.sizeBitCount = parameters.integer("sizelength") ?? layout.sizeBitCount
        layout.indexBitCount = parameters.integer("indexlength") ?? layout.indexBitCount
        layout.indexDeltaBitCount = parameters.integer("indexdeltalength") ?? layout.indexDeltaBitCount
        guard layout.isUsable, unusedHeaderFields.allSatisfy({ parameters.integer($0) ?? 0 == 0 }) else {
            throw Unsupported(description: "AAC with other AU header fields than size and index is not supported")
        }
        do {
            let configuration = try audioConfiguration(map, parameters)
            return RTPTrackFormat(
                payloadType: map.payloadType, clockRate: map.clockRate, payload: .aac(configuration, layout))
        } catch {
            throw Unsupported(description: "the AAC track's config cannot be used: \(error)")
        }
    }

    /// Optional fields of the AU header (§3.2.1.1) that no AAC sender seen uses.
    private static let unusedHeaderFields = [
        "ctsdeltalength", "dtsdeltalength", "randomaccessindication", "streamstateindication",
        "auxiliarydatasizelength",
    ]

    private static func audioConfiguration(
        _ map: SDPRTPMap, _ parameters: SDPFormatParameters
    ) throws -> AACConfiguration {
        guard let config = parameters["config"] else {
            return try AACConfiguration(sampleRate: Int(map.clockRate), channelCount: map.channelCount ?? 1)
        }
        let digits = Array(config.utf8.prefix(2 * AACConfiguration.maximumByteCount + 2))
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
        }
        guard !bytes.contains(nil) else { throw Unsupported(description: "not hexadecimal") }
        return try AACConfiguration(parsingAudioSpecificConfig: bytes.compactMap { $0 })
    }
}
