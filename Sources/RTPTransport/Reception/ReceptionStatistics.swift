import MediaCore
package import NIOCore

/// Computes the contents of receiver reports about one source (RFC 3550 §6.4.1, A.3 and A.8).
package struct ReceptionStatistics: Sendable {
    private let clockRate: Int64
    private var source: UInt32 = 0
    private var firstExtendedSequence: UInt32?
    private var highestExtendedSequence: UInt32 = 0
    private var receivedCount: UInt32 = 0
    private var expectedAtLastReport: UInt32 = 0
    private var receivedAtLastReport: UInt32 = 0
    private var previousTransit: Int64?
    /// Jitter in sixteenths of a tick (RFC 3550 A.8).
    private var jitter: Int64 = 0
    private var lastSenderReport: (middle: UInt32, arrival: NIODeadline)?

    /// - Parameter clockRate: ticks per second of the source's RTP timestamps, in which jitter is reported.
    package init(clockRate: UInt32) { self.clockRate = Int64(clockRate) }

    /// Records the arrival of a packet.
    package mutating func received(_ packet: RTPPacket, arrival: NIODeadline) {
        updateSequence(packet)
        let seconds = Int64(arrival.uptimeNanoseconds / 1_000_000_000)
        let rest = Int64(arrival.uptimeNanoseconds % 1_000_000_000)
        let arrivalTicks = seconds &* clockRate &+ rest &* clockRate / 1_000_000_000
        // Both times are truncated to 32 bits, so wraps cancel out.
        let transit = Int64(Int32(truncatingIfNeeded: arrivalTicks &- Int64(packet.rtpTimestamp)))
        if let previousTransit {
            let difference = abs(Int64(Int32(truncatingIfNeeded: transit &- previousTransit)))
            // Each step removes a sixteenth, so the value stays below sixteen times 32 bits.
            jitter += difference - (jitter + 8) >> 4
        }
        previousTransit = transit
    }

    private mutating func updateSequence(_ packet: RTPPacket) {
        if packet.synchronizationSource != source || firstExtendedSequence == nil {
            source = packet.synchronizationSource
            firstExtendedSequence = UInt32(packet.sequenceNumber)
            highestExtendedSequence = UInt32(packet.sequenceNumber)
            receivedCount = 0
            expectedAtLastReport = 0
            receivedAtLastReport = 0
        }
        receivedCount &+= 1
        let step = Int16(bitPattern: packet.sequenceNumber &- UInt16(truncatingIfNeeded: highestExtendedSequence))
        if step > 0 { highestExtendedSequence &+= UInt32(step) }
    }

    /// Records the arrival of a sender report, which the next report block refers to.
    package mutating func received(_ report: RTCPSenderReport, arrival: NIODeadline) {
        lastSenderReport = (report.ntpTimestamp.middle, arrival)
    }

    /// A report block about the interval since the previous one; `nil` before the first packet. Starts the next
    /// interval.
    package mutating func makeReportBlock(now: NIODeadline) -> RTCPReportBlock? {
        guard let firstExtendedSequence else { return nil }
        let expected = highestExtendedSequence &- firstExtendedSequence &+ 1
        let expectedSince = expected &- expectedAtLastReport
        let receivedSince = receivedCount &- receivedAtLastReport
        expectedAtLastReport = expected
        receivedAtLastReport = receivedCount
        let lostSince = Int64(expectedSince) - Int64(receivedSince)
        let fraction = expectedSince == 0 || lostSince <= 0 ? 0 : min(255, lostSince * 256 / Int64(expectedSince))
        let delay = lastSenderReport.map { (now - $0.arrival).nanoseconds / 1_000 * 65_536 / 1_000_000 }
        return RTCPReportBlock(
            source: source, fractionLost: UInt8(clamping: fraction),
            cumulativeLost: Int32(clamping: Int64(expected) - Int64(receivedCount)),
            extendedHighestSequenceNumber: highestExtendedSequence,
            interarrivalJitter: UInt32(clamping: jitter >> 4),
            lastSenderReport: lastSenderReport?.middle ?? 0,
            delaySinceLastSenderReport: UInt32(clamping: delay ?? 0))
    }
}
