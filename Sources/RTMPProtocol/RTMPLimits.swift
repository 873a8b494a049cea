/// Limits of a connection, so that a peer costs bounded memory.
package struct RTMPLimits: Sendable, Hashable {
    /// Bytes of a message. A key frame of 2160p takes some 2 MB.
    package var messageByteCount: Int
    /// Bytes of all messages that have begun and not ended, which wait in memory.
    package var unfinishedByteCount: Int

    /// Before the peer may publish: commands only, which are short.
    package static let greeting = RTMPLimits(messageByteCount: 64 << 10, unfinishedByteCount: 128 << 10)
    /// For a publisher.
    package static let publishing = RTMPLimits(messageByteCount: 8 << 20, unfinishedByteCount: 12 << 20)

    /// Bytes of a chunk; encoders use 4,096 to 60,000.
    package static let chunkByteCount = 64 << 10
    /// Chunk streams that a peer uses; encoders use four or five.
    package static let chunkStreamCount = 16
}
