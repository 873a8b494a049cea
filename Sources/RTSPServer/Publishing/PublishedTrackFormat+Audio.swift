import Codecs
import RTPTransport
import SessionDescription

extension PublishedTrackFormat {
    static let supportedAudio = "AAC, Opus, MP3, G.711, G.722, L16 or AMR-NB"

    /// Supported numbers of channels. The limit leaves room above the six for which RFC 3551 §4.1 defines an order.
    private static let channelCounts = 1...8
    /// Supported sampling rates of uncompressed audio, in hertz.
    private static let sampleRates: ClosedRange<UInt32> = 4_000...192_000

    /// The payload format of an audio codec.
    ///
    /// - Parameter name: encoding name in lower case.
    /// - Returns: `nil` for a codec that is not supported.
    static func audioPayload(
        _ name: String, _ map: SDPRTPMap, _ parameters: SDPFormatParameters
    ) throws -> RTPTrackFormat.Payload? {
        switch name {
        case "mpeg4-generic": try aac(map, parameters)
        case "mp4a-latm": try latm(parameters)
        // GStreamer before 1.12 uses the second name.
        case "opus", "x-gst-opus-draft-spittka-00": try opus(parameters)
        case "pcmu": .pcmMuLaw(channelCount: try channelCount(map))
        case "pcma": .pcmALaw(channelCount: try channelCount(map))
        case "l16": .linearPCM(channelCount: try channelCount(map))
        case "g722": .g722
        case "mpa": .mpegAudio
        case "mpa-robust": .robustMPEGAudio
        case "amr": try adaptiveMultiRate(map, parameters)
        default: nil
        }
    }

    /// The number of channels in the `rtpmap`, which is 1 if it is omitted (RFC 8866 §6.6).
    private static func channelCount(_ map: SDPRTPMap) throws -> Int {
        let count = map.channelCount ?? 1
        guard channelCounts.contains(count), sampleRates.contains(map.clockRate) else {
            throw Unsupported(
                description: "\(map.encodingName) with \(count) channels at \(map.clockRate) Hz is not supported")
        }
        return count
    }

    /// Format parameters of RFC 7587 §6.1. The `rtpmap` always states two channels; a stereo decoder also accepts
    /// mono.
    private static func opus(_ parameters: SDPFormatParameters) throws -> RTPTrackFormat.Payload {
        let isMono = parameters["sprop-stereo"] == "0"
        return .opus(
            try OpusConfiguration(
                channelCount: isMono ? 1 : 2, inputSampleRate: parameters.integer("sprop-maxcapturerate") ?? 48_000))
    }

    /// Format parameters of RFC 4867 §8.1. libstreaming announces `octet-align=1`.
    private static func adaptiveMultiRate(
        _ map: SDPRTPMap, _ parameters: SDPFormatParameters
    ) throws -> RTPTrackFormat.Payload {
        guard map.channelCount ?? 1 == 1, parameters.integer("crc") ?? 0 == 0,
            parameters.integer("robust-sorting") ?? 0 == 0, parameters["interleaving"] == nil
        else {
            throw Unsupported(
                description: "AMR with several channels, CRC, robust sorting or interleaving is not supported")
        }
        return .adaptiveMultiRate(parameters.integer("octet-align") == 1 ? .octetAligned : .bandwidthEfficient)
    }

    /// Format parameters of RFC 6416 §7.3: `cpresent` is 1 unless the description states otherwise.
    private static func latm(_ parameters: SDPFormatParameters) throws -> RTPTrackFormat.Payload {
        let isInBand = parameters.integer("cpresent") ?? 1 != 0
        guard let config = parameters["config"] else {
            guard isInBand else {
                throw Unsupported(description: "the MP4A-LATM track has neither a config nor cpresent=1")
            }
            return .latm(nil, isInBand: true)
        }
        do {
            let bytes = try bytes(hexadecimal: config, maximumByteCount: LATMStreamMuxConfiguration.maximumByteCount)
            return .latm(try LATMStreamMuxConfiguration(parsing: bytes), isInBand: isInBand)
        } catch {
            throw Unsupported(description: "the MP4A-LATM track's config cannot be used: \(error)")
        }
    }

    /// Format parameters of RFC 3640 §4.1.
    private static func aac(_ map: SDPRTPMap, _ parameters: SDPFormatParameters) throws -> RTPTrackFormat.Payload {
        let mode = (parameters["mode"] ?? "AAC-hbr").lowercased()
        guard mode == "aac-hbr" || mode == "aac-lbr" else {
            throw Unsupported(description: "MPEG-4 audio mode \(mode) is not supported; use AAC-hbr")
        }
        var layout: AACDepacketizer.HeaderLayout = mode == "aac-hbr" ? .highBitRate : .lowBitRate
        layout.sizeBitCount = parameters.integer("sizelength") ?? layout.sizeBitCount
        layout.indexBitCount = parameters.integer("indexlength") ?? layout.indexBitCount
        layout.indexDeltaBitCount = parameters.integer("indexdeltalength") ?? layout.indexDeltaBitCount
        guard layout.isUsable, unusedHeaderFields.allSatisfy({ parameters.integer($0) ?? 0 == 0 }) else {
            throw Unsupported(description: "AAC with AU header fields other than size and index is not supported")
        }
        do {
            return .aac(try audioConfiguration(map, parameters), layout)
        } catch {
            throw Unsupported(description: "the AAC track's config cannot be used: \(error)")
        }
    }

    /// Optional fields of the AU header (RFC 3640 §3.2.1.1) that no known AAC sender uses.
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
        return try AACConfiguration(
            parsingAudioSpecificConfig: try bytes(
                hexadecimal: config, maximumByteCount: AACConfiguration.maximumByteCount))
    }

    /// Parses hexadecimal digits. It reads one byte more than the maximum, so that the caller's parser detects excess
    /// bytes.
    private static func bytes(hexadecimal text: String, maximumByteCount: Int) throws -> [UInt8] {
        let digits = Array(text.utf8.prefix(2 * maximumByteCount + 2))
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
        }
        guard !bytes.contains(nil) else { throw Unsupported(description: "it is not hexadecimal") }
        return bytes.compactMap { $0 }
    }
}
