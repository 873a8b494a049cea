/// The quality of the line to a publisher whose protocol measures it, since the beginning of the push.
package struct LinkQuality: Sendable, Codable, Hashable {
    /// The round trip in milliseconds.
    package var roundTripMilliseconds: Double
    package var lostPackets: Int
    /// Packets that were sent again.
    package var retransmittedPackets: Int
    /// Packets that came too late, or never.
    package var droppedPackets: Int

    package init(roundTripMilliseconds: Double, lostPackets: Int, retransmittedPackets: Int, droppedPackets: Int) {
        self.roundTripMilliseconds = roundTripMilliseconds
        self.lostPackets = lostPackets
        self.retransmittedPackets = retransmittedPackets
        self.droppedPackets = droppedPackets
    }
}
