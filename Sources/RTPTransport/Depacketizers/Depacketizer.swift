/// Makes units of one track's packets, which come in order.
///
/// A requirement-only protocol: held as `any Depacketizer`, a value changes in place and nothing is copied.
package protocol Depacketizer: Sendable {
    /// - Throws: where the packet is unusable; the unit it belongs to is dropped.
    mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError)

    /// Packets between the last one and the next will not come.
    mutating func packetsLost(into output: inout [DepacketizerOutput])
}
