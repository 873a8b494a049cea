package import NIOCore

/// A binary frame on an RTSP connection (RFC 2326 §10.12): `$`, the channel, a 16-bit length, and the packet.
package struct InterleavedFrame: Hashable, Sendable {
    package var channel: UInt8
    /// The packet, as a slice of the parsed buffer.
    package var payload: ByteBuffer

    package init(channel: UInt8, payload: ByteBuffer) {
        self.channel = channel
        self.payload = payload
    }

    /// Size in bytes of the marker, the channel number and the length.
    package static let headerByteCount = 4

    /// Appends the frame in its wire format.
    package func write(into buffer: inout ByteBuffer) {
        buffer.writeInteger(InterleavedFrame.marker)
        buffer.writeInteger(channel)
        buffer.writeInteger(UInt16(clamping: payload.readableBytes))
        buffer.writeImmutableBuffer(payload)
    }

    static let marker = UInt8(ascii: "$")
}
