package import NIOCore

/// The server's side of the handshake (Adobe, "RTMP 1.0", 2012, §5.2). Encoders need no more than this; the encrypted
/// variant (RTMPE) is refused.
package struct RTMPHandshake: Sendable {
    private enum State {
        case awaitingHello
        case awaitingEcho
        case isOver
    }

    private static let version: UInt8 = 3
    /// Bytes of C1 and of C2.
    private static let byteCount = 1_536
    /// Random bytes in S1.
    package static let randomByteCount = 1_528

    private var state = State.awaitingHello
    private let random: ByteBuffer

    /// - Parameter random: ``randomByteCount`` bytes for S1, which the peer sends back.
    package init(random: ByteBuffer) { self.random = random }

    package var isOver: Bool { state == .isOver }

    /// Reads what has arrived, as far as it belongs to the handshake.
    ///
    /// - Returns: the answer; `nil` if there is none yet.
    /// - Throws: `RTMPError` for another version, such as HTTP on this port.
    package mutating func receive(_ bytes: inout ByteBuffer) throws(RTMPError) -> ByteBuffer? {
        var answer: ByteBuffer?
        if state == .awaitingHello, let version = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) {
            guard version == Self.version else { throw RTMPError("the version of RTMP is \(version), not 3") }
            guard bytes.readableBytes >= 1 + Self.byteCount, var hello = bytes.readSlice(length: 1 + Self.byteCount)
            else { return nil }
            hello.moveReaderIndex(forwardBy: 1)
            var written = ByteBuffer(integer: Self.version)
            written.writeRepeatingByte(0, count: Self.byteCount - Self.randomByteCount)
            written.writeImmutableBuffer(random)
            written.writeImmutableBuffer(hello)
            (answer, state) = (written, .awaitingEcho)
        }
        // Antena does not compare the echo, as encoders that send another one exist.
        if state == .awaitingEcho, bytes.readableBytes >= Self.byteCount {
            bytes.moveReaderIndex(forwardBy: Self.byteCount)
            state = .isOver
        }
        return answer
    }
}
