package import NIOCore
package import Packaging

/// Where an archived segment's bytes come from.
package enum ArchivedMedia: Sendable {
    /// Not written yet: the bytes that all viewers share.
    case memory([ByteBuffer])
    case stored(StoredMedia)
    /// Part of what has to be known first is not in the page cache.
    case needsDisk
    /// There is no such media.
    case missing
}

extension ArchivedSegment {
    /// The bytes that players were given while the segment was in memory; none of its media is read.
    ///
    /// - Parameter cachedOnly: do not wait for the disk.
    /// - Throws: ``MediaFileError``
    package func media(cachedOnly: Bool) throws -> ArchivedMedia {
        switch placement?.media {
        case .memory(let segment): .memory(segment.bytes)
        case .stored(let stored): try stored.media(cachedOnly: cachedOnly).map { .stored($0) } ?? .needsDisk
        case .missing, nil: .missing
        }
    }
}
