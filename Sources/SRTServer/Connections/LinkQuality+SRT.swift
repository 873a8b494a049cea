import LibSRT
import LiveChannels

extension LinkQuality {
    init(_ seen: SRTStatistics) {
        self.init(
            roundTripMilliseconds: seen.roundTrip, lostPackets: Int(clamping: seen.lostCount),
            retransmittedPackets: Int(clamping: seen.retransmittedCount),
            droppedPackets: Int(clamping: seen.droppedCount))
    }
}
