/// How large packets are made.
package struct PacketizationLimits: Hashable, Sendable {
    /// RTP header included. Ethernet's 1500 bytes less IPv6 (40) and UDP (8), and room for a tunnel's headers.
    package var maximumPacketByteCount = 1_400

    package static let standard = PacketizationLimits()

    package init() {}

    var maximumPayloadByteCount: Int {
        min(RTPPacketBatch.maximumPacketByteCount, max(Self.minimumPacketByteCount, maximumPacketByteCount))
            - RTPPacket.headerByteCount
    }

    /// Room for any payload header and some media.
    static let minimumPacketByteCount = 64
    /// Of a frame that its format does not allow to be cut, such as Opus: IP fragments the datagram.
    static let maximumUncutByteCount = 8 * 1_024
}
