/// A media description: one `m=` section (RFC 8866 §5.14).
package struct SDPMediaDescription: Sendable, Hashable {
    /// Kind of media, such as `video`, `audio` or `application`.
    package var mediaType: String
    package var port: Int
    /// Transport protocol, usually `RTP/AVP`.
    package var transportProtocol: String
    /// Media formats; for RTP, payload type numbers with the preferred one first.
    package var formats: [String]
    /// The section's `c=` line; `nil` if it has none.
    package var connection: String?
    /// The section's `a=` lines, in order.
    package var attributes: [SDPAttribute]

    package init(
        mediaType: String,
        port: Int = 0,
        transportProtocol: String = "RTP/AVP",
        formats: [String],
        connection: String? = nil,
        attributes: [SDPAttribute] = []
    ) {
        self.mediaType = mediaType
        self.port = port
        self.transportProtocol = transportProtocol
        self.formats = formats
        self.connection = connection
        self.attributes = attributes
    }

    /// Control URL, absolute or relative to the session's URL (RFC 2326 §C.1.1); `nil` if the section has none.
    package var control: String? { attributes.value(of: "control") }

    /// The preferred payload type; `nil` if the first format is not a valid RTP payload type number.
    package var payloadType: UInt8? {
        formats.first.flatMap { UInt8($0) }.flatMap { $0 < 128 ? $0 : nil }
    }

    /// The direction attribute; `nil` if the section has none.
    package var direction: SDPDirection? {
        attributes.lazy.compactMap { SDPDirection(rawValue: $0.name) }.first
    }

    /// Encoding of the preferred payload type; `nil` if it is not known. Static payload types (RFC 3551 §6) do not
    /// need an `rtpmap` line.
    package var rtpMap: SDPRTPMap? {
        guard let payloadType else { return nil }
        let mapped = attributes.lazy.filter { $0.name == "rtpmap" }
            .compactMap { $0.value.flatMap(SDPRTPMap.init(parsing:)) }
            .first { $0.payloadType == payloadType }
        return mapped ?? SDPRTPMap.staticPayloadTypes[payloadType]
    }

    /// The `fmtp` parameters of the preferred payload type; empty if there are none.
    package var formatParameters: SDPFormatParameters {
        guard let payloadType else { return SDPFormatParameters() }
        for attribute in attributes where attribute.name == "fmtp" {
            guard let value = attribute.value, let parsed = SDPFormatParameters(parsing: value),
                parsed.payloadType == payloadType
            else { continue }
            return parsed
        }
        return SDPFormatParameters()
    }
}

/// Direction attribute (RFC 8866 §6.7). Publishers disagree on whose point of view it states (libstreaming announces
/// `recvonly`), so a server that records must not decide anything by it.
package enum SDPDirection: String, Sendable, Hashable, CaseIterable {
    case sendReceive = "sendrecv"
    case sendOnly = "sendonly"
    case receiveOnly = "recvonly"
    case inactive
}

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

/// An `fmtp` attribute such as `a=fmtp:96 name=value; name=value` (RFC 8866 §6.15, in the syntax of RTP payload
/// formats).
package struct SDPFormatParameters: Sendable, Hashable {
    /// Payload type that the parameters apply to; `nil` if there are no parameters.
    package var payloadType: UInt8?
    /// Parameter values, keyed by lower-case name. Names are not case-sensitive (RFC 3640 §4.1), and libstreaming
    /// writes `SizeLength`.
    package var parameters: [String: String]

    package init(payloadType: UInt8? = nil, parameters: [String: String] = [:]) {
        self.payloadType = payloadType
        self.parameters = parameters
    }

    /// Parses `96 name=value; name=value`; `nil` if the value does not begin with a payload type.
    package init?(parsing value: String) {
        let fields = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let first = fields.first, let payloadType = UInt8(first) else { return nil }
        var parameters: [String: String] = [:]
        if fields.count == 2 {
            for parameter in fields[1].split(separator: ";") {
                let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = trimmingSpaces(pair[0]).lowercased()
                guard !name.isEmpty else { continue }
                parameters[name] = pair.count == 2 ? trimmingSpaces(pair[1]) : ""
            }
        }
        self.init(payloadType: payloadType, parameters: parameters)
    }

    /// The value of a parameter, whose name is not case-sensitive; `nil` if it is missing.
    package subscript(name: String) -> String? { parameters[name.lowercased()] }

    /// The parameter as an integer; `nil` if it is missing or not an integer.
    package func integer(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

    /// The value of the attribute's line, sorted by name so that equal values render alike.
    package var rendered: String {
        let list = parameters.sorted { $0.key < $1.key }.map { $0.value.isEmpty ? $0.key : "\($0.key)=\($0.value)" }
        return ((payloadType.map { ["\($0)"] } ?? []) + [list.joined(separator: ";")]).joined(separator: " ")
    }
}

/// Removes spaces and tabs at both ends.
func trimmingSpaces(_ text: some StringProtocol) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var rest = Substring(text).drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return String(rest)
}
