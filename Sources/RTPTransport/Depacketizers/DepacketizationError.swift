import Codecs

/// The reason why the unit that was being assembled is dropped.
package struct DepacketizationError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Hashable, Sendable {
        case truncated
        case malformed
        case unsupported
        case limitExceeded
    }

    package var code: Code
    package var packet: RTPPacketIdentity
    package var reason: String

    /// - Parameters:
    ///   - code: the kind of fault.
    ///   - packet: the packet at fault.
    ///   - reason: what is wrong with it, human-readable.
    package init(_ code: Code, _ packet: RTPPacket, _ reason: String) {
        self.code = code
        self.packet = packet.identity
        self.reason = reason
    }

    package var description: String { "RTP packet \(packet.sequenceNumber): \(reason)" }
}
