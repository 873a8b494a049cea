import NIOCore

/// Assembles a frame that arrived in several packets.
///
/// A frame in a single packet remains a slice of it; longer frames are copied, because a sample of these codecs is
/// one run of bytes.
struct FrameAssembly: Sendable {
    private(set) var rtpTimestamp: UInt32?
    private(set) var frame = ByteBuffer()
    private(set) var isDamaged = false
    private var fragmentCount = 0

    var isEmpty: Bool { rtpTimestamp == nil }
    var byteCount: Int { frame.readableBytes }

    mutating func begin(rtpTimestamp: UInt32) {
        self = FrameAssembly()
        self.rtpTimestamp = rtpTimestamp
    }

    /// Appends a fragment.
    ///
    /// - Throws: ``DepacketizationError`` if the frame becomes too long; it then counts as damaged.
    mutating func append(
        _ bytes: ByteBuffer, maximumByteCount: Int, _ packet: RTPPacket
    ) throws(DepacketizationError) {
        guard !isDamaged else { return }
        guard frame.readableBytes + bytes.readableBytes <= maximumByteCount else {
            damage()
            throw DepacketizationError(.limitExceeded, packet, "the frame has more than \(maximumByteCount) bytes")
        }
        fragmentCount += 1
        if fragmentCount == 1 { frame = bytes } else { frame.writeImmutableBuffer(bytes) }
    }

    /// Merges the first bits of a fragment into the last byte of the previous one; both contain the byte in which the
    /// cut lies (RFC 2190 §4.1).
    mutating func mergeIntoLastByte(_ bits: UInt8) {
        guard frame.readableBytes > 0, let last = frame.getInteger(at: frame.writerIndex - 1, as: UInt8.self) else {
            return
        }
        frame.setInteger(last | bits, at: frame.writerIndex - 1)
    }

    /// Appends bytes that the frame's container requires after it. They are Antena's own and do not count against the
    /// limit.
    mutating func appendTrailer(_ bytes: ByteBuffer) { frame.writeImmutableBuffer(bytes) }

    /// Discards the frame's bytes, which are of no further use.
    mutating func damage() {
        isDamaged = true
        frame = ByteBuffer()
    }

    mutating func clear() { self = FrameAssembly() }
}
