/// Of one connection.
struct PushStatistics: Hashable, Sendable {
    var pictureCount = 0
    /// Packets' bytes, without the network's headers.
    var byteCount = 0
    /// Seconds; `nil` before it has been measured.
    var roundTrip: Double?
    /// Of packets, 0 to 1, by the receiver's newest report.
    var loss: Double?
    /// Since the start, by the receiver's newest reports.
    var lostPacketCount = 0
}
