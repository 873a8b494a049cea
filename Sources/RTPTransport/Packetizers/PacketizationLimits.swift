/// Size limits for packets that are sent.
package struct PacketizationLimits: Hashable, Sendable {
    /// Packet size in bytes, RTP header included: Ethernet's 1500 bytes minus IPv6 (40) and UDP (8), with room for
    /// the headers of a tunnel.
    package var maximumPacketByteCount = 1_400

    package static let standard = PacketizationLimits()

    package init() {}

    var maximumPayloadByteCount: Int {
        min(RTPPacketBatch.maximumPacketByteCount, max(Self.minimumPacketByteCount, maximumPacketByteCount))
            - RTPPacket.headerByteCount
    }

    /// Smallest packet size in bytes, which has room for any payload header and some media.
    static let minimumPacketByteCount = 64
    /// Size limit in bytes for a frame whose format does not allow fragments, such as Opus; IP fragments the
    /// datagram.
    static let maximumUncutByteCount = 8 * 1_024
}
