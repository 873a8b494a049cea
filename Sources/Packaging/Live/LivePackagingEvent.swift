package import MediaCore

/// An output of a live packager.
package enum LivePackagingEvent: Sendable {
    /// A part of the segment that is being built. Sent only if players may know of it.
    case part(RenditionID, PartialSegment, of: LiveSegmentHeader)
    /// A finished segment. All renditions have one for each media sequence number, in order.
    case segment(RenditionID, LiveSegment)
    /// The part that comes next, at which playlists may hint; `nil` if it is not known. It holds until it arrives, or
    /// until the next event of this kind for the rendition.
    case nextPart(RenditionID, LivePartPosition?)
    /// A segment had to be closed without a key frame.
    case keyFramesTooFarApart
}
