import Packaging

extension ArchivedSegment {
    /// Finds the bytes that players were given while the segment was in memory; its media is not read.
    ///
    /// - Parameter cachedOnly: whether to give up rather than wait for the disk.
    /// - Throws: `MediaFileError` if the file cannot be read.
    package func media(cachedOnly: Bool) throws -> ArchivedMedia {
        switch placement?.media {
        case .memory(let segment), .kept(let segment): .memory(segment.bytes)
        case .stored(let stored): try stored.media(cachedOnly: cachedOnly).map { .stored($0) } ?? .needsDisk
        case .missing, nil: .missing
        }
    }
}
