/// An `rtpmap` attribute such as `a=rtpmap:96 H264/90000` (RFC 8866 §6.6).
package struct SDPRTPMap: Sendable, Hashable {
    package var payloadType: UInt8
    /// Encoding name as written; comparison ignores case.
    package var encodingName: String
    /// Clock rate in ticks per second, never zero.
    package var clockRate: UInt32
    /// Number of audio channels; `nil` if not given. libstreaming omits it for AAC.
    package var channelCount: Int?

    package init(payloadType: UInt8, encodingName: String, clockRate: UInt32, channelCount: Int? = nil) {
        self.payloadType = payloadType
        self.encodingName = encodingName
        self.clockRate = clockRate
        self.channelCount = channelCount
    }

    /// Parses `96 NAME/RATE[/CHANNELS]`; `nil` for anything else.
    package init?(parsing value: String) {
        let fields = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard fields.count == 2, let payloadType = UInt8(fields[0]), payloadType < 128 else { return nil }
        let parts = fields[1].split(separator: "/", omittingEmptySubsequences: false).map(trimmingSpaces)
        guard parts.count >= 2, !parts[0].isEmpty, let rate = UInt32(parts[1]), rate > 0 else { return nil }
        self.init(
            payloadType: payloadType, encodingName: parts[0], clockRate: rate,
            channelCount: parts.count > 2 ? Int(parts[2]) : nil)
    }

    /// The value of the attribute's line.
    package var rendered: String {
        "\(payloadType) \(encodingName)/\(clockRate)" + (channelCount.map { "/\($0)" } ?? "")
    }

    /// Static payload types (RFC 3551 tables 4 and 5) that publishers still use.
    static let staticPayloadTypes: [UInt8: SDPRTPMap] = [
        0: SDPRTPMap(payloadType: 0, encodingName: "PCMU", clockRate: 8_000, channelCount: 1),
        8: SDPRTPMap(payloadType: 8, encodingName: "PCMA", clockRate: 8_000, channelCount: 1),
        9: SDPRTPMap(payloadType: 9, encodingName: "G722", clockRate: 8_000, channelCount: 1),
        10: SDPRTPMap(payloadType: 10, encodingName: "L16", clockRate: 44_100, channelCount: 2),
        11: SDPRTPMap(payloadType: 11, encodingName: "L16", clockRate: 44_100, channelCount: 1),
        14: SDPRTPMap(payloadType: 14, encodingName: "MPA", clockRate: 90_000),
        26: SDPRTPMap(payloadType: 26, encodingName: "JPEG", clockRate: 90_000),
        32: SDPRTPMap(payloadType: 32, encodingName: "MPV", clockRate: 90_000),
        33: SDPRTPMap(payloadType: 33, encodingName: "MP2T", clockRate: 90_000),
        34: SDPRTPMap(payloadType: 34, encodingName: "H263", clockRate: 90_000),
    ]
}
