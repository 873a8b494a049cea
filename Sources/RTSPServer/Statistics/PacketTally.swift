/// Packets of one read that could not be used.
struct PacketTally: Equatable {
    var ignored = 0
    var malformed = 0
    var lost = 0
    var foreign = 0

    var isEmpty: Bool { self == PacketTally() }

    func add(to statistics: inout RTSPServerStatistics) {
        statistics.ignoredPacketCount += ignored
        statistics.malformedPacketCount += malformed
        statistics.lostPacketCount += lost
        statistics.foreignDatagramCount += foreign
    }
}
