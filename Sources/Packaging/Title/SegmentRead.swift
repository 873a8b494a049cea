package import NIOCore

/// The result of reading a segment.
package enum SegmentRead: Sendable {
    /// The whole segment.
    case complete(ByteBuffer)
    /// A part of the segment is not in the page cache.
    case needsDisk
}
