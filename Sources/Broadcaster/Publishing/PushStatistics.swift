import MediaCore
import RTPTransport

/// The statistics of one connection.
struct PushStatistics: Hashable, Sendable {
    /// The number of video frames sent.
    var frameCount = 0
    /// The bytes of all packets, without network headers.
    var byteCount = 0
    /// The round-trip time in seconds; `nil` before it has been measured.
    var roundTrip: Double?
    /// The share of lost packets from 0 to 1, from the receiver's newest report; `nil` if there is none since the last
    /// look.
    var loss: Double?
    /// The number of lost packets since the start, from the receiver's newest reports.
    var lostPacketCount = 0

    /// Adopts the receiver's report about a track.
    mutating func receive(_ block: RTCPReportBlock, arrival: NTPTimestamp) {
        loss = max(loss ?? 0, Double(block.fractionLost) / 256)
        lostPacketCount = max(lostPacketCount, Int(block.cumulativeLost))
        guard block.lastSenderReport != 0 else { return }
        // The round trip is the time since the sender report, less the time for which the receiver held it (RFC 3550
        // §6.4.1).
        let ticks = arrival.middle &- block.lastSenderReport &- block.delaySinceLastSenderReport
        guard ticks < 1 << 31 else { return }
        roundTrip = Double(ticks) / 65_536
    }

    /// Adds the counts of an earlier connection.
    mutating func add(_ earlier: PushStatistics) {
        frameCount += earlier.frameCount
        byteCount += earlier.byteCount
        lostPacketCount += earlier.lostPacketCount
    }
}
