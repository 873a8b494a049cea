package import MediaCore
import NIOCore

/// A sender report (RFC 3550 §6.4.1), which relates RTP timestamps to wall-clock time.
package struct RTCPSenderReport: Hashable, Sendable {
    /// The SSRC of the sender.
    package var source: UInt32
    package var ntpTimestamp: NTPTimestamp
    /// The RTP timestamp that corresponds to the wall-clock time.
    package var rtpTimestamp: UInt32
    /// Number of packets sent since the start.
    package var packetCount: UInt32
    /// Number of payload bytes sent since the start.
    package var octetCount: UInt32

    package init(
        source: UInt32, ntpTimestamp: NTPTimestamp, rtpTimestamp: UInt32, packetCount: UInt32 = 0,
        octetCount: UInt32 = 0
    ) {
        self.source = source
        self.ntpTimestamp = ntpTimestamp
        self.rtpTimestamp = rtpTimestamp
        self.packetCount = packetCount
        self.octetCount = octetCount
    }

    init(parsing content: inout ByteBuffer, blockCount: Int) throws(RTPParsingError) {
        guard
            let (source, ntp, rtp, packets, octets) = content.readMultipleIntegers(
                as: (UInt32, UInt64, UInt32, UInt32, UInt32).self)
        else { throw RTPParsingError(.truncated, "sender report") }
        self.init(
            source: source, ntpTimestamp: NTPTimestamp(rawValue: ntp), rtpTimestamp: rtp, packetCount: packets,
            octetCount: octets)
    }

    func write(into buffer: inout ByteBuffer) {
        writeRTCPHeader(count: 0, packetType: 200, words: 6, into: &buffer)
        buffer.writeMultipleIntegers(source, ntpTimestamp.rawValue, rtpTimestamp, packetCount, octetCount)
    }
}
