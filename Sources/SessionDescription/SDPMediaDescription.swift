/// A media description: one `m=` section (RFC 8866 §5.14).
package struct SDPMediaDescription: Sendable, Hashable {
    /// Kind of media, such as `video`, `audio` or `application`.
    package var mediaType: String
    /// The port of the `m=` line; 0 in RTSP, or for a medium that is rejected.
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

/// Removes spaces and tabs at both ends.
func trimmingSpaces(_ text: some StringProtocol) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var rest = Substring(text).drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return String(rest)
}
