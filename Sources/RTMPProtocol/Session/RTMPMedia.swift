package import NIOCore

/// The body of an FLV tag.
package struct RTMPMedia: Sendable, Hashable {
    package var isVideo: Bool
    /// Milliseconds; it wraps.
    package var timestamp: UInt32
    package var payload: ByteBuffer

    package init(isVideo: Bool, timestamp: UInt32, payload: ByteBuffer) {
        (self.isVideo, self.timestamp, self.payload) = (isVideo, timestamp, payload)
    }
}
