package import MediaCore
import NIOCore

/// A source of packets (RFC 3550 §5.1) with its SSRC, sequence numbers and clock. All readers of a track share it, as
/// they would with multicast, so that each packet is made only once.
package struct RTPPacketStream: Sendable {
    package let payloadType: UInt8
    /// Clock rate of the timestamps.
    package let clock: Timescale
    /// SSRC.
    package let source: UInt32
    /// Channel number in the framing, unless a reader chooses another.
    package let channel: UInt8
    /// The sequence number that the next packet will have.
    package private(set) var nextSequenceNumber: UInt16
    /// Random offset of timestamps; the first sequence number is random as well (RFC 3550 §5.1).
    private let timestampOffset: UInt32
    /// Packets sent since the start, for sender reports.
    package private(set) var packetCount: UInt32 = 0
    /// Payload bytes sent since the start, without RTP headers, for sender reports.
    package private(set) var octetCount: UInt32 = 0

    /// Creates a source with a random SSRC, first sequence number and timestamp offset (RFC 3550 §5.1).
    package init(
        payloadType: UInt8, clock: Timescale, channel: UInt8, using generator: inout some RandomNumberGenerator
    ) {
        self.payloadType = payloadType
        self.clock = clock
        self.channel = channel
        source = generator.next()
        nextSequenceNumber = generator.next()
        timestampOffset = generator.next()
    }

    /// The RTP timestamp of a media time; it wraps as the field does.
    package func rtpTimestamp(of time: MediaTime) -> UInt32 {
        UInt32(truncatingIfNeeded: time.converted(to: clock).value) &+ timestampOffset
    }

    mutating func makeBatch(capacity: Int, allocator: ByteBufferAllocator) -> RTPPacketBatch {
        RTPPacketBatch(channel: channel, capacity: capacity, allocator: allocator)
    }

    /// Appends a packet with a header.
    ///
    /// - Parameter writePayload: appends at least one byte, and at most as many as the limits allow.
    mutating func appendPacket(
        to batch: inout RTPPacketBatch, marker: Bool, rtpTimestamp: UInt32,
        _ writePayload: (inout ByteBuffer) -> Void
    ) {
        let header = (
            UInt8(0x80), (marker ? 0x80 : 0) | (payloadType & 0x7F), nextSequenceNumber, rtpTimestamp, source
        )
        var payloadByteCount = 0
        batch.append { buffer in
            buffer.writeMultipleIntegers(header.0, header.1, header.2, header.3, header.4)
            let start = buffer.writerIndex
            writePayload(&buffer)
            payloadByteCount = buffer.writerIndex - start
        }
        batch.noteFirst(sequenceNumber: nextSequenceNumber)
        nextSequenceNumber &+= 1
        packetCount &+= 1
        octetCount &+= UInt32(truncatingIfNeeded: payloadByteCount)
    }

    // MARK: RTCP

    /// A sender report (RFC 3550 §6.4.1), with the canonical name that every compound packet must contain (§6.1).
    ///
    /// - Parameters:
    ///   - time: the media time that is due at `wallClockTime`.
    ///   - wallClockTime: the wall-clock time of the report.
    ///   - canonicalName: the CNAME of the source.
    package func senderReport(
        time: MediaTime, wallClockTime: NTPTimestamp, canonicalName: String
    ) -> [RTCPPacket] {
        let report = RTCPSenderReport(
            source: source, ntpTimestamp: wallClockTime, rtpTimestamp: rtpTimestamp(of: time),
            packetCount: packetCount, octetCount: octetCount)
        return [.senderReport(report), .sourceDescription(source: source, canonicalName: canonicalName)]
    }

    /// The source's goodbye (RFC 3550 §6.6), as a compound packet.
    package func goodbye(canonicalName: String) -> [RTCPPacket] {
        [
            .receiverReport(RTCPReceiverReport(source: source, blocks: [])),
            .sourceDescription(source: source, canonicalName: canonicalName), .bye(sources: [source]),
        ]
    }
}
