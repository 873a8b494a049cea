import NIOCore

/// A receiver's statistics about one source (RFC 3550 §6.4.1).
package struct RTCPReportBlock: Hashable, Sendable {
    /// The SSRC that the block reports on.
    package var source: UInt32
    /// Fraction of packets lost since the last report, in 1/256.
    package var fractionLost: UInt8
    /// Number of packets lost in total, as a signed 24-bit value; duplicates can make it negative.
    package var cumulativeLost: Int32
    /// The highest sequence number received, with the number of its wraps in the upper 16 bits.
    package var extendedHighestSequenceNumber: UInt32
    /// Interarrival jitter in ticks of the source's clock.
    package var interarrivalJitter: UInt32
    /// Middle 32 bits of the last sender report's NTP timestamp.
    package var lastSenderReport: UInt32
    /// Time since the last sender report, in units of 1/65536 s.
    package var delaySinceLastSenderReport: UInt32

    package init(
        source: UInt32, fractionLost: UInt8, cumulativeLost: Int32, extendedHighestSequenceNumber: UInt32,
        interarrivalJitter: UInt32, lastSenderReport: UInt32, delaySinceLastSenderReport: UInt32
    ) {
        self.source = source
        self.fractionLost = fractionLost
        self.cumulativeLost = cumulativeLost
        self.extendedHighestSequenceNumber = extendedHighestSequenceNumber
        self.interarrivalJitter = interarrivalJitter
        self.lastSenderReport = lastSenderReport
        self.delaySinceLastSenderReport = delaySinceLastSenderReport
    }

    init(parsing content: inout ByteBuffer) throws(RTPParsingError) {
        guard
            let (source, lost, highest, jitter, last, delay) = content.readMultipleIntegers(
                as: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32).self)
        else { throw RTPParsingError(.truncated, "report block") }
        self.init(
            source: source, fractionLost: UInt8(lost >> 24),
            cumulativeLost: Int32(bitPattern: lost << 8) >> 8, extendedHighestSequenceNumber: highest,
            interarrivalJitter: jitter, lastSenderReport: last, delaySinceLastSenderReport: delay)
    }

    func write(into buffer: inout ByteBuffer) {
        let lost = max(-0x80_0000, min(0x7F_FFFF, cumulativeLost))
        buffer.writeMultipleIntegers(
            source, UInt32(fractionLost) << 24 | UInt32(bitPattern: lost) & 0xFF_FFFF,
            extendedHighestSequenceNumber, interarrivalJitter, lastSenderReport, delaySinceLastSenderReport)
    }
}
