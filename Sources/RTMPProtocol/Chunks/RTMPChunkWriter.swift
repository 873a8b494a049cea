package import NIOCore

/// Divides messages into chunks.
package struct RTMPChunkWriter: Sendable {
    /// The chunk stream of messages about the connection (§5.4), and those of commands and media.
    private enum ChunkStream: UInt8 {
        case control = 2
        case command = 3
        case audio = 4
        case video = 6
    }

    private static let initialChunkByteCount = 128

    private var chunkByteCount = Self.initialChunkByteCount

    package init() {}

    /// Tells the peer the size of chunks, and uses it from then on.
    ///
    /// - Parameters:
    ///   - byteCount: bytes of a chunk at most, 1 to `RTMPLimits.chunkByteCount`.
    ///   - bytes: where the message goes.
    package mutating func setChunkSize(_ byteCount: Int, into bytes: inout ByteBuffer) {
        let byteCount = min(max(byteCount, 1), RTMPLimits.chunkByteCount)
        write(RTMPMessage(.setChunkSize, payload: ByteBuffer(integer: UInt32(byteCount))), into: &bytes)
        chunkByteCount = byteCount
    }

    /// Writes a message.
    ///
    /// - Parameters:
    ///   - message: the message, of 16 MiB at most.
    ///   - bytes: receives its chunks.
    package func write(_ message: RTMPMessage, into bytes: inout ByteBuffer) {
        let chunkStream = Self.chunkStream(message).rawValue
        let isExtended = message.timestamp >= RTMPChunkHeader.extendedTime
        bytes.writeInteger(chunkStream)
        bytes.writeInteger24(isExtended ? RTMPChunkHeader.extendedTime : message.timestamp)
        bytes.writeInteger24(UInt32(clamping: message.payload.readableBytes))
        bytes.writeInteger(message.type)
        bytes.writeInteger(message.stream, endianness: .little)
        if isExtended { bytes.writeInteger(message.timestamp) }
        var payload = message.payload
        while let piece = payload.readSlice(length: min(payload.readableBytes, chunkByteCount)) {
            bytes.writeImmutableBuffer(piece)
            guard payload.readableBytes > 0 else { return }
            bytes.writeInteger(RTMPChunkHeader.Format.none.rawValue << 6 | chunkStream)
            if isExtended { bytes.writeInteger(message.timestamp) }
        }
    }

    private static func chunkStream(_ message: RTMPMessage) -> ChunkStream {
        switch message.kind {
        case .audio: .audio
        case .video: .video
        case .command, .commandAMF3, .data, .dataAMF3, .aggregate, nil: .command
        default: .control
        }
    }
}
