package import NIOCore

/// The packets of one unit, one after another, each framed for an RTSP connection (RFC 2326 §10.12): a dollar sign,
/// the channel number and the packet's length.
///
/// All readers share one buffer: TCP connections write it as it is; datagrams are slices of it.
package struct RTPPacketBatch: Sendable {
    /// All packets with their framing.
    package private(set) var frames: ByteBuffer
    /// Channel number in the framing of `frames`.
    package let channel: UInt8
    /// Sequence number of the first packet; `nil` for RTCP.
    package private(set) var firstSequenceNumber: UInt16?
    /// Position of each packet's framing, from the start of `frames`.
    private var frameOffsets: [Int] = []

    static let framingByteCount = 4
    /// Largest packet in bytes that the 16-bit length of the framing can express.
    package static let maximumPacketByteCount = Int(UInt16.max)

    init(channel: UInt8, capacity: Int, allocator: ByteBufferAllocator) {
        self.channel = channel
        frames = allocator.buffer(capacity: capacity)
    }

    /// Creates a batch with a compound RTCP packet (RFC 3550 §6.1) for readers that receive reports on `channel`.
    package init(compound packets: [RTCPPacket], channel: UInt8) {
        self.init(channel: channel, capacity: Self.compoundByteCount, allocator: ByteBufferAllocator())
        append { buffer in
            for packet in packets { packet.write(into: &buffer) }
        }
    }

    /// Initial capacity in bytes for a report and a canonical name, or a goodbye.
    private static let compoundByteCount = 128

    /// The number of packets in the batch.
    package var packetCount: Int { frameOffsets.count }
    /// Size of all packets in bytes, with their framing.
    package var byteCount: Int { frames.readableBytes }
    package var isEmpty: Bool { frameOffsets.isEmpty }

    /// The packets without their framing, for datagrams.
    package var packets: some Sequence<ByteBuffer> {
        frameOffsets.indices.lazy.compactMap { index in
            let start = frameOffsets[index] + Self.framingByteCount
            let end = index + 1 < frameOffsets.count ? frameOffsets[index + 1] : frames.writerIndex
            return frames.getSlice(at: start, length: end - start)
        }
    }

    /// The framed packets with another channel number, for a reader that chose it.
    package func framed(channel other: UInt8) -> ByteBuffer {
        guard other != channel else { return frames }
        var copy = frames
        for offset in frameOffsets { copy.setInteger(other, at: offset + 1) }
        return copy
    }

    mutating func noteFirst(sequenceNumber: UInt16) {
        if firstSequenceNumber == nil { firstSequenceNumber = sequenceNumber }
    }

    /// Appends a packet with its framing.
    ///
    /// - Parameter write: appends the packet, header first: at least one byte, at most ``maximumPacketByteCount``.
    mutating func append(_ write: (inout ByteBuffer) -> Void) {
        let start = frames.writerIndex
        frames.writeMultipleIntegers(UInt8(ascii: "$"), channel, UInt16(0))
        write(&frames)
        let byteCount = frames.writerIndex - start - Self.framingByteCount
        frames.setInteger(UInt16(clamping: byteCount), at: start + 2)
        frameOffsets.append(start)
    }
}
