import NIOCore

/// Depacketizes formats in which each packet is one unit: Opus (RFC 7587 §4.2), G.711, G.722 and L16 (RFC 3551 §4.5).
package struct WholePacketDepacketizer: Depacketizer {
    /// Size of a sample of all channels in bytes; packets hold whole samples.
    private let bytesPerSample: Int

    /// Creates a depacketizer; packets must hold a multiple of `bytesPerSample` bytes, which is at least 1.
    package init(bytesPerSample: Int = 1) { self.bytesPerSample = max(1, bytesPerSample) }

    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        let byteCount = packet.payload.readableBytes
        // Some senders of discontinuous audio use empty packets to keep a path open (RFC 6263 §4.1).
        guard byteCount > 0 else { return }
        guard byteCount % bytesPerSample == 0 else {
            throw DepacketizationError(.malformed, packet, "\(byteCount) bytes are not a whole number of samples")
        }
        output.append(.unit(.audio(packet.payload, rtpTimestamp: packet.rtpTimestamp)))
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) {}
}
