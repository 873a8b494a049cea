import Codecs
package import NIOCore

/// The framing of messages between a server and its live worker: the length of the rest (four bytes), a type (one byte)
/// and a body. All numbers are big-endian.
package enum LiveWorkerMessage {
    /// The largest message in bytes, more than the largest unit that a queue accepts; a larger one counts as damage.
    package static let maximumByteCount = LiveTranscodingLimits.standard.maximumQueuedByteCount + (64 << 10)

    /// A message could not be parsed.
    package struct Damage: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    /// Removes one message from the buffer; returns `nil` while it is incomplete.
    package static func next(from buffer: inout ByteBuffer) throws(Damage) -> (type: UInt8, body: ByteBuffer)? {
        guard let length: UInt32 = buffer.getInteger(at: buffer.readerIndex) else { return nil }
        guard length > 0, length <= maximumByteCount else { throw Damage(description: "a message of \(length) bytes") }
        guard buffer.readableBytes >= 4 + Int(length) else { return nil }
        buffer.moveReaderIndex(forwardBy: 4)
        guard let type: UInt8 = buffer.readInteger(), let body = buffer.readSlice(length: Int(length) - 1) else {
            throw Damage(description: "a message without a type")
        }
        return (type, body)
    }

    static func write(_ type: UInt8, into buffer: inout ByteBuffer, _ body: (inout ByteBuffer) -> Void) {
        let start = buffer.writerIndex
        buffer.writeInteger(UInt32(0))
        buffer.writeInteger(type)
        body(&buffer)
        buffer.setInteger(UInt32(clamping: buffer.writerIndex - start - 4), at: start)
    }
}
