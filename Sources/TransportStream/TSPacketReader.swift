package import NIOCore

/// Finds the packets in a stream of bytes: of 188 bytes, of 192 with a time in front (M2TS), of 204 with a code behind.
package struct TSPacketReader: Sendable {
    private static let sizes = [188, 192, 204]
    /// Packets in a row whose beginnings have to be where they belong.
    private static let agreeingCount = 3

    private var bytes = ByteBuffer()
    /// The distance of packets; `nil` while it is not known.
    private var size: Int?
    private var skippedByteCount = 0

    package init() {}

    package mutating func append(_ more: ByteBuffer) {
        if bytes.readableBytes == 0 { bytes = more } else { bytes.writeImmutableBuffer(more) }
    }

    /// The next packet; `nil` until more bytes come.
    ///
    /// - Throws: `TSError` if there is none in ``TSLimits/unsynchronizedByteCount`` bytes.
    package mutating func next() throws(TSError) -> TSPacket? {
        while true {
            guard let size = try synchronized() else { return nil }
            guard bytes.readableBytes >= size else { return nil }
            guard bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) == TSPacket.syncByte else {
                self.size = nil
                continue
            }
            guard let packet = bytes.getSlice(at: bytes.readerIndex, length: TSPacket.byteCount) else { return nil }
            bytes.moveReaderIndex(forwardBy: size)
            if bytes.readerIndex > 1 << 16 { bytes.discardReadBytes() }
            if let packet = TSPacket(packet), packet.identifier != TSPacket.nullIdentifier { return packet }
        }
    }

    /// The distance of packets, once the bytes begin with one.
    private mutating func synchronized() throws(TSError) -> Int? {
        if let size { return size }
        while bytes.readableBytes >= (Self.agreeingCount - 1) * (Self.sizes.last ?? 0) + 1 {
            let start = bytes.readerIndex
            let found = Self.sizes.first { size in
                (0..<Self.agreeingCount).allSatisfy {
                    bytes.getInteger(at: start + $0 * size, as: UInt8.self) == TSPacket.syncByte
                }
            }
            if let found {
                (size, skippedByteCount) = (found, 0)
                return found
            }
            bytes.moveReaderIndex(forwardBy: 1)
            skippedByteCount += 1
            guard skippedByteCount <= TSLimits.unsynchronizedByteCount else {
                throw TSError("there is no packet of MPEG-TS in \(TSLimits.unsynchronizedByteCount) bytes")
            }
        }
        return nil
    }
}
