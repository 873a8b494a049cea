/// The statistics of one connection.
struct PushStatistics: Hashable, Sendable {
    /// The number of video frames sent.
    var pictureCount = 0
    /// The bytes of all packets, without network headers.
    var byteCount = 0
    /// The round-trip time in seconds; `nil` before it has been measured.
    var roundTrip: Double?
    /// The share of lost packets from 0 to 1, from the receiver's newest report; `nil` if there is none since the last
    /// look.
    var loss: Double?
    /// The number of lost packets since the start, from the receiver's newest reports.
    var lostPacketCount = 0
}
