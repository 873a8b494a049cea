/// An offer in a `Transport` header (RFC 2326 §12.39), or the server's choice.
package struct RTSPTransport: Hashable, Sendable {
    /// Lower transport protocol.
    package enum LowerTransport: String, Hashable, Sendable {
        case udp = "UDP"
        case tcp = "TCP"
    }

    package var lowerTransport: LowerTransport
    package var isMulticast = false
    /// The client's UDP ports; `nil` if the header does not state them.
    package var clientPorts: RTSPPortPair?
    /// The server's UDP ports; `nil` if the header does not state them.
    package var serverPorts: RTSPPortPair?
    /// Channel numbers of RTP and RTCP on the RTSP connection.
    package var interleavedChannels: RTSPChannelPair?
    /// The mode as sent, without quotes and in lower case. libstreaming and old Android apps send `receive` instead
    /// of `record`.
    package var mode: String?
    /// SSRC of the sender; `nil` if the header does not state it.
    package var synchronizationSource: UInt32?

    package init(lowerTransport: LowerTransport) { self.lowerTransport = lowerTransport }

    package var isForRecording: Bool { mode == "record" || mode == "receive" }

    /// The offers of a header, preferred first. Offers that are malformed or not RTP/AVP are omitted.
    package static func offers(parsing header: String) -> [RTSPTransport] {
        header.split(separator: ",").prefix(maximumOfferCount).compactMap { RTSPTransport(parsing: $0) }
    }

    /// Limit on offers; real clients send one to three.
    static let maximumOfferCount = 16

    private init?(parsing offer: Substring) {
        let fields = offer.split(separator: ";").map(trimmingWhitespace)
        switch fields.first?.uppercased() {
        case "RTP/AVP", "RTP/AVP/UDP": lowerTransport = .udp
        case "RTP/AVP/TCP": lowerTransport = .tcp
        default: return nil
        }
        for field in fields.dropFirst() {
            let pair = field.split(separator: "=", maxSplits: 1)
            let value = pair.count == 2 ? pair[1].filter { $0 != "\"" } : ""
            guard parseParameter(name: pair.first.map { $0.lowercased() } ?? "", value: value) else { return nil }
        }
    }

    /// Parses a parameter; `false` if its value is malformed. Unknown parameters are ignored (RFC 2326 §12.39).
    private mutating func parseParameter(name: String, value: String) -> Bool {
        switch name {
        case "multicast": isMulticast = true
        case "client_port":
            clientPorts = RTSPPortPair(parsing: value)
            return clientPorts != nil
        case "server_port":
            serverPorts = RTSPPortPair(parsing: value)
            return serverPorts != nil
        case "interleaved":
            interleavedChannels = RTSPChannelPair(parsing: value)
            return interleavedChannels != nil
        case "mode": mode = value.lowercased()
        case "ssrc": synchronizationSource = UInt32(value, radix: 16)
        default: break
        }
        return true
    }

    /// The header's value. `client_port` precedes `server_port`, and a parameter follows each if possible, because
    /// libstreaming's pattern requires it.
    package var rendered: String {
        var fields = [lowerTransport == .tcp ? "RTP/AVP/TCP" : "RTP/AVP/UDP", isMulticast ? "multicast" : "unicast"]
        if let clientPorts { fields.append("client_port=\(clientPorts.rtp)-\(clientPorts.rtcp)") }
        if let serverPorts { fields.append("server_port=\(serverPorts.rtp)-\(serverPorts.rtcp)") }
        if let interleavedChannels {
            fields.append("interleaved=\(interleavedChannels.rtp)-\(interleavedChannels.rtcp)")
        }
        if let synchronizationSource {
            let digits = String(synchronizationSource, radix: 16, uppercase: true)
            fields.append("ssrc=" + String(repeating: "0", count: 8 - digits.count) + digits)
        }
        if let mode { fields.append("mode=\(mode)") }
        return fields.joined(separator: ";")
    }
}
