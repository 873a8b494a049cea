package import NIOCore

/// An RTP packet (RFC 3550 §5.1).
package struct RTPPacket: Hashable, Sendable {
    package var payloadType: UInt8
    package var marker: Bool
    package var sequenceNumber: UInt16
    /// The timestamp in ticks of the payload format's clock, modulo 2³².
    package var rtpTimestamp: UInt32
    /// The SSRC, which tells the sources of a session apart.
    package var synchronizationSource: UInt32
    /// Payload as a slice of the parsed buffer, without CSRCs, header extension and padding.
    package var payload: ByteBuffer

    package init(
        payloadType: UInt8, marker: Bool, sequenceNumber: UInt16, rtpTimestamp: UInt32,
        synchronizationSource: UInt32, payload: ByteBuffer
    ) {
        self.payloadType = payloadType
        self.marker = marker
        self.sequenceNumber = sequenceNumber
        self.rtpTimestamp = rtpTimestamp
        self.synchronizationSource = synchronizationSource
        self.payload = payload
    }

    static let headerByteCount = 12

    var identity: RTPPacketIdentity {
        RTPPacketIdentity(
            synchronizationSource: synchronizationSource, sequenceNumber: sequenceNumber, rtpTimestamp: rtpTimestamp)
    }

    /// Parses a packet and consumes the buffer.
    ///
    /// - Parameter buffer: exactly one packet.
    package init(parsing buffer: inout ByteBuffer) throws(RTPParsingError) {
        guard
            let (first, second, sequence, timestamp, source) = buffer.readMultipleIntegers(
                as: (UInt8, UInt8, UInt16, UInt32, UInt32).self)
        else { throw RTPParsingError(.truncated, "RTP header") }
        guard first >> 6 == 2 else { throw RTPParsingError(.unsupportedVersion, "RTP header") }
        payloadType = second & 0x7F
        marker = second & 0x80 != 0
        sequenceNumber = sequence
        rtpTimestamp = timestamp
        synchronizationSource = source
        let identity = RTPPacketIdentity(
            synchronizationSource: source, sequenceNumber: sequence, rtpTimestamp: timestamp)
        if first & 0x1F != 0 {
            try Self.skipSources(count: Int(first & 0x0F), hasExtension: first & 0x10 != 0, &buffer, of: identity)
        }
        if first & 0x20 != 0 { try Self.dropPadding(&buffer, of: identity) }
        payload = buffer
        buffer.moveReaderIndex(to: buffer.writerIndex)
    }

    /// Skips the CSRC list and the header extension (RFC 3550 §5.3.1), whose length in 32-bit words follows 16 bits
    /// of profile data.
    private static func skipSources(
        count: Int, hasExtension: Bool, _ buffer: inout ByteBuffer, of packet: RTPPacketIdentity
    ) throws(RTPParsingError) {
        guard buffer.readableBytes >= count * 4 else { throw RTPParsingError(.truncated, "CSRC list", packet) }
        buffer.moveReaderIndex(forwardBy: count * 4)
        guard hasExtension else { return }
        guard let (_, words) = buffer.readMultipleIntegers(as: (UInt16, UInt16).self),
            buffer.readableBytes >= Int(words) * 4
        else { throw RTPParsingError(.truncated, "RTP header extension", packet) }
        buffer.moveReaderIndex(forwardBy: Int(words) * 4)
    }

    /// Removes padding; the last byte states its length, including that byte.
    private static func dropPadding(
        _ buffer: inout ByteBuffer, of packet: RTPPacketIdentity
    ) throws(RTPParsingError) {
        guard buffer.readableBytes > 0, let count = buffer.getInteger(at: buffer.writerIndex - 1, as: UInt8.self),
            count > 0, Int(count) <= buffer.readableBytes
        else { throw RTPParsingError(.malformed, "RTP padding", packet) }
        buffer.moveWriterIndex(to: buffer.writerIndex - Int(count))
    }

    /// Appends the packet without CSRCs, extension or padding.
    package func write(into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(
            UInt8(0x80), (marker ? 0x80 : 0) | (payloadType & 0x7F), sequenceNumber, rtpTimestamp,
            synchronizationSource)
        buffer.writeImmutableBuffer(payload)
    }
}
