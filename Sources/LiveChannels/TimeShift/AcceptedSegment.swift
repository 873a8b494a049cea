import MediaCore
import Packaging

/// A segment on its way to the archive.
struct AcceptedSegment: Sendable {
    /// The segment, without media if it is lost.
    var segment: LiveSegment
    var rendition: RenditionID
    /// The number of the channel's discontinuities before the segment, if it belongs to the leading rendition.
    var discontinuityCount: Int
    /// The first media sequence numbers of the playlists, set once the segment is listed.
    var first = FirstMediaSequences()
    /// Bytes reserved with ``ArchiveWriter/reserve(byteCount:)``; `nil` if nothing was reserved, because the segment is
    /// a gap or there was no room.
    var reservedByteCount: Int?
    var placement: ArchivePlacement
    /// True if there was no room for the segment.
    var isLost: Bool
}
