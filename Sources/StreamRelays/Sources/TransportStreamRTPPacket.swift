import NIOCore

/// A packet of RTP that carries packets of a transport stream (RFC 2250 §2).
struct TransportStreamRTPPacket: Sendable, Hashable {
    var source: UInt32
    var sequence: UInt16
    var payload: ByteBuffer

    /// - Returns: `nil` for what is no RTP, or has no payload.
    init?(_ bytes: ByteBuffer) {
        var bytes = bytes
        guard let first = bytes.readInteger(as: UInt8.self), first >> 6 == 2, bytes.readInteger(as: UInt8.self) != nil,
            let sequence = bytes.readInteger(as: UInt16.self), bytes.readInteger(as: UInt32.self) != nil,
            let source = bytes.readInteger(as: UInt32.self), bytes.readSlice(length: Int(first & 0xF) * 4) != nil
        else { return nil }
        if first & 0x10 != 0 {
            guard bytes.readInteger(as: UInt16.self) != nil, let count = bytes.readInteger(as: UInt16.self),
                bytes.readSlice(length: Int(count) * 4) != nil
            else { return nil }
        }
        if first & 0x20 != 0, let padding = bytes.readableBytesView.last {
            guard Int(padding) <= bytes.readableBytes else { return nil }
            bytes = bytes.getSlice(at: bytes.readerIndex, length: bytes.readableBytes - Int(padding)) ?? bytes
        }
        guard bytes.readableBytes > 0 else { return nil }
        (self.source, self.sequence, payload) = (source, sequence, bytes)
    }
}
