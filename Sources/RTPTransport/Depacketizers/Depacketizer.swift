/// Turns the packets of one track, which arrive in order, into units.
///
/// The protocol consists of requirements only: a value held as `any Depacketizer` is changed in place and never
/// copied.
package protocol Depacketizer: Sendable {
    /// Processes the next packet.
    ///
    /// - Throws: ``DepacketizationError`` if the packet cannot be used; the unit that it belongs to is dropped.
    mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError)

    /// Reports that packets between the previous one and the next will not arrive.
    mutating func packetsLost(into output: inout [DepacketizerOutput])
}
