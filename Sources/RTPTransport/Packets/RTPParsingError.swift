/// The bytes are not a valid RTP or RTCP packet. The packet is dropped and counted; the session continues.
package struct RTPParsingError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Hashable, Sendable {
        case truncated
        case unsupportedVersion
        case malformed
    }

    package var code: Code
    /// Name of the part of the packet that is at fault.
    package var structure: String

    /// The packet at fault; `nil` for RTCP, and if not even the packet's header can be read.
    package var packet: RTPPacketIdentity?

    package init(_ code: Code, _ structure: String, _ packet: RTPPacketIdentity? = nil) {
        self.code = code
        self.structure = structure
        self.packet = packet
    }

    package var description: String { "\(structure): \(code)" }
}
