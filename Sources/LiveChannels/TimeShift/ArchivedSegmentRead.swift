package import NIOCore

/// The outcome of reading an archived segment.
package enum ArchivedSegmentRead: Sendable {
    case complete([ByteBuffer])
    /// A part of the segment is not in the page cache.
    case needsDisk
    /// The archive has no such media.
    case missing
}
