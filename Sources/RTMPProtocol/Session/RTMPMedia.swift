package import NIOCore

/// The body of an FLV tag.
package struct RTMPMedia: Sendable, Hashable {
    package var isVideo: Bool
    /// Milliseconds; it wraps.
    package var timestamp: UInt32
    package var payload: ByteBuffer
}
