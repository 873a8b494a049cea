package import NIOCore

/// The content of a PES packet: one picture, or some frames of audio.
package struct TSFrame: Sendable, Hashable {
    /// The stream's identifier.
    package var identifier: UInt16
    /// Times in units of 90 kHz, without wraps.
    package var presentationTime: Int64
    package var decodeTime: Int64
    package var content: ByteBuffer
    /// Whether packets were lost since the frame before, or in this one.
    package var isDamaged: Bool
}
