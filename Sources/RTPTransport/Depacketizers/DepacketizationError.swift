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
    /// RTP sequence number of the packet at fault.
    package var sequenceNumber: UInt16
    package var reason: String

    /// Creates an error that names the packet by its sequence number.
    package init(_ code: Code, _ packet: RTPPacket, _ reason: String) {
        self.code = code
        sequenceNumber = packet.sequenceNumber
        self.reason = reason
    }

    package var description: String { "RTP packet \(sequenceNumber): \(reason)" }
}
