package import NIOCore
package import Packaging

/// The source of an archived segment's bytes.
package enum ArchivedMedia: Sendable {
    /// The segment is not written yet; these are the buffers that all viewers share.
    case memory([ByteBuffer])
    case stored(StoredMedia)
    /// A part of the file that has to be read first is not in the page cache.
    case needsDisk
    /// The archive has no such media.
    case missing
}
