import CLibSRT

/// Counters of a connection since its beginning.
package struct SRTStatistics: Sendable, Hashable {
    /// The round trip in milliseconds.
    package var roundTrip = 0.0
    package var packetCount: Int64 = 0
    package var lostCount: Int64 = 0
    /// Packets that were sent again.
    package var retransmittedCount: Int64 = 0
    /// Packets that came too late or never.
    package var droppedCount: Int64 = 0
    /// Milliseconds for which the receiver keeps packets before it plays them.
    package var receiverLatency = 0

    package init() {}

    init(_ values: SRT_TRACEBSTATS, isSender: Bool, skippedCount: Int64) {
        roundTrip = values.msRTT.isFinite ? max(0, values.msRTT) : 0
        receiverLatency = max(0, Int(values.msSndTsbPdDelay))
        if isSender {
            packetCount = values.pktSentTotal
            lostCount = Int64(values.pktSndLossTotal)
            retransmittedCount = Int64(values.pktRetransTotal)
            droppedCount = Int64(values.pktSndDropTotal)
        } else {
            packetCount = values.pktRecvTotal
            lostCount = Int64(values.pktRcvLossTotal)
            retransmittedCount = Int64(values.pktRcvRetrans)
            droppedCount = Int64(values.pktRcvDropTotal).addingReportingOverflow(skippedCount).partialValue
        }
    }
}
