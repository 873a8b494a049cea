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

extension ArchivedSegment {
    /// Finds the bytes that players were given while the segment was in memory; its media is not read.
    ///
    /// - Parameter cachedOnly: whether to give up rather than wait for the disk.
    /// - Throws: ``MediaFileError`` if the file cannot be read.
    package func media(cachedOnly: Bool) throws -> ArchivedMedia {
        switch placement?.media {
        case .memory(let segment): .memory(segment.bytes)
        case .stored(let stored): try stored.media(cachedOnly: cachedOnly).map { .stored($0) } ?? .needsDisk
        case .missing, nil: .missing
        }
    }
}
