package import MediaCore

/// The mapping from the track's timeline to the movie's: an `elst` with at most one empty edit and one media edit
/// (ISO/IEC 14496-12 §8.6.6). Encoders write such lists for a late start, for reordering and for priming.
package struct PresentationEdit: Sendable, Hashable {
    /// Time before the track starts, in the movie's timescale.
    package var emptyDuration: MediaTime
    /// Composition time that is presented first, in the track's timescale.
    package var mediaTime: Int64
    /// Composition time at which presentation ends, in the track's timescale; `nil` if it ends with the media.
    package var endTime: Int64?

    package init(emptyDuration: MediaTime, mediaTime: Int64, endTime: Int64? = nil) {
        self.emptyDuration = emptyDuration
        self.mediaTime = mediaTime
        self.endTime = endTime
    }
}
