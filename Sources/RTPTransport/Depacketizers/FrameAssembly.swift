import NIOCore

/// Puts a frame that came in several packets into one piece.
///
/// A frame of one packet stays a slice of it; longer ones are copied, because a sample of these codecs is one run of
/// bytes.
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

    /// - Throws: where the frame becomes too long; it is damaged then.
    mutating func append(
        _ bytes: ByteBuffer, maximumByteCount: Int, _ packet: RTPPacket
    ) throws(DepacketizationError) {
        guard !isDamaged else { return }
        guard frame.readableBytes + bytes.readableBytes <= maximumByteCount else {
            damage()
            throw DepacketizationError(.limitExceeded, packet, "a frame of more than \(maximumByteCount) bytes")
        }
        fragmentCount += 1
        if fragmentCount == 1 { frame = bytes } else { frame.writeImmutableBuffer(bytes) }
    }

    /// Fragments that are cut in the middle of a byte have it in both (RFC 2190 §4.1).
    mutating func mergeIntoLastByte(_ bits: UInt8) {
        guard frame.readableBytes > 0, let last = frame.getInteger(at: frame.writerIndex - 1, as: UInt8.self) else {
            return
        }
        frame.setInteger(last | bits, at: frame.writerIndex - 1)
    }

    /// What the container of frames wants behind them: of our own, and not counted.
    mutating func appendTrailer(_ bytes: ByteBuffer) { frame.writeImmutableBuffer(bytes) }

    /// What it holds is of no more use.
    mutating func damage() {
        isDamaged = true
        frame = ByteBuffer()
    }

    mutating func clear() { self = FrameAssembly() }
}
