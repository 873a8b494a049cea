package import MediaCore
import NIOCore

/// One source of packets (RFC 3550 §5.1): its SSRC, its sequence numbers, its clock. All readers of a track share
/// it, as they would by multicast, so that a packet is made once.
package struct RTPPacketStream: Sendable {
    package let payloadType: UInt8
    /// Ticks a second, never zero.
    package let clock: Timescale
    package let source: UInt32
    /// Where the packets are framed for, unless a reader chooses another.
    package let channel: UInt8
    package private(set) var nextSequenceNumber: UInt16
    /// RFC 3550 §5.1: random, as the first sequence number is.
    private let timestampOffset: UInt32
    /// Since the start, without header: what sender reports tell.
    package private(set) var packetCount: UInt32 = 0
    package private(set) var octetCount: UInt32 = 0

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

    /// Wraps, as the field does.
    package func rtpTimestamp(of time: MediaTime) -> UInt32 {
        UInt32(truncatingIfNeeded: time.converted(to: clock).value) &+ timestampOffset
    }

    mutating func makeBatch(capacity: Int, allocator: ByteBufferAllocator) -> RTPPacketBatch {
        RTPPacketBatch(channel: channel, capacity: capacity, allocator: allocator)
    }

    /// - Parameter writePayload: appends at least one byte, and no more than the limits allow.
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

    /// RFC 3550 §6.4.1, with the canonical name that §6.1 wants in every compound packet.
    ///
    /// - Parameter time: the media time that is due at `wallClockTime`.
    package func senderReport(
        time: MediaTime, wallClockTime: NTPTimestamp, canonicalName: String
    ) -> [RTCPPacket] {
        let report = RTCPSenderReport(
            source: source, ntpTimestamp: wallClockTime, rtpTimestamp: rtpTimestamp(of: time),
            packetCount: packetCount, octetCount: octetCount)
        return [.senderReport(report), .sourceDescription(source: source, canonicalName: canonicalName)]
    }

    /// The source's last words (§6.6).
    package func goodbye(canonicalName: String) -> [RTCPPacket] {
        [
            .receiverReport(RTCPReceiverReport(source: source, blocks: [])),
            .sourceDescription(source: source, canonicalName: canonicalName), .bye(sources: [source]),
        ]
    }
}
